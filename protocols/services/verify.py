"""Proof that what is stored agrees with itself: chains, folds, signed sheets and their results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.utils.translation import gettext as _

from ..models import CLOSED, Entry, Game, Seat, SeatResult, SignedSheet
from ..models.entries import genesis
from ..models.game import status_words
from ..models.seal import digest_of, record_hash, seal_of
from ..rules.fold import replay
from ..rules.regulation import Regulation
from ..rules.sheet import RULES_VERSION, sheet, to_data
from ..selectors import Record, header_of
from .ending import status_of
from .sign import closing_status, regulation_sealed, results_of


@dataclass(slots=True)
class _Stored:
    """All that is stored of one game: its entries, its sheets, the results of each by the sheet's key, its seats."""

    game: Game
    rows: list[Entry] = field(default_factory=list)
    sheets: list[SignedSheet] = field(default_factory=list)
    results: dict[int, list[SeatResult]] = field(default_factory=dict)
    seated: dict[int, tuple[int, str]] = field(default_factory=dict)  # seat → player and nickname as written


def differences(game: Game) -> list[str]:
    """Everything about the game that disagrees, in words; empty where all is well. Reads only."""
    return differences_of([game])[0]


def differences_of(games: Sequence[Game]) -> list[list[str]]:
    """The same of each of several games, in four queries for all of them; hold no more than a few hundred at once."""
    try:
        stored = _stored(games)
    except Exception as error:  # whatever was altered, the other games are looked at too
        return [differences(game) for game in games] if len(games) > 1 else [[unreadable(error)]]
    return [_readable_differences(one) for one in stored]


def unreadable(error: Exception) -> str:
    """What is said of a game that can't even be read."""
    return _("what is stored can’t be read: %(error)s") % {"error": f"{type(error).__name__} {error}".strip()}


def _stored(games: Sequence[Game]) -> list[_Stored]:
    by_key = {game.pk: _Stored(game) for game in games}
    for row in Entry.objects.filter(game__in=by_key).order_by("game", "revision"):
        by_key[row.game_id].rows.append(row)
    sheets: dict[int, list[SeatResult]] = {}
    for signed in (
        SignedSheet.objects.filter(game__in=by_key).select_related("regulation_version").order_by("game", "number")
    ):
        one = by_key[signed.game_id]
        one.sheets.append(signed)
        one.results[signed.pk] = sheets[signed.pk] = []
    for result in SeatResult.objects.filter(sheet__in=sheets).select_related("player").order_by("sheet", "seat"):
        sheets[result.sheet_id].append(result)  # by its sheet: what it says of its game is to be proved
    seats = Seat.objects.filter(game__in=by_key).values_list("game", "number", "player", "nickname")
    for key, number, player, nickname in seats:
        by_key[key].seated[number] = (player, nickname)
    return list(by_key.values())


def _readable_differences(stored: _Stored) -> list[str]:
    try:
        return _differences(stored)
    except Exception as error:
        return [unreadable(error)]


def _differences(stored: _Stored) -> list[str]:
    game, rows = stored.game, stored.rows
    found = list(_record(game, rows))
    if not found:  # a broken record would only repeat itself in what follows from it
        whole = _record_at(game, rows, game.revision, game.rules)
        found += _standing(game, whole)
        found += _sheets(game, stored.sheets)
        for signed in stored.sheets:
            found += [
                _("sheet %(number)d: %(what)s") % {"number": signed.number, "what": what}
                for what in _sheet(stored, signed, whole)
            ]
    return found


def _record(game: Game, rows: list[Entry]) -> Iterator[str]:
    revisions = [row.revision for row in rows]
    for missing in sorted(set(range(1, game.revision + 1)) - set(revisions)):
        yield _("entry %(revision)d is missing") % {"revision": missing}
    for extra in revisions:
        if extra > game.revision:
            yield _("entry %(revision)d is not counted in the game") % {"revision": extra}
    previous = genesis(game.uuid)
    for row in rows:
        words = {"revision": row.revision}
        if row.previous_hash != previous:
            yield _("entry %(revision)d is not chained to the one before it") % words
        if row.hash_due(game.uuid) != row.hash:
            yield _("entry %(revision)d is not as it was written") % words
        previous = row.hash


def _standing(game: Game, record: Record) -> Iterator[str]:
    due = closing_status(record) if game.sheet_in_force_id else status_of(record.state)
    if game.status != due:
        yield _("the game says “%(says)s”, its record “%(due)s”") % {
            "says": status_words(game.status),
            "due": due.label,
        }
    if (game.ended_at is not None) != (game.status in (*CLOSED, "over")):
        yield _("the time of the end does not agree with the record")
    if game.stage.tournament_id != game.tournament_id:
        yield _("its stage belongs to another tournament")


