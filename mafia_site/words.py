"""The one catalog of words: what the source says in English, what the screen says in Russian.

    python -m mafia_site.words update     new words in, vanished words out; the rest stays as it was
    python -m mafia_site.words compile    the catalog as the running site reads it
    python -m mafia_site.words check      exits 1 and names what is missing

Needs no gettext on the machine: Babel reads the Python, Django turns templates into something like it.
"""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
PO_FILE = ROOT / "mafia_site" / "locale" / "ru" / "LC_MESSAGES" / "django.po"
MO_FILE = PO_FILE.with_suffix(".mo")
PACKAGES = ("mafia_site", "protocols", "scoring")

KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}

# No dates and no line numbers: the file changes only when a word does.
HEADER = """\
msgid ""
msgstr ""
"Language: ru\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : "
"n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"

"""


def _sources() -> Iterator[tuple[Path, str]]:
    """Every file that may hold words, as Python text."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path, path.read_text(encoding="utf-8")
    for folder in (ROOT / "templates", *(ROOT / package / "templates" for package in PACKAGES)):
        for path in sorted(folder.rglob("*")):
            if path.suffix in {".html", ".txt", ".svg"}:
                # Inside brackets the indentation of the markup means nothing to Python's tokenizer.
                yield path, "(" + templatize(path.read_text(encoding="utf-8"), origin=str(path)) + "\n)"


def words_in_source() -> Catalog:
    """Every message that the source asks for, untranslated."""
    found = Catalog(locale="ru", domain="django", charset="utf-8", fuzzy=False)
    for path, text in _sources():
        source = io.BytesIO(text.encode("utf-8"))
        for _line, message, _comments, context in extract(
            "python", source, keywords=KEYWORDS, options={"encoding": "utf-8"}, strip_comment_tags=True
        ):
            if not message or message == ("", ""):
                raise ValueError(f"{path.relative_to(ROOT)}:{_line}: an empty message")
            found.add(message, context=context)
    return found


def read_catalog() -> Catalog:
    """The catalog as it stands in the repository; an empty one where there is none."""
    if not PO_FILE.exists():
        return Catalog(locale="ru", domain="django", charset="utf-8", fuzzy=False)
    with PO_FILE.open("rb") as file:
        return read_po(file, locale="ru", domain="django", charset="utf-8")


def messages_of(catalog: Catalog) -> list[Message]:
    """The catalog's messages without its header."""
    return [message for message in catalog if message.id]


def is_translated(message: Message) -> bool:
    """Whether every form of the message has its Russian."""
    forms = message.string if isinstance(message.string, list | tuple) else (message.string,)
    return bool(forms) and all(forms) and (not message.pluralizable or len(forms) == 3)


def refreshed_catalog() -> Catalog:
    """The messages of the source, each with the Russian that the repository has for it."""
    fresh, known = words_in_source(), read_catalog()
    for message in messages_of(fresh):
        old = known.get(message.id, context=message.context)
        if old is not None and not old.fuzzy and old.pluralizable == message.pluralizable:
            message.string = old.string
    return fresh


def write_catalog(catalog: Catalog) -> None:
    """Write the catalog in a stable order: by message, then by context."""
    body = io.BytesIO()
    ordered = Catalog(locale="ru", domain="django", charset="utf-8", fuzzy=False)
    for message in sorted(messages_of(catalog), key=lambda m: (_singular(m), m.context or "")):
        ordered.add(message.id, message.string, context=message.context)
    write_po(body, ordered, width=110, no_location=True, omit_header=True, ignore_obsolete=True)
    PO_FILE.parent.mkdir(parents=True, exist_ok=True)
    PO_FILE.write_text(HEADER + body.getvalue().decode("utf-8").strip("\n") + "\n", encoding="utf-8")


def compile_catalog() -> None:
    """Write what gettext reads at run time; a running site takes it at its next start."""
    scratch = MO_FILE.with_suffix(".mo.new")
    with scratch.open("wb") as file:
        write_mo(file, read_catalog())
    scratch.replace(MO_FILE)


def shortcomings() -> list[str]:
    """What is wrong with the catalog, one line each; empty when every word of the source has its Russian."""
    asked = {(_singular(m), m.context): m for m in messages_of(words_in_source())}
    known = {(_singular(m), m.context): m for m in messages_of(read_catalog())}
    lines = [f"not in the catalog: {msgid!r}" for msgid, _context in asked.keys() - known.keys()]
    lines += [f"no longer in the source: {msgid!r}" for msgid, _context in known.keys() - asked.keys()]
    for (msgid, _context), message in known.items():
        if not is_translated(message):
            lines.append(f"no Russian: {msgid!r}")
        if message.fuzzy:
            lines.append(f"fuzzy: {msgid!r}")
    return sorted(lines)


def _singular(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def main(verb: str = "check") -> int:
    """Do what the command line asks; 0 when all is well."""
    if verb == "update":
        write_catalog(refreshed_catalog())
    if verb in {"update", "compile"}:
        compile_catalog()
    if verb in {"update", "check"}:
        lines = shortcomings()
        print("\n".join(lines), file=sys.stderr, end="\n" if lines else "")
        return 1 if lines and verb == "check" else 0
    return 0 if verb == "compile" else 2


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
