"""The register of discipline: what was given at the tables of a tournament, and outside a game.

What was given at a table is told by the sheets in force, and of games not signed yet by their records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db.models import OuterRef, Subquery

from protocols import access
from protocols.models import OPEN, Game, Seat, SeatResult, SignedSheet, Status, Tournament
from protocols.rules.points import thousandths
from protocols.rules.sheet import Remark, Sheet
from protocols.selectors import records_of, sheet_from

from .discipline_models import PenaltyKind, PlayerPenalty
from .discipline_selectors import penalties_of

WARNING, REMOVAL, DEFEAT, EXPULSION = "warning", "removal", "defeat", "expulsion"
KINDS = (WARNING, REMOVAL, DEFEAT, EXPULSION)


@dataclass(frozen=True, slots=True)
class Act:
    """Something a judge gave a player in a game."""

    kind: str  # of KINDS
    player_id: int
    nickname: str
    game: Game
    seat: int
    clause: str
    text: str
    points: int | None  # thousandths, as they count; None where it takes nothing off
    is_signed: bool


@dataclass(slots=True)
class PlayersRecord:
    """Everything of one player."""

    player_id: int
    nickname: str
    counts: Counter[str] = field(default_factory=Counter)  # by KINDS, «foul» and kinds of penalties in force
    acts: list[Act] = field(default_factory=list)
    penalties: list[PlayerPenalty] = field(default_factory=list)

    @property
    def warnings(self) -> int:
        """Warnings at the table and yellow cards outside a game, which the rules take for one (A 6.3)."""
        return self.counts[WARNING] + self.counts[PenaltyKind.YELLOW_CARD.value]


@dataclass(frozen=True, slots=True)
class Register:
    """The players with anything to their names, by nickname."""

    players: tuple[PlayersRecord, ...]
    clauses: tuple[tuple[str, int], ...]  # each clause with how often it was given under, the most frequent first
    penalties: tuple[PlayerPenalty, ...]  # outside a game, revoked ones too, in the order of time


def register_of(tournament: Tournament, viewer: access.Viewer) -> Register:
    """Everything given in the tournament: from signed games, and from open ones for whoever oversees it.

    Six queries at most. A game at which the viewer sits and which is not over tells them nothing.
    """
    found: dict[int, PlayersRecord] = {}

    def of(player: int, nickname: str) -> PlayersRecord:
        return found.setdefault(player, PlayersRecord(player, nickname))

    clauses: Counter[str] = Counter()
    for act, fouls in (*_of_signed(tournament), *_of_open(tournament, viewer)):
        record = of(act.player_id, act.nickname)
        if fouls:
            record.counts["foul"] += fouls
            continue
        record.acts.append(act)
        record.counts[act.kind] += 1
        clauses[act.clause] += bool(act.clause)
    penalties = penalties_of(tournament)
    for penalty in penalties:
        record = of(penalty.player_id, penalty.player.nickname)
        record.penalties.append(penalty)
        if penalty.revoked_at is None:
            record.counts[penalty.kind] += 1
            clauses[penalty.clause] += bool(penalty.clause)
    shown = [each for each in found.values() if each.acts or each.penalties]
    return Register(
        tuple(sorted(shown, key=lambda each: each.nickname.casefold())),
        tuple((clause, n) for clause, n in sorted(clauses.items(), key=lambda pair: (-pair[1], pair[0])) if n),
        tuple(penalties),
    )


def records_at(game: Game) -> list[tuple[int, PlayersRecord]]:
    """Whoever is prepared for this game and has a warning, a card or a removal so far, by seat: two queries.

    From signed games and from penalties outside a game: the judge of one table learns nothing of others under way.
    """
    seats = Seat.objects.filter(game=game)
    at = Subquery(seats.filter(player=OuterRef("player")).values("number")[:1])
    found: dict[int, PlayersRecord] = {}
    results = SeatResult.objects.filter(tournament=game.tournament_id, in_force=True, player__in=seats.values("player"))
    for row in results.select_related("sheet", "game__stage", "player").annotate(here=at).order_by("game", "seat"):
        record = found.setdefault(row.here, PlayersRecord(row.player_id, row.player.nickname))
        names = {row.seat: (row.player_id, row.player.nickname)}
        for act, fouls in _acts(row.sheet.sheet, row.game, names, is_signed=True, counts=True):
            record.counts[act.kind] += fouls or 1
    penalties = PlayerPenalty.objects.filter(tournament=game.tournament_id, player__in=seats.values("player"))
    for penalty in penalties.filter(revoked_at=None).select_related("player").annotate(here=at):
        record = found.setdefault(penalty.here, PlayersRecord(penalty.player_id, penalty.player.nickname))
        record.counts[penalty.kind] += 1
    weighs = (WARNING, REMOVAL, DEFEAT, EXPULSION, *PenaltyKind.values)
    return sorted(
        ((seat, row) for seat, row in found.items() if any(row.counts[kind] for kind in weighs)), key=_by_seat
    )


def _by_seat(row: tuple[int, PlayersRecord]) -> int:
    return row[0]


def _of_signed(tournament: Tournament) -> Iterator[tuple[Act, int]]:
    """From the sheets in force: two queries. A line of fouls has their number beside it."""
    sheets = SignedSheet.objects.filter(game__tournament=tournament, superseded_at=None)
    rows = list(sheets.select_related("game__stage").order_by("game__stage__number", "game__number", "game__pk"))
    seats: dict[int, dict[int, tuple[int, str]]] = {}
    results = SeatResult.objects.filter(tournament=tournament, in_force=True).order_by()
    for sheet, seat, player, nickname in results.values_list("sheet", "seat", "player", "player__nickname"):
        seats.setdefault(sheet, {})[seat] = (player, nickname)
    for row in rows:
        counts = row.game.status == Status.SIGNED
        yield from _acts(row.sheet, row.game, seats.get(row.pk, {}), is_signed=True, counts=counts)


def _of_open(tournament: Tournament, viewer: access.Viewer) -> Iterator[tuple[Act, int]]:
    """From the records of games not signed, for whoever oversees the tournament: three queries."""
    if viewer is None or not access.standing_in(viewer, tournament).oversees:
        return
    games = list(access.visible_games(viewer, Game.objects.filter(tournament=tournament, status__in=OPEN)))
    games = [game for game in games if game.revision and access.sees_roles(viewer, game)]
    if not games:
        return
    players: dict[int, dict[int, tuple[int, str]]] = {}
    for seat in Seat.objects.filter(game__in=games).select_related("player"):
        players.setdefault(seat.game_id, {})[seat.number] = (seat.player_id, seat.player.nickname)
    records = records_of(games)
    for game in games:
        chairs = records[game.pk].state.chairs
        at = {seat: players[game.pk][chairs[seat]] for seat in chairs if chairs[seat] in players.get(game.pk, {})}
        yield from _acts(sheet_from(records[game.pk]), game, at, is_signed=False, counts=False)


def _acts(
    sheet: Sheet, game: Game, players: dict[int, tuple[int, str]], *, is_signed: bool, counts: bool
) -> Iterator[tuple[Act, int]]:
    removed = {row.seat for row in sheet.rows if row.removed}
    for row in sheet.rows:
        if row.fouls and row.seat in players:
            player, nickname = players[row.seat]
            yield Act("foul", player, nickname, game, row.seat, "", "", None, is_signed), len(row.fouls)
    for remark in sheet.remarks:
        if remark.seat not in players or remark.seat is None:
            continue
        kind = _kind(remark, removed)
        if kind:
            player, nickname = players[remark.seat]
            points = thousandths(remark.points) if counts and remark.points else None
            yield Act(kind, player, nickname, game, remark.seat, remark.clause, remark.text, points, is_signed), 0


def _kind(remark: Remark, removed: set[int]) -> str:
    """What the line of a sheet's back tells of; the first penalty of whoever was removed is the removal."""
    if remark.kind == "warning":
        return WARNING
    if remark.kind == "tournament":
        return EXPULSION
    if remark.kind == "penalty" and remark.seat in removed:
        removed.discard(remark.seat)
        return REMOVAL
    return DEFEAT if remark.kind == "penalty" else ""
