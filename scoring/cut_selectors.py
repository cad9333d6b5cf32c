"""The cuts of a tournament as they are read: a fixed few queries, whatever the number of games, stages and cuts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from uuid import UUID

from django.db.models import Q

from protocols.models import OPEN, Game, Player, SignedSheet, Stage, Status, Tournament
from protocols.models.entries import canonical_json, sha256
from protocols.rules.points import thousandths
from protocols.rules.regulation import Regulation
from protocols.rules.regulation_data import to_data

from .as_of import Scope
from .cut_models import Cut, CutPlace, CutSize
from .cuts import Change, Passing, change, passing
from .discipline_selectors import with_penalties
from .ratings import Exact, Line, Terms
from .selectors import UNDECIDED, DrawnLot, alphabetical, holds, lines_of, lots_of, multipliers_of, terms_of
from .standings import Standings, standings
from .tiebreaks import LOT, has_lot


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A game before the cut whose result is not final: not signed, or with a protest that nobody has decided."""

    uuid: UUID
    stage: str
    number: int
    table_number: int
    status: Status
    is_signed: bool  # then there is a protest

    @property
    def status_words(self) -> str:
        """Where the game stands."""
        return str(self.status.label)


@dataclass(frozen=True, slots=True)
class Passed:
    """Somebody who passed a cut, as it was written then."""

    player_id: int
    place: int
    nickname: str
    rating: Exact  # millionths


@dataclass(frozen=True, slots=True)
class TakenCut:
    """A cut in force."""

    pk: int
    size: int
    taken_by: str
    taken_at: datetime
    fingerprint: str
    unsigned: int
    protests: int
    passed: tuple[Passed, ...]


@dataclass(frozen=True, slots=True)
class StageCut:
    """A stage that may have a cut, by the results as they are now."""

    stage: Stage
    size: int | None
    earlier: tuple[Stage, ...]
    table: Standings  # of the games before, among those who could play there
    passing: Passing | None  # None without a size
    taken: TakenCut | None
    waits_for: Stage | None  # an earlier stage whose cut has to be taken first
    open: tuple[OpenGame, ...]
    lots: tuple[DrawnLot, ...]  # that decide in the table
    fingerprint: str  # of what it is computed from now

    @property
    def change(self) -> Change:
        """What the results would change of the cut that was taken; nothing before."""
        if self.taken is None or self.passing is None:
            return Change()
        return change([each.player_id for each in self.taken.passed], self.passing)

    @property
    def unsigned(self) -> int:
        """How many games before it are not signed."""
        return sum(not game.is_signed for game in self.open)

    @property
    def protests(self) -> int:
        """How many protests before it are not decided."""
        return sum(game.is_signed for game in self.open)


@dataclass(frozen=True, slots=True)
class Cuts:
    """All stages of a tournament but the first, and the nicknames of whoever has played."""

    stages: tuple[StageCut, ...]
    nicknames: dict[int, str]

    def of(self, number: int) -> StageCut | None:
        """The stage of that number; None for the first, and where there is none."""
        return next((each for each in self.stages if each.stage.number == number), None)

    def names(self, players: Iterable[int]) -> list[str]:
        """Their nicknames, in that order."""
        return [self.nicknames.get(player, "") for player in players]


def has_cuts(tournament: Tournament) -> bool:
    """Whether any stage has a cut, one query."""
    return CutSize.objects.filter(stage__tournament=tournament).exists()


def cuts_of(tournament: Tournament, until: Scope | None = None, *, lines: Sequence[Line] | None = None) -> Cuts:
    """Every stage but the first with its cut: eight queries, and one where the regulation asks ratings from outside.

    `until`: by what had been played then. `lines`: by these results, which nobody has written.
    """
    known = with_penalties(Stage.objects.filter(tournament=tournament)).select_related("regulation_version", "cut_size")
    stages = tuple(known.order_by("number"))
    lines = lines_of(tournament, until) if lines is None else lines
    nicknames = dict(Player.objects.filter(pk__in={line[0] for line in lines}).order_by().values_list("pk", "nickname"))
    taken = _taken(tournament)
    for cut in taken.values():
        for each in cut.passed:
            nicknames.setdefault(each.player_id, each.nickname)
    if until is not None:
        taken = {stage.pk: taken[stage.pk] for stage in stages if stage.pk in taken and until.knows_cut(stage.number)}
    computer = _Computer(tournament, stages, lines, nicknames, lots_of(tournament, until))
    found: list[StageCut] = []
    for stage in stages[1:]:
        found.append(computer.cut_of(stage, taken.get(stage.pk), found))
    return Cuts(tuple(found), nicknames)


