"""A season as it is read: a fixed few queries, whatever the number of its games."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from protocols.models import CLOSED, OPEN, Game, Player, RegulationVersion, SeatResult, Stage, Status, Tournament
from protocols.rules.points import thousandths
from protocols.rules.regulation import PRESETS, Reckoning, Regulation

from .announced import hidden_games
from .ratings import ONE, Figures, GameRating, Line, Rating, Terms, games_of_player, ratings
from .season_models import Season
from .season_ratings import Counted, season_standings, total_of
from .season_sums import Counting, SeasonStage, season_factors, shares_and_best_of
from .selectors import UNDECIDED, Progress, alphabetical
from .standings import Place, Standings

MANY = 200  # players


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A season's table, with what a page says beside it."""

    season: Season
    on: datetime.date | None  # as of that day; None: as of now
    table: Standings
    nicknames: dict[int, str]
    progress: Progress
    tournaments: int  # of which games count


@dataclass(frozen=True, slots=True)
class SeasonGame:
    """One game of a player: what it brought the season, None where it counts for nobody."""

    game: Game
    result: SeatResult
    rating: GameRating | None
    is_counted: bool = True  # among the best, where only these count


@dataclass(frozen=True, slots=True)
class SeasonPart:
    """A tournament of a player: what it brought, by its own regulation and as the season counts it."""

    tournament: Tournament
    rating: Rating
    games: tuple[SeasonGame, ...]
    is_counted: bool = True  # False: not among the best, or removed from the tournament

    @property
    def figures(self) -> Figures:
        """The four parts of all its games."""
        return self.rating.figures


@dataclass(frozen=True, slots=True)
class PlayersSeason:
    """Where a player stands in a season, and by what."""

    found: SeasonTable
    place: Place
    parts: tuple[SeasonPart, ...]  # in the order of their first days


def games_of(season: Season, on: datetime.date | None = None) -> QuerySet[Game]:
    """The games that belong to the season: those of its public tournaments, played in its period, up to that day.

    Those of rounds that are hidden from the public until they are announced are not among them, for whoever asks.
    """
    games = _all_games(season).filter(_is_within(season, on))
    hidden = hidden_games()
    return games if hidden is None else games.exclude(hidden)


def _all_games(season: Season) -> QuerySet[Game]:
    """The games of its tournaments, whenever they were played."""
    games = Game.objects.filter(tournament__is_public=True)
    return games if season.takes_all else games.filter(tournament__in=season.tournaments.order_by().values("pk"))


def _is_within(season: Season, on: datetime.date | None) -> Q:
    last = season.ends_on if on is None else min(on, season.ends_on)
    return Q(played_on__gte=season.starts_on, played_on__lte=last)


@dataclass(frozen=True, slots=True)
class Within:
    """What of the games belongs to a season: the stages it counts, and how far they are."""

    counting: Counting
    progress: Progress


def within(season: Season, on: datetime.date | None = None) -> Within:
    """The stages of which signed games count, and which games of them, where not all do: three queries or four."""
    inside, closed, hidden = _is_within(season, on), Q(status__in=CLOSED), hidden_games()
    seen = inside if hidden is None else inside & ~hidden
    counts = {
        "signed": seen & Q(status=Status.SIGNED),
        "open": inside & Q(status__in=OPEN),
        "protests": inside & UNDECIDED,
        "counted": seen & closed,
        "held": closed,
    }
    if hidden is not None:
        counts["hidden"] = inside & hidden & closed
    asked = {name: Count("pk", filter=which) for name, which in counts.items()}
    rows: list[Any] = list(_all_games(season).order_by().values("stage").annotate(**asked))
    total = {name: sum(row[name] for row in rows) for name in counts}
    found = [row for row in rows if row["counted"]]
    is_part = any(row["counted"] != row["held"] for row in found)
    games = _all_games(season).filter(seen & closed) if is_part else None
    stages = stages_of([row["stage"] for row in found], is_multiplied=season.counted != Counted.PLAIN_GAMES)
    progress = Progress(total["signed"], total["open"], total["protests"], total.get("hidden", 0))
    return Within(Counting(stages, games), progress)


def stages_of(pks: list[int], *, is_multiplied: bool = True) -> tuple[SeasonStage, ...]:
    """These stages, each with its rules and multiplier: two queries at most."""
    rows = list(
        Stage.objects.filter(pk__in=pks)
        .order_by("pk")
        .values_list(
            "pk", "tournament", "group", "multiplier", "regulation_version",
            "tournament__regulation_version", "tournament__regulation",
        )
    )  # fmt: skip
    versions = {key for row in rows for key in row[4:6] if key is not None}
    own = RegulationVersion.objects.in_bulk(versions) if versions else {}
    multipliers: dict[object, int] = {}
    factors: dict[tuple[int, int], dict[str, int]] = {}
    found = []
    for pk, tournament, group, multiplier, version, of_tournament, preset in rows:
        if multiplier not in multipliers:
            multipliers[multiplier] = thousandths(multiplier) if is_multiplied else ONE
        rules: Regulation = own[of_tournament].rules if of_tournament is not None else PRESETS[preset]
        stage_rules = own[version].rules if version is not None else rules
        key = id(stage_rules), multipliers[multiplier]
        if key not in factors:
            factors[key] = season_factors(multipliers[multiplier], stage_rules)
        found.append(SeasonStage(pk, tournament, group, stage_rules, rules, factors[key]))
    return tuple(found)


