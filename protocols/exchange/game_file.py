"""The file of one game's record, our own format: FORMAT.md describes it, schemas/game-*.json are its schemas.

A file is read into a `GameFile` whose data fits the schema; `to_bytes` gives the one canonical file of such data.
Whether the record in it is true to itself is for services.taking to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypeVar
from uuid import UUID

from protocols.rules.regulation import Regulation
from protocols.rules.regulation_data import to_data
from protocols.rules.terms import SEATS

from . import mafiaratings
from .canonical import canonical_file, canonical_json, sha256
from .lines import line_written
from .reading import YEARS, Part, Unreadable
from .schema import hold

Day = TypeVar("Day", date, datetime)

FORMAT = "sports-mafia-game"
SCHEMAS = {1: "game-1", 2: "game-2"}  # by version: 2 has regulations of the tournament's own, 1 is under a preset

NUMBERS_OF_VERSION_1 = (
    "edition", "opener_moves", "withdrawal", "single_nominee_day_one", "thirty_seconds_for_silenced",
    "speech_seconds", "short_speech_seconds", "tied_seconds", "last_words_seconds", "raised_seconds", "night_seconds",
    "check_seconds", "no_raise_at_four", "raise_three_of_nine", "removal_after_vote_cancels_next",
    "removal_after_leaving", "stalemate", "has_draw", "win_red", "win_black", "loss", "draw", "removal",
    "team_defeat_offender", "best_move_red", "best_move_sheriff", "best_move_void_after_raise", "extra_amounts",
    "extra_step", "extra_least", "extra_most", "extra_players", "extra_sum", "speech_step", "speech_most",
    "speech_in_points", "compensation", "multiplied", "tie_extra_with_best_move", "tie_keys", "protest_minutes",
)  # fmt: skip
"""The switches and numbers that a file of version 1 tells of a preset."""

SEATS_WRITTEN = tuple(map(str, SEATS))

NOT_HASHED = ("author_name", "hash")
"""Members of an entry in the file that its hash is not taken over."""


@dataclass(frozen=True, slots=True)
class GameFile:
    """A game's record as a file holds it; `data` fits the schema."""

    data: dict[str, Any]

    @property
    def uuid(self) -> UUID:
        """The game's own number, the same at every site."""
        return UUID(self.data["uuid"])

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The entries in the order of writing."""
        found: list[dict[str, Any]] = self.data["entries"]
        return found

    @property
    def sheets(self) -> list[dict[str, Any]]:
        """The signed sheets, the oldest first."""
        found: list[dict[str, Any]] = self.data["sheets"]
        return found

    @property
    def sheet_in_force(self) -> dict[str, Any] | None:
        """The sheet that holds, if the protocol is signed."""
        return self.sheets[-1] if self.sheets and self.sheets[-1]["superseded"] is None else None

    @property
    def hashes(self) -> list[str]:
        """The hashes of the entries: two records are the same when these are."""
        return [entry["hash"] for entry in self.entries]


def looks_like(file: Part) -> bool:
    """Whether this JSON says that it is such a file, of whatever version."""
    return isinstance(file.value, dict) and file.value.get("format") == FORMAT


def read(file: Part) -> GameFile:
    """The record that the file holds. Raises `Unreadable` with the path of what is wrong."""
    version = file.at("version")
    if type(version.value) is not int or version.value not in SCHEMAS:
        raise Unreadable("other_version", version=str(version.value)[:20], known=max(SCHEMAS))
    hold(file, SCHEMAS[version.value])
    for part in (file.at("tournament").at("starts_on"), file.at("game").at("played_on")):
        read_date(part)
    for part in _instants(file):
        read_instant(part)
    for part in _lines(file):
        read_line(part)
    for part in _people(file):
        if "@" in read_line(part):  # nobody is printed so: it would be taken for an address and left out
            raise part.wrong()
    _in_order(file.at("entries"), "revision")
    _in_order(file.at("sheets"), "number")
    seats = [part.at("seat") for part in file.at("seats").items()]
    if [part.value for part in seats] != sorted({part.value for part in seats}):
        raise file.at("seats").wrong()
    _read_source(file)
    for sheet in file.at("sheets").items():
        _read_sheet(sheet, is_last=sheet.at("number").value == len(file.value["sheets"]))
    return GameFile(_restored(file.value))


def _read_sheet(sheet: Part, *, is_last: bool) -> None:
    for name in ("rows", "results"):
        rows = sheet.at(name) if name == "results" else sheet.at("sheet").at(name)
        for seat, row in zip(SEATS, rows.items(), strict=True):
            if row.at("seat").value != seat:
                raise row.at("seat").wrong()
    if not is_last and sheet.at("superseded").value is None:
        raise sheet.at("superseded").wrong()


def _read_source(file: Part) -> None:
    """Refuses what no mafiaratings file can have told, for the site would write it back as told by one."""
    source = file.at("source") if file.has("source") else None
    if source is None or not isinstance(source.value, dict) or source.value.get("format") != mafiaratings.FORMAT:
        return
    told = {name: _members(source.at(name)) for name in ("facts", "forms") if name in source.value}
    people = _members(told["facts"]["players"]) if "players" in told.get("facts", {}) else {}
    forms = told.get("forms", {})
    for number, seat in (*people.items(), *forms.items()):
        if number not in SEATS_WRITTEN:
            raise seat.wrong()
        _members(seat)
    for seat in forms.values():
        for form in _members(seat).values():
            _members(form)


def _members(part: Part) -> dict[str, Part]:
    """The members of this object. Raises `Unreadable` for anything else."""
    if not isinstance(part.value, dict):
        raise part.wrong()
    return {name: part.at(name) for name in part.value}


def to_bytes(file: GameFile) -> bytes:
    """The canonical file of the record."""
    return canonical_file(file.data)


def regulation_numbers(regulation: Regulation) -> dict[str, Any]:
    """The switches and numbers of a preset as files of version 1 hold them: those that version knows."""
    found = to_data(regulation)
    return {name: found[name] for name in NUMBERS_OF_VERSION_1}


def hash_due(entry: dict[str, Any], game: str, previous: str) -> str:
    """The hash that this entry of the file should have after the entry of that hash."""
    hashed = {name: value for name, value in entry.items() if name not in NOT_HASHED}
    return sha256(canonical_json({**hashed, "game": game, "previous": previous}))


def broken_links(file: GameFile, first: str) -> list[int]:
    """The revisions whose hash is not the one due; `first` is the hash that the first entry is chained to."""
    broken, previous = [], first
    for entry in file.entries:
        if hash_due(entry, file.data["uuid"], previous) != entry["hash"]:
            broken.append(entry["revision"])
        previous = entry["hash"]
    return broken


# ---------------------------------------------------------------- reading


def read_date(part: Part) -> date:
    """This day. Raises `Unreadable` for one that no calendar has, or no game was played on."""
    return _in_our_years(part, date)


def read_line(part: Part) -> str:
    """This line, just as it would be stored. Raises `Unreadable` where something in it can't be seen."""
    if line_written(part.value) != part.value:
        seen = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in part.value[:40])
        raise Unreadable("wrong_value", path=part.path, value=f'"{seen}"')
    return str(part.value)


