"""What the board's forms send: one `Post` a form. Its number, by which a resend is known, it gets when it is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.http import QueryDict

from ..forms.fields import moment_text
from ..rules.terms import Moment

OPENED = (
    "roles", "chairs", "over", "broken", "ruling", "hall", "shooters", "entry", "correct", "late", "fallen", "menu",
    "log",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ask:
    """What is open on the board beside the ordinary: a seat's sheet, another step, the voters by name, the log."""

    seat: int = 0
    step: str = ""
    voters: bool = False
    reason: int = 0  # revision of the foul whose reason is offered
    open: str = ""
    of: int = 0
    write: str = ""  # what is written in behind the entry `of`
    whole_log: bool = False
    refused: str = ""  # why what was sent from the open form is not written
    typed: tuple[tuple[str, str], ...] = ()  # and what was chosen and typed in it


def again_of(data: QueryDict, refused: str) -> Ask:
    """The form that was sent, open again as it was filled, with why not; nothing where it was none that opens."""
    opened = data.get("opened", "")
    if opened not in OPENED:
        return Ask()
    of, write = _number(data, "opened-of", 1 << 30), data.get("opened-write", "")[:20]
    return Ask(
        open=opened, of=of, write=write, refused=refused, typed=tuple((name, data.get(name, "")) for name in data)
    )


def ask_of(data: QueryDict) -> Ask:
    """What the address, or the form, asks to see; nonsense asks for nothing."""
    opened = data.get("open", "")
    return Ask(
        seat=_number(data, "seat", 10),
        step=data.get("step", "")[:20],
        voters=data.get("voters") == "1",
        reason=_number(data, "reason", 1 << 30),
        open=opened if opened in OPENED else "",
        of=_number(data, "of", 1 << 30),
        write=data.get("write", "")[:20],
        whole_log=data.get("log") == "all",
    )


def _number(data: QueryDict, name: str, most: int) -> int:
    text = data.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= most else 0


@dataclass(frozen=True, slots=True)
class Post:
    """The hidden half of a form: the kind of entry, its moment and whatever no finger chooses."""

    kind: str
    moment: Moment | None = None
    fields: Mapping[str, object] = field(default_factory=dict, hash=False)
    is_now: bool = False  # the moment is wherever the game stands

    @property
    def hidden(self) -> Iterable[tuple[str, object]]:
        """Names and values, without revision, token and number, and without a moment that is now."""
        yield "kind", self.kind
        if self.moment is not None:
            yield "moment", moment_text(self.moment)
        yield from self.fields.items()


@dataclass(frozen=True, slots=True)
class Key:
    """One button of a pad. One that is not `lit` would be refused: pressing it says why."""

    value: object
    label: str
    title: str
    lit: bool = True
    mark: str = ""  # a CSS modifier: chosen, enough, miss
    note: str = ""  # small, under the label


@dataclass(frozen=True, slots=True)
class Pad:
    """A form of many buttons that all send the same field; `many`: the keys are ticked and sent together."""

    post: Post
    name: str
    keys: tuple[Key, ...]
    look: str  # ten, tally, shot, move
    title: str
    many: int = 0


@dataclass(frozen=True, slots=True)
class Main:
    """The one next action: a post, the sending of the pad, a link; without any of them a word on what is awaited."""

    label: str
    note: str = ""
    post: Post | None = None
    sends_pad: bool = False
    href: str = ""
    name: str = ""
    value: object = ""


@dataclass(frozen=True, slots=True)
class Other:
    """A further step that may come next, in the quiet menu."""

    label: str
    post: Post | None = None
    href: str = ""