class _Computer:
    """What the cuts of a tournament are computed from, fetched once."""

    def __init__(
        self,
        tournament: Tournament,
        stages: tuple[Stage, ...],
        lines: Sequence[Line],
        nicknames: dict[int, str],
        lots: dict[frozenset[int], DrawnLot],
    ) -> None:
        self.stages = stages
        self.lines = lines
        self.rules = with_lot(tournament.rules)
        self.terms: Terms = terms_of(tournament, stages)
        self.names = {pk: alphabetical(nickname) for pk, nickname in nicknames.items()}
        self.lots = lots
        self.open = _open_games(tournament)
        self.seals = _seals(tournament)

    def cut_of(self, stage: Stage, taken: TakenCut | None, before: Sequence[StageCut]) -> StageCut:
        """The stage's cut; `before` are the cuts of the stages before it."""
        earlier = tuple(each for each in self.stages if each.number < stage.number)
        pks = {each.pk for each in earlier}
        lines = [line for line in self.lines if line[1] in pks]
        last = next((cut for cut in reversed(before) if cut.size is not None or cut.taken is not None), None)
        if last is not None and last.taken is not None:
            # Who did not come into the semi-final is no candidate for the final; a substitute who played in it is.
            since = {each.pk for each in earlier if each.number >= last.stage.number}
            among = {each.player_id for each in last.taken.passed} | {line[0] for line in lines if line[1] in since}
            lines = [line for line in lines if line[0] in among]
        table = standings(
            lines, self.rules, multipliers_of(earlier), terms=self.terms, names=self.names, lots=self._drawn
        )
        lots = tuple(lot for lot in self.lots.values() if holds(table, lot.players))
        own = getattr(stage, "cut_size", None)
        size = taken.size if taken is not None else own.size if own is not None else None
        return StageCut(
            stage=stage,
            size=size,
            earlier=earlier,
            table=table,
            passing=passing(table, size) if size is not None else None,
            taken=taken,
            waits_for=last.stage if last is not None and last.taken is None else None,
            open=tuple(game for pk, game in self.open if pk in pks),
            lots=lots,
            fingerprint=self._fingerprint(earlier, size, last, lots),
        )

    def _drawn(self) -> dict[frozenset[int], tuple[int, ...]]:
        return {tied: lot.players for tied, lot in self.lots.items()}

    def _fingerprint(
        self, earlier: tuple[Stage, ...], size: int | None, last: StageCut | None, lots: tuple[DrawnLot, ...]
    ) -> str:
        facts: dict[str, object] = {
            "size": size,
            "before": last.taken.fingerprint if last is not None and last.taken is not None else "",
            "regulation": [self.rules.code, to_data(self.rules)],
            "stages": [
                [stage.number, thousandths(stage.multiplier), stage.group, to_data(stage.rules)]
                if stage.regulation_version_id is not None
                else [stage.number, thousandths(stage.multiplier), stage.group]
                for stage in earlier
            ],
            "sheets": sorted(seal for stage in earlier for seal in self.seals.get(stage.pk, ())),
            "qualifying": sorted(self.terms.qualifying.values()),
            "lots": sorted(lot.drawn_at.isoformat() for lot in lots),
        }
        if self.terms.penalties:
            facts["penalties"] = sorted(self.terms.penalties.items())
        return sha256(canonical_json(facts))


def with_lot(regulation: Regulation) -> Regulation:
    """The regulation with a lot after all its keys: a stage has so many places and no more."""
    return regulation if has_lot(regulation) else replace(regulation, tie_keys=(*regulation.tie_keys, LOT))


def _taken(tournament: Tournament) -> dict[int, TakenCut]:
    """The cuts in force, by stage; two queries."""
    cuts = Cut.objects.filter(stage__tournament=tournament, withdrawn_at=None).select_related("taken_by")
    rows = CutPlace.objects.filter(cut__stage__tournament=tournament, cut__withdrawn_at=None)
    passed: dict[int, list[Passed]] = {}
    for row in rows.order_by("place", "pk"):
        passed.setdefault(row.cut_id, []).append(Passed(row.player_id, row.place, row.nickname, exact_of(row.rating)))
    return {
        cut.stage_id: TakenCut(
            pk=cut.pk,
            size=cut.size,
            taken_by=cut.taken_by.last_name or cut.taken_by.get_username(),
            taken_at=cut.taken_at,
            fingerprint=cut.fingerprint,
            unsigned=cut.unsigned,
            protests=cut.protests,
            passed=tuple(passed.get(cut.pk, ())),
        )
        for cut in cuts
    }


def exact_of(written: str) -> Exact:
    """The exact number that a text holds.

    >>> exact_of("7500000"), exact_of("22500000/7")
    (7500000, Fraction(22500000, 7))
    """
    value = Fraction(written)
    return value.numerator if value.denominator == 1 else value


def _open_games(tournament: Tournament) -> list[tuple[int, OpenGame]]:
    """The games that are not signed, and the signed ones with a protest that nobody decided; one query."""
    games = Game.objects.filter(tournament=tournament).select_related("stage")
    rows = games.filter(Q(status__in=OPEN) | UNDECIDED).order_by("stage__number", "number", "table_number")
    return [
        (
            game.stage_id,
            OpenGame(
                game.uuid, game.stage.name, game.number, game.table_number, Status(game.status),
                game.status == Status.SIGNED,
            ),
        )
        for game in rows
    ]  # fmt: skip


def _seals(tournament: Tournament) -> dict[int, list[str]]:
    """The seals of the sheets in force, by stage; one query."""
    rows = SignedSheet.objects.filter(game__tournament=tournament, superseded_at=None).order_by()
    found: dict[int, list[str]] = {}
    for stage, seal in rows.values_list("game__stage", "sha256"):
        found.setdefault(stage, []).append(seal)
    return found