def read_instant(part: Part) -> datetime:
    """This moment of time. Raises `Unreadable` for one that no calendar has, or no game was played at."""
    return _in_our_years(part, datetime)


def _in_our_years(part: Part, kind: type[Day]) -> Day:
    try:
        found = kind.fromisoformat(part.value)
    except ValueError:
        raise part.wrong() from None
    if found.year not in YEARS:
        raise part.wrong()
    return found


def _lines(file: Part) -> Iterator[Part]:
    """The words of the header that are printed."""
    yield file.at("tournament").at("title")
    yield file.at("tournament").at("city")
    yield file.at("stage").at("name")
    if file.at("stage").has("group"):
        yield file.at("stage").at("group")
    yield from _names(file)
    yield file.at("game").at("judge")


def _names(file: Part) -> Iterator[Part]:
    """The names of the tournament's own regulations."""
    if file.at("version").value == 1:
        return
    yield file.at("regulation").at("name")
    for part in file.at("regulations").items() if file.has("regulations") else ():
        yield part.at("name")


def _people(file: Part) -> Iterator[Part]:
    """The printed names of whoever wrote, signed or reopened."""
    for entry in file.at("entries").items(most=3000):
        yield entry.at("author_name")
    for sheet in file.at("sheets").items():
        yield sheet.at("signature").at("name")
        if sheet.has("superseded"):
            yield sheet.at("superseded").at("by")


def _instants(file: Part) -> Iterator[Part]:
    if file.at("game").has("ended_at"):
        yield file.at("game").at("ended_at")
    for entry in file.at("entries").items(most=3000):
        yield entry.at("recorded_at")
        if entry.at("device_time").value:
            yield entry.at("device_time")
    for sheet in file.at("sheets").items():
        yield sheet.at("signature").at("at")
        if sheet.has("superseded"):
            yield sheet.at("superseded").at("at")


def _in_order(rows: Part, name: str) -> None:
    """Refuses a list whose items are not numbered from 1 without gaps."""
    for number, row in enumerate(rows.items(most=3000), 1):
        if row.at(name).value != number:
            raise Unreadable("out_of_order", path=row.at(name).path, due=number, value=row.at(name).value)


def _restored(value: Any) -> Any:
    """The data as it was before it became JSON: the reader keeps fractions exact, the database keeps them as floats."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {key: _restored(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_restored(item) for item in value]
    return value