def _sheets(game: Game, sheets: list[SignedSheet]) -> Iterator[str]:
    numbers = {signed.number for signed in sheets}
    for missing in sorted(set(range(1, max(numbers, default=0) + 1)) - numbers):
        yield _("sheet %(number)d is missing") % {"number": missing}
    if game.status in CLOSED and game.sheet_in_force_id not in {signed.pk for signed in sheets}:
        yield _("the sheet in force is missing")
    for signed in sheets:
        if signed.pk == game.sheet_in_force_id and signed.revision < game.revision:
            yield _("entry %(revision)d was written after the signature") % {"revision": signed.revision + 1}


def _sheet(stored: _Stored, signed: SignedSheet, whole: Record) -> Iterator[str]:
    game, data = stored.game, signed.data
    in_force = signed.pk == game.sheet_in_force_id
    if seal_of(data) != signed.sha256:
        yield _("the sheet is not as it was signed")
        return
    if signed.signed_at != datetime.fromisoformat(data["signature"]["at"]):
        yield _("the time of the signature is not the one that was signed")
    if not signed.rules_version.isdecimal() or not 1 <= int(signed.rules_version) <= int(RULES_VERSION):
        yield _("it was made by rules that this site doesn’t know")
    if in_force:
        yield from _header(game, signed)
        if signed.rules != game.rules:  # it can't change once protocols are signed under it
            yield _("it was signed under another regulation than the game is played under")
    if in_force != (signed.superseded_at is None):
        yield _("it is in force in one place and superseded in another")
    version = signed.regulation_version
    if data.get("own_regulation") != (regulation_sealed(version) if version else None):
        yield _("the regulation is not the one it was signed under")
    is_whole = (signed.revision, signed.rules) == (game.revision, game.rules)
    record = whole if is_whole else _record_at(game, stored.rows, signed.revision, signed.rules)
    if record_hash(record.head, signed.revision, data["players"]) != signed.record_hash:
        yield _("the record it was made from has changed")
    if signed.rules_version == RULES_VERSION and _made_anew(record, signed) != data["sheet"]:
        yield _("the record gives another sheet")
    yield from _results(record, signed, stored, in_force)


def _header(game: Game, signed: SignedSheet) -> Iterator[str]:
    """What the game says of itself against what was signed; the titles of tournament and stage may change."""
    was, now = signed.sheet, header_of(game)
    ended_at = datetime.fromisoformat(was.ended_at) if was.ended_at else None
    ends_now = game.ended_at.replace(second=0, microsecond=0) if game.ended_at else None
    if was.header != replace(now, tournament=was.header.tournament, stage=was.header.stage):
        yield _("the header of the game is not the one that was signed")
    if ended_at != ends_now:
        yield _("the time of the end is not the one that was signed")
    if was.protest != game.protest:
        yield _("the protest is not the one that was signed")


def _results(record: Record, signed: SignedSheet, stored: _Stored, in_force: bool) -> Iterator[str]:
    results = stored.results[signed.pk]
    due = results_of(record)
    says = [{name: getattr(result, name) for name in due[0]} for result in results] if due else []
    if signed.rules_version == RULES_VERSION and says != due:
        yield _("the results of the seats are not those of the record")
    belongs = {(r.game_id, r.tournament_id, r.stage_id, r.in_force) for r in results}
    game = record.game
    if belongs != {(game.pk, game.tournament_id, game.stage_id, in_force)}:
        yield _("the results of the seats belong elsewhere")
    rows = signed.data["sheet"]["rows"]
    for result in results:
        nickname = rows[result.seat - 1]["nickname"]
        salt = result.digest_salt
        if salt and digest_of(salt, nickname) != signed.data["players"][result.seat - 1]:
            yield _("seat %(seat)d is not the player of the sheet") % {"seat": result.seat}
        elif in_force:
            player, written = stored.seated.get(record.state.chairs[result.seat], (None, None))
            if player != result.player_id:
                yield _("seat %(seat)d is not the player of its result") % {"seat": result.seat}
            elif written != nickname:  # what the board, the replay and the account call the player
                words = {"seat": result.seat, "written": written, "nickname": nickname}
                yield _("seat %(seat)d is called “%(written)s”, on the sheet “%(nickname)s”") % words


def _record_at(game: Game, rows: list[Entry], revision: int, regulation: Regulation) -> Record:
    rows = rows[:revision]
    values = [row.value() for row in rows]
    state = replay(values, regulation, results_only=game.results_only)
    return Record(game, [row.row for row in rows], values, state)


def _made_anew(record: Record, signed: SignedSheet) -> object:
    """The sheet that the record gives, under the header and the nicknames that were signed."""
    was = signed.sheet
    names = {record.state.chairs[row.seat]: row.nickname for row in was.rows}
    return to_data(sheet(record.state, was.header, names, ended_at=was.ended_at, protest=was.protest))
