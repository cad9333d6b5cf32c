"""What is to be said of a list of players: why it is none, why a line can't be read, how it was read."""

from __future__ import annotations

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ..exchange.roster import Flaw, Listed, NoList, Part
from ..services.roster import Told
from .terms import Words

NO_LIST: Words = {
    "empty": _("There is nothing in the list."),
    "too_big": _("The file is larger than %(megabytes)s MB"),
    "too_long": _("The list is too long: at most %(most)d characters."),
    "too_many_lines": _("The list has %(lines)d lines; at most %(most)d are read at once. Nothing is written."),
    "not_text": _("The file is neither text nor an Excel workbook. Save the list as CSV or .xlsx."),
    "old_excel": _("This is an old Excel file (.xls) or one under a password. Save it as .xlsx without a password."),
    "other_zip": _("This is an archive, but no Excel workbook. Save the list as CSV or .xlsx."),
    "broken_excel": _("The Excel file is damaged and can’t be read. Save it once more, or paste the lines."),
    "too_much_inside": _("Unpacked, the Excel file is larger than %(megabytes)s MB: no list of players is."),
    "no_nicknames": _("There is no column of nicknames under the headings: %(headings)s."),
}
FLAWS: Words = {
    "no_nickname": _("there is no nickname"),
    "too_long": _("%(part)s is longer than %(most)d characters"),
    "open_quote": _("a quotation mark opens and is not closed on this line; read as one up to line %(last)d"),
}
PARTS: Words = {
    Part.NICKNAME: _("nickname"),
    Part.NAME: _("name"),
    Part.CITY: _("city"),
    Part.TEAM: _("team"),
}
HOW: Words = {
    "windows-1251": _("The file is in Windows-1251, not in UTF-8: look whether the letters are right."),
    "utf-16": _("The file is in UTF-16."),
}


def no_list_words(error: NoList) -> str:
    """Why it is no list, and what to do."""
    return str(NO_LIST[error.code]) % error.params


def flaw_words(flaw: Flaw) -> str:
    """Why the line can't be read."""
    params = {**flaw.params}
    if "part" in params:
        params["part"] = PARTS[str(params["part"])]
    return str(FLAWS[flaw.code]) % params


def reading_words(listed: Listed) -> list[str]:
    """How the list was read, in sentences."""
    columns = ", ".join(str(PARTS[part]) for part in listed.columns if part is not None)
    found = [gettext("Columns: %(columns)s.") % {"columns": columns}] if len(listed.columns) > 1 else []
    if listed.has_headings:
        found.append(gettext("The first line is taken for headings."))
    if listed.left_out:
        words = ngettext("A column is left out: %(names)s.", "Columns are left out: %(names)s.", len(listed.left_out))
        found.append(words % {"names": ", ".join(listed.left_out)})
    if listed.is_numbered:
        found.append(gettext("The numbers before the nicknames are left out."))
    if not listed.has_headings and None in listed.columns:
        found.append(gettext("What stands after the fourth column is left out."))
    return found


def notes_of(told: Told) -> list[str]:
    """What an organizer should know of a line before it is written."""
    found = []
    if told.row.is_formula:
        found.append(gettext("begins like a formula of a spreadsheet: taken as plain text"))
    if told.mixes:
        found.append(gettext("has letters of two alphabets in one word"))
    for part, has in told.stays:
        found.append(gettext("%(part)s stays “%(text)s”") % {"part": PARTS[part], "text": has})
    if told.fills:
        found.append(gettext("added: %(parts)s") % {"parts": ", ".join(str(PARTS[part]) for part in told.fills)})
    return found
