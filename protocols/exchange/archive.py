"""A whole tournament as one archive: a zip of manifest.json and the games' files, as FORMAT.md describes it.

An archive is read in memory and never unpacked to disk; what it holds is what its manifest lists, nothing is read
beyond the sizes listed there, and those are bounded.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from . import game_file
from .canonical import canonical_file, sha256
from .game_file import GameFile, read_date, read_instant, read_line
from .packed import Packed, Spoilt
from .reading import MAX_BYTES, Part, Unreadable, parse
from .schema import hold

FORMAT = "sports-mafia-tournament"
SCHEMAS = {1: "tournament-1", 2: "tournament-2", 3: "tournament-3"}
# by version: 3 has regulations of its own, groups of stages, ratings from outside, cuts or teams; 2 has drafts
COURSE = {"time_zone", "registration", "published", "participants", "apart", "conflicts", "rounds", "hidings"}
SINCE_3 = {
    "regulations",
    "own_regulation",
    "qualifying",
    "cuts",
    "moved",
    "teams",
    "teams_removed",
    "protests",
    "corrections",
    "player_penalties",
} | COURSE
RUNNING = {"seats_drawn", "seat_changes", "cancelled"}
SINCE_3 |= RUNNING
SINCE_3_IN_A_STAGE = {"group", "regulation"}
ROLE_SINCE_3 = "commission"
MANIFEST = "manifest.json"
MOST_BYTES = 50_000_000  # of the archive itself
MOST_UNPACKED = 200_000_000
MOST_GAMES = 2000
MOST_DRAFTS = 2000
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the zip's times say nothing, so that equal content has equal bytes


class NotTaken(Exception):
    """A game of the archive can't be taken: which, in words, and why."""

    def __init__(self, name: str, error: Exception) -> None:
        super().__init__(f"{name}: {error}")
        self.name = name
        self.error = error


@dataclass(frozen=True)
class Archive:
    """An archive whose manifest fits the schema; its games are read one by one."""

    manifest: dict[str, Any]
    _packed: Packed

    def game(self, line: dict[str, Any]) -> GameFile:
        """The game of that line of the manifest. Raises `Unreadable`."""
        file = parse(self.listed(line))
        if not game_file.looks_like(file):
            raise file.at("format").wrong()
        return game_file.read(file)

    @property
    def drafts(self) -> list[dict[str, Any]]:
        """The lines of the manifest that tell of drafts."""
        found: list[dict[str, Any]] = self.manifest.get("drafts", [])
        return found

    def listed(self, line: dict[str, Any]) -> bytes:
        """The file of that line of the manifest. Raises `Unreadable`."""
        raw = _bytes(self._packed, line["file"], line["bytes"])
        if len(raw) != line["bytes"] or sha256(raw) != line["sha256"]:
            raise Unreadable("file_differs", name=line["file"])
        return raw


def read(raw: bytes) -> Archive:
    """The archive that the bytes hold. Raises `Unreadable`; of its games, only when they are read."""
    if len(raw) > MOST_BYTES:
        raise Unreadable("too_big", most=MOST_BYTES)
    try:
        packed = Packed(raw)
    except Spoilt:
        raise Unreadable("no_archive") from None
    names = packed.names
    if MANIFEST not in names or len(names) > 1 + MOST_GAMES + MOST_DRAFTS:
        raise Unreadable("no_archive")
    manifest = _manifest(parse(_bytes(packed, MANIFEST, MAX_BYTES)))
    lines = [*manifest["games"], *manifest.get("drafts", [])]
    listed = [MANIFEST, *(line["file"] for line in lines)]
    if sorted(names) != sorted(set(listed)) or len(listed) != len(names):
        raise Unreadable("other_files")
    if sum(line["bytes"] for line in lines) > MOST_UNPACKED:
        raise Unreadable("too_big", most=MOST_UNPACKED)
    return Archive(manifest, packed)


def _bytes(packed: Packed, name: str, most: int) -> bytes:
    """The file's bytes, one more than `most` at the most. Raises `Unreadable`."""
    try:
        return packed.part(name, most)
    except Spoilt:
        raise Unreadable("no_archive") from None