def season_table(season: Season, on: datetime.date | None = None) -> SeasonTable:
    """The table from the signed games, or as it stood on that day by the protocols of today."""
    inside, rules = within(season, on), season.rules
    counting = inside.counting
    shares, best = shares_and_best_of(counting, rules)
    players = {share.player_id for share in shares}
    nicknames = nicknames_of(players)
    names = {pk: alphabetical(nickname) for pk, nickname in nicknames.items()}
    table = season_standings(shares, rules, names=names, best_games=best)
    tournaments = len({stage.tournament_id for stage in counting.stages})
    return SeasonTable(season, on, table, nicknames, inside.progress, tournaments)


def nicknames_of(players: set[int]) -> dict[int, str]:
    """The nicknames of these players; of many that lie close together, those between them come along."""
    rows = Player.objects.order_by().values_list("pk", "nickname")
    if len(players) > MANY and max(players) - min(players) < 4 * len(players):
        return dict(rows.filter(pk__range=(min(players), max(players))))  # thousands of keys take longer than rows
    return dict(rows.filter(pk__in=players))


def players_season(season: Season, player: int, on: datetime.date | None = None) -> PlayersSeason | None:
    """A player’s row, unfolded by the engine of the tournaments’ own tables; None without a game that counts."""
    found = season_table(season, on)
    place = found.table.of(player)
    if place is None:
        return None
    results = list(
        SeatResult.objects.filter(player=player, in_force=True, game__in=games_of(season, on))
        .select_related("game", "stage__regulation_version", "tournament__regulation_version")
        .order_by("tournament__starts_on", "tournament_id", "stage__number", "game__number", "game__table_number")
    )
    parts = [_part(season, group) for group in _by_tournament(results)]
    return PlayersSeason(found, place, tuple(_marked(season, parts)))


def _by_tournament(results: Iterable[SeatResult]) -> list[list[SeatResult]]:
    groups: dict[int, list[SeatResult]] = {}
    for result in results:
        groups.setdefault(result.tournament_id, []).append(result)
    return list(groups.values())


def _part(season: Season, results: list[SeatResult]) -> SeasonPart:
    """One tournament of a player, reckoned as its own table is."""
    tournament = results[0].tournament
    is_plain = season.counted == Counted.PLAIN_GAMES
    stages = {result.stage_id: result.stage for result in results}
    multipliers = {pk: ONE if is_plain else thousandths(stage.multiplier) for pk, stage in stages.items()}
    terms = Terms(
        own={pk: stage.rules for pk, stage in stages.items() if stage.regulation_version_id is not None},
        groups={pk: stage.group for pk, stage in stages.items() if stage.group},
    )
    lines = [Line(*(getattr(result, name) for name in Line._fields)) for result in results]
    (rating,) = ratings(lines, tournament.rules, multipliers, terms)
    brought = games_of_player(lines, tournament.rules, multipliers, terms)
    games = tuple(SeasonGame(result.game, result, each) for result, each in zip(results, brought, strict=True))
    return SeasonPart(tournament, rating, games, is_counted=bool(rating.games) and not rating.from_tournament)


def _marked(season: Season, parts: list[SeasonPart]) -> list[SeasonPart]:
    """The same, with what is not among the best marked; of equal ones the earlier counts."""
    rules = season.rules
    if rules.counted.is_games:
        games = [(game, part) for part in parts for game in part.games if game.rating is not None]
        ranked = sorted(games, key=lambda pair: pair[0].rating.figures.total if pair[0].rating else 0, reverse=True)
        among = {pair[0].game.pk for pair in (ranked[: rules.best] if rules.asks_each_game else ranked)}
        return [
            SeasonPart(
                part.tournament, part.rating,
                tuple(SeasonGame(each.game, each.result, each.rating, each.game.pk in among) for each in part.games),
                any(each.game.pk in among for each in part.games),
            )
            for part in parts
        ]  # fmt: skip
    if rules.reckoning == Reckoning.BEST:
        standing = sorted((part for part in parts if part.is_counted), key=lambda part: part.rating.total, reverse=True)
        among = {part.tournament.pk for part in standing[: rules.best]}
        return [SeasonPart(part.tournament, part.rating, part.games, part.tournament.pk in among) for part in parts]
    return parts


def recounted(season: Season, played: PlayersSeason) -> object:
    """The rating from the unfolded parts: what the page adds up before the reader's eyes; the table has the same."""
    rules = season.rules
    if rules.counted.is_games:
        values = [each.rating.figures.total for part in played.parts for each in part.games if each.rating is not None]
    else:
        values = [part.rating.total for part in played.parts if part.rating.games and not part.rating.from_tournament]
    return total_of(sorted(values, reverse=True), rules)
