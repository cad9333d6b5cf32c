"""What a decision on a protest would do to the standings and the cuts, reckoned without writing anything (RULES §8)."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q

from protocols.models import Game, SeatResult, Stage, Status
from protocols.services.decisions import Foreseen

from .cut_selectors import Cuts, cuts_of
from .cuts import Passing
from .ratings import Exact, Line
from .selectors import TournamentStandings, alphabetical, lots_of, multipliers_of, nicknames_of, standings_of, terms_of
from .standings import Place, Standings, standings


@dataclass(frozen=True, slots=True)
class Moved:
    """A player whose place or rating would be another one; None where the player is in no row of that table."""

    nickname: str
    was: Place | None
    now: Place | None

    @property
    def moves(self) -> bool:
        """Whether the place is another one."""
        return _places(self.was) != _places(self.now)


@dataclass(frozen=True, slots=True)
class CutEffect:
    """What the decision would do to the cut into a stage, by nicknames."""

    stage: str
    is_taken: bool  # then it stands whatever is decided, and reseats nobody
    comes: tuple[str, ...]
    goes: tuple[str, ...]
    tied: tuple[str, ...]  # a lot would decide among these


@dataclass(frozen=True, slots=True)
class LaterStage:
    """A later stage that has games already."""

    name: str
    games: int
    signed: int


@dataclass(frozen=True, slots=True)
class Effect:
    """What a decision would do beyond the sheet."""

    moved: tuple[Moved, ...]  # by the place that would be
    cuts: tuple[CutEffect, ...]
    later: tuple[LaterStage, ...]
    total: int  # players in the table

    @property
    def places_moved(self) -> int:
        """How many players would have another place."""
        return sum(each.moves for each in self.moved)


def effect_of(seen: Foreseen) -> Effect:
    """What would follow from it: a fixed few queries, nothing written."""
    tournament, game = seen.game.tournament, seen.game
    before = standings_of(tournament)
    lines = _lines_after(seen)
    after = _table(before, lines)
    players = [*before.nicknames, *(line.player_id for line in lines if line.player_id not in before.nicknames)]
    names = before.nicknames | nicknames_of([each for each in players if each not in before.nicknames])
    cuts = _cuts(cuts_of(tournament), cuts_of(tournament, lines=lines))
    return Effect(_moved(before.table, after, names), cuts, _later(game), len(after.places))


def _lines_after(seen: Foreseen) -> list[Line]:
    """Every seat of the signed sheets as they would be in force."""
    game = seen.game
    rows = SeatResult.objects.filter(tournament=game.tournament_id, in_force=True).order_by()
    others = [Line(*row) for row in rows.exclude(game=game.pk).values_list(*Line._fields)]
    players = dict(rows.filter(game=game.pk).values_list("seat", "player"))
    mine = [
        Line(**{**{name: row[name] for name in Line._fields if name in row},
                "player_id": players[row["seat"]], "stage_id": game.stage_id})
        for row in seen.results
    ]  # fmt: skip
    return [*others, *mine]


def _table(before: TournamentStandings, lines: list[Line]) -> Standings:
    tournament, stages = before.tournament, before.stages
    names = {pk: alphabetical(nickname) for pk, nickname in before.nicknames.items()}
    return standings(
        lines, tournament.rules, multipliers_of(stages), terms=terms_of(tournament, stages), names=names,
        lots=lambda: {tied: lot.players for tied, lot in lots_of(tournament).items()},
    )  # fmt: skip


def _places(place: Place | None) -> tuple[int | None, int | None]:
    return (place.number, place.last) if place else (None, None)


def _total(place: Place | None) -> Exact | None:
    return place.rating.total if place else None


def _moved(before: Standings, after: Standings, names: dict[int, str]) -> tuple[Moved, ...]:
    was = {place.player_id: place for place in before.places}
    now = {place.player_id: place for place in after.places}
    order = [*now, *(player for player in was if player not in now)]
    found = [Moved(names.get(player, ""), was.get(player), now.get(player)) for player in order]
    return tuple(each for each in found if each.moves or _total(each.was) != _total(each.now))


def _cuts(before: Cuts, after: Cuts) -> tuple[CutEffect, ...]:
    found = []
    for one, other in zip(before.stages, after.stages, strict=True):
        if one.taken is not None:
            came = {each.player_id for each in one.taken.passed}
            goes, comes, tied = set(other.change.goes), set(other.change.comes), set(other.change.tied)
            if other.change == one.change:
                continue  # as the results have it already, whatever is decided
            goes &= came
        else:
            was, now = _through(one.passing), _through(other.passing)
            comes, goes = now - was, was - now
            tied = {place.player_id for place in other.passing.tied} if other.passing else set()
            if not (comes or goes):
                continue
        names = {**before.nicknames, **after.nicknames}
        words = [tuple(sorted((names.get(p, "") for p in group), key=alphabetical)) for group in (comes, goes, tied)]
        found.append(CutEffect(one.stage.name, one.taken is not None, *words))
    return tuple(found)


def _through(passing: Passing | None) -> set[int]:
    return {place.player_id for place in passing.through} if passing else set()


def _later(game: Game) -> tuple[LaterStage, ...]:
    """The stages after the game's that have games, with how many of them are signed; one query."""
    signed = Count("games", filter=Q(games__status=Status.SIGNED))
    stages = Stage.objects.filter(tournament=game.tournament_id, number__gt=game.stage.number)
    rows = stages.annotate(all_games=Count("games"), signed_games=signed).filter(all_games__gt=0).order_by("number")
    return tuple(LaterStage(row.name, row.all_games, row.signed_games) for row in rows)