def _manifest(file: Part) -> dict[str, Any]:
    if not isinstance(file.value, dict) or file.value.get("format") != FORMAT:
        raise Unreadable("no_archive")
    version = file.at("version")
    if type(version.value) is not int or version.value not in SCHEMAS:
        raise Unreadable("other_version", version=str(version.value)[:20], known=max(SCHEMAS))
    hold(file, SCHEMAS[version.value])
    read_date(file.at("tournament").at("starts_on"))
    for lot in file.at("lots").items():
        read_instant(lot.at("drawn_at"))
        read_line(lot.at("drawn_by"))
    lines = [file.at("tournament").at(name) for name in ("title", "city")]
    lines += [each.at("name") for name in ("stages", "members") for each in file.at(name).items()]
    lines += [each.at("group") for each in file.at("stages").items() if each.has("group")]
    for each in file.at("regulations").items() if file.has("regulations") else ():
        lines += [each.at("name"), each.at("author")]
        read_instant(each.at("created_at"))
        if each.has("frozen_at"):
            read_instant(each.at("frozen_at"))
    for each in file.at("moved").items() if file.has("moved") else ():
        lines += [each.at(name) for name in ("was", "became", "by")]
        read_instant(each.at("at"))
    for cut in _cuts(file):
        lines += [cut.at("by"), *(place.at("nickname") for place in cut.at("places").items())]
        read_instant(cut.at("at"))
        for notice in cut.at("notices").items():
            read_instant(notice.at("at"))
        if cut.has("withdrawn"):
            lines.append(cut.at("withdrawn").at("by"))
            read_instant(cut.at("withdrawn").at("at"))
    lines += [*_of_teams(file), *_of_course(file), *_of_running(file), *_of_protests(file)]
    lines += _of_penalties(file)
    for line in lines:
        read_line(line)
    drafts = file.at("drafts") if file.has("drafts") else None
    for draft in drafts.items(most=MOST_DRAFTS) if drafts else ():
        _read_draft(draft)
    for line in file.at("games").items(most=MOST_GAMES):
        if line.at("file").value != file_name(line.at("uuid").value):
            raise line.at("file").wrong()
    found: dict[str, Any] = file.value
    return found


def _cuts(file: Part) -> Iterator[Part]:
    """Every cut that was taken, or taken back."""
    for stage in file.at("cuts").items() if file.has("cuts") else ():
        yield from stage.at("taken").items() if stage.has("taken") else ()


def _of_teams(file: Part) -> Iterator[Part]:
    """The lines that teams are told in; their instants are read on the way."""
    for team in file.at("teams").items() if file.has("teams") else ():
        yield from (team.at(name) for name in ("name", "city"))
        for penalty in team.at("penalties").items():
            yield from (penalty.at(name) for name in ("clause", "by"))
            read_instant(penalty.at("at"))
            if penalty.has("revoked"):
                yield penalty.at("revoked").at("by")
                read_instant(penalty.at("revoked").at("at"))
        yield from _of_changes(team, "log")
    yield from _of_changes(file, "teams_removed")


def _of_changes(part: Part, name: str) -> Iterator[Part]:
    for change in part.at(name).items() if part.has(name) else ():
        yield from (change.at("by"), change.at("name"))
        read_instant(change.at("at"))


def _of_course(file: Part) -> Iterator[Part]:
    """The lines of participants, rounds and hidings; their instants are read on the way."""
    for each in file.at("participants").items() if file.has("participants") else ():
        yield from (each.at(name) for name in ("city", "team"))
        read_instant(each.at("at"))
    for each in file.at("conflicts").items() if file.has("conflicts") else ():
        yield each.at("judge")
    for each in file.at("rounds").items() if file.has("rounds") else ():
        if each.has("starts_at"):
            read_instant(each.at("starts_at"))
        if each.has("cancelled"):
            yield from (each.at("cancelled").at(name) for name in ("by", "reason"))
            read_instant(each.at("cancelled").at("at"))
    for name in ("closes_at", "closed_at") if file.has("registration") else ():
        if file.at("registration").has(name):
            read_instant(file.at("registration").at(name))
    for each in file.at("hidings").items() if file.has("hidings") else ():
        yield each.at("by")
        read_instant(each.at("at"))


def _of_penalties(file: Part) -> Iterator[Part]:
    """The lines of penalties outside a game; their instants are read on the way."""
    for each in file.at("player_penalties").items() if file.has("player_penalties") else ():
        for act in (each, *([each.at("revoked")] if each.has("revoked") else [])):
            yield act.at("by")
            read_instant(act.at("at"))
        yield each.at("clause")


def _of_protests(file: Part) -> Iterator[Part]:
    """The lines of protests, decisions and corrections asked for; their instants are read on the way."""
    for each in file.at("protests").items() if file.has("protests") else ():
        yield each.at("clause")
        read_instant(each.at("made_at"))
        read_instant(each.at("filed_at"))
        if each.has("filed_by"):
            yield each.at("filed_by")
        if each.has("admitted"):
            yield each.at("admitted").at("by")
        acts = list(each.at("votes").items()) if each.has("votes") else []
        if each.has("decision"):
            decision = each.at("decision")
            yield decision.at("clause")
            acts += [decision, *([decision.at("announced")] if decision.has("announced") else [])]
        for act in acts:
            yield act.at("by")
            read_instant(act.at("at"))
    for each in file.at("corrections").items() if file.has("corrections") else ():
        for act in (each, *([each.at("answered")] if each.has("answered") else [])):
            yield act.at("by")
            read_instant(act.at("at"))


def _of_running(file: Part) -> Iterator[Part]:
    """The lines of seats drawn and changed, and of a cancellation; their instants are read on the way."""
    for each in file.at("seats_drawn").items() if file.has("seats_drawn") else ():
        for done in (each, each.at("used")) if each.has("used") else (each,):
            yield done.at("by")
            read_instant(done.at("at"))
    for each in file.at("seat_changes").items() if file.has("seat_changes") else ():
        yield from (each.at("by"), each.at("reason"))
        read_instant(each.at("at"))
    if file.has("cancelled"):
        yield from (file.at("cancelled").at(name) for name in ("by", "reason"))
        read_instant(file.at("cancelled").at("at"))


def _read_draft(draft: Part) -> None:
    if draft.at("file").value != draft_name(draft.at("uuid").value):
        raise draft.at("file").wrong()
    lines, instants = [draft.at("name"), draft.at("taken_by")], [draft.at("taken_at")]
    if draft.has("discarded"):
        lines.append(draft.at("discarded").at("by"))
        instants.append(draft.at("discarded").at("at"))
    for line in lines:
        read_line(line)
    for instant in instants:
        read_instant(instant)


def draft_name(uuid: str) -> str:
    """What a draft's file is called in an archive, whatever it was called when it came."""
    return f"drafts/{uuid}.json"


def file_name(uuid: str) -> str:
    """What a game's file is called in an archive."""
    return f"games/{uuid}.json"


def to_bytes(
    facts: dict[str, Any], games: Iterable[GameFile], drafts: Iterable[tuple[dict[str, Any], bytes]] = ()
) -> bytes:
    """The archive of these games, in this order; `facts` are the members of the manifest beside the games.

    A draft is what the manifest tells of it, and its file as it came.
    """
    lines, packed = [], io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        for game in games:
            raw, header = game_file.to_bytes(game), game.data["game"]
            name = file_name(game.data["uuid"])
            _add(target, name, raw)
            lines.append(
                {
                    "uuid": game.data["uuid"],
                    "stage": game.data["stage"]["number"],
                    "number": header["number"],
                    "table": header["table"],
                    "file": name,
                    "bytes": len(raw),
                    "sha256": sha256(raw),
                }
            )
        kept = []
        for told, raw in drafts:
            name = draft_name(told["uuid"])
            _add(target, name, raw)
            kept.append({**told, "file": name, "bytes": len(raw), "sha256": sha256(raw)})
        manifest = {"format": FORMAT, "version": 1, **facts, "games": lines}
        if kept:
            manifest |= {"version": 2, "drafts": kept}
        if (
            not SINCE_3.isdisjoint(facts)
            or any(set(stage) & SINCE_3_IN_A_STAGE for stage in facts["stages"])
            or any(member["role"] == ROLE_SINCE_3 for member in facts["members"])
        ):
            manifest["version"] = 3
        _add(target, MANIFEST, canonical_file(manifest))
    return packed.getvalue()


def _add(target: zipfile.ZipFile, name: str, raw: bytes) -> None:
    info = zipfile.ZipInfo(name, LONG_AGO)
    info.create_system, info.external_attr = 3, 0o644 << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    target.writestr(info, raw, compresslevel=9)
