"""Club evenings: finished games of which only results were kept, in edition A's numbers.

A file holds an evening's games: roles, how many fouls, the first victim, the best move's hits, extra points, the
declared winner. There is no replay of such a game. Penalties follow from the fouls and are never read from
`extraScores`; the club's own totals are not read at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from protocols.rules import entries as e
from protocols.rules.fold import new_game, step
from protocols.rules.points import thousandths
from protocols.rules.regulation import Regulation
from protocols.rules.state import GameState
from protocols.rules.terms import AFTER, SETUP, Moment, Phase, Result, Role

from .logged import same_nicknames
from .reading import NICKNAME_LENGTH, YEARS, Breach, Contradictory, Part, Unreadable, plain

FORMAT = "evening"

ROLES = {"citizen": Role.RED, "mafia": Role.BLACK, "sheriff": Role.SHERIFF, "don": Role.DON}
RESULTS = {"citizens_win": Result.RED, "mafia_win": Result.BLACK, "draw": Result.DRAW}
IN_THE_RECORD = frozenset({"players", "result", "date", "referee", "firstKilledAtNight"})
IN_THE_RECORD_OF_A_PLAYER = frozenset({"name", "role", "fouls", "extraScores"})


@dataclass(frozen=True, slots=True)
class Player:
    """One seat of a game: how many fouls, and what the judge added, penalties left out."""

    seat: int
    nickname: str
    role: Role
    fouls: int
    extra: Decimal


@dataclass(frozen=True)
class EveningGame:
    """One game of an evening; `number` counts from 1."""

    number: int
    played_on: date
    judge: str
    winner: Result
    players: tuple[Player, ...]
    first_victim: int | None  # the seat shot on night 1
    best_move_by: int | None
    hits: int
    facts: dict[str, Any]

    @property
    def nicknames(self) -> tuple[str, ...]:
        """The ten nicknames in seat order."""
        return tuple(player.nickname for player in self.players)


@dataclass(frozen=True)
class Evening:
    """The games of one evening."""

    title: str
    games: tuple[EveningGame, ...]


def looks_like(file: Part) -> bool:
    """Whether this is an evening: an object with games at its top."""
    return isinstance(file.value, dict) and "games" in file.value


def read(file: Part) -> Evening:
    """The evening of the file. Raises `Unreadable` for another shape."""
    title = file.at("event").text() if file.has("event") else ""
    games = tuple(_game(part, number) for number, part in enumerate(file.at("games").items(most=200), 1))
    if not games:
        raise file.at("games").wrong()
    return Evening(title, games)


def entries_of(evening: Evening, regulation: Regulation) -> list[list[e.Entry]]:
    """The entries of each game, numbered from 1. Raises `Contradictory` with every breach of every game."""
    breaches: list[Breach] = []
    found = []
    for game in evening.games:
        entries, wrong = _record(game, regulation)
        found.append(entries)
        breaches += [Breach(breach.code, breach.clause, {**breach.params, "game": game.number}) for breach in wrong]
    if breaches:
        raise Contradictory(breaches, {game.number: game.nicknames for game in evening.games})
    return found


# ---------------------------------------------------------------- the shape


def _game(part: Part, number: int) -> EveningGame:
    seats = list(part.at("players").items(most=100))
    if len(seats) != 10:
        names = tuple(seat.at("name").text() for seat in seats[10:])
        params = {"count": len(seats), "nicknames": names, "game": number}
        raise Contradictory([Breach("not_ten_players", "§1", params)])
    players = tuple(_player(seat, n) for n, seat in enumerate(seats, 1))
    return EveningGame(
        number=number,
        played_on=_date(part.at("date")),
        judge=part.at("referee").text(most=80) if part.has("referee") else "",
        winner=RESULTS[part.at("result").choice(RESULTS)],
        players=players,
        first_victim=_seat_named(part, "firstKilledAtNight", players),
        best_move_by=_seat_named(part, "bestMoveAuthor", players),
        hits=part.at("bestMoveAccuracy").integer(0, 3) if part.has("bestMoveAccuracy") else 0,
        facts=_facts(part.value),
    )


def _player(part: Part, seat: int) -> Player:
    name = part.at("name")
    nickname = name.text(most=NICKNAME_LENGTH)
    if not nickname:
        raise name.wrong()
    fouls = part.at("fouls").integer(0, 20) if part.has("fouls") else 0
    extra = part.at("extraScores").decimal() if part.has("extraScores") else Decimal(0)
    if fouls >= 4 and extra == -1:
        extra = Decimal(0)  # the club's way to write the penalty for four fouls, which follows from the fouls
    return Player(seat, nickname, ROLES[part.at("role").choice(ROLES)], fouls, extra)


def _date(part: Part) -> date:
    try:
        found = date.fromisoformat(part.text())
    except ValueError:
        raise part.wrong() from None
    if found.year not in YEARS:
        raise part.wrong()
    return found


def _seat_named(part: Part, name: str, players: tuple[Player, ...]) -> int | None:
    """The seat of the player named there; None where nobody is."""
    if not part.has(name):
        return None
    nickname = part.at(name).text()
    if not nickname:
        return None
    found = next((player.seat for player in players if player.nickname == nickname), None)
    if found is None:
        raise Unreadable("not_at_the_table", path=part.at(name).path, nickname=nickname)
    return found


def _facts(value: dict[str, Any]) -> dict[str, Any]:
    """What the record can't hold, without nicknames: the file's names of players become seats."""
    names = [player["name"] for player in value["players"]]
    facts = {key: item for key, item in value.items() if key not in IN_THE_RECORD}
    for key in ("firstKilledByDay", "bestMoveAuthor"):
        if facts.get(key) in names:
            facts[key] = names.index(facts[key]) + 1
    facts["players"] = {
        str(seat): {key: item for key, item in player.items() if key not in IN_THE_RECORD_OF_A_PLAYER}
        for seat, player in enumerate(value["players"], 1)
    }
    found: dict[str, Any] = plain(facts)
    return found


# ---------------------------------------------------------------- the record


def _record(game: EveningGame, regulation: Regulation) -> tuple[list[e.Entry], list[Breach]]:
    """The entries of a game that has only results, and what the rules have against them."""
    breaches = [
        Breach("nickname_twice", regulation.cite("table"), {"nickname": nickname, "seats": seats})
        for nickname, seats in same_nicknames(game.nicknames)
    ]
    breaches += _extra_breaches(game, regulation)
    entries: list[e.Entry] = []
    state: GameState = new_game(regulation, results_only=True)
    for value in _values(game):
        after = step(state, value)
        if len(after.set_aside) > len(state.set_aside):
            refusal = after.set_aside[-1][1]
            if not isinstance(value, e.ExtraPoints):  # named above, every breach of them and not the first
                params = {"refusal": refusal, "moment": value.moment, "kind": value.kind}
                breaches.append(Breach("refused", refusal.clause, params))
            continue
        state = after
        entries.append(value)
    return entries, breaches + _best_move_breaches(game, regulation)


def _values(game: EveningGame) -> Iterator[e.Entry]:
    """What the file says, in playing order. Nobody knows when the fouls fell: they stand after the game."""
    yield e.Roles(moment=SETUP, roles=tuple(player.role for player in game.players), revision=1)
    revision = 1
    if game.first_victim is not None:
        revision += 1
        yield e.Shot(moment=Moment(1, Phase.NIGHT), target=game.first_victim, revision=revision)
        if game.best_move_by == game.first_victim:
            revision += 1
            yield e.BestMove(moment=Moment(1, Phase.BEST_MOVE), hits=game.hits, revision=revision)
    for player in game.players:
        for _ in range(player.fouls):
            revision += 1
            yield e.Foul(moment=AFTER, seat=player.seat, revision=revision)
    yield e.GameOver(moment=AFTER, result=game.winner, revision=revision + 1)
    revision += 1
    for player in game.players:
        if player.extra:
            revision += 1
            yield e.ExtraPoints(
                moment=AFTER, seat=player.seat, points=thousandths(player.extra), revision=revision
            )  # fmt: skip


def _best_move_breaches(game: EveningGame, regulation: Regulation) -> list[Breach]:
    if game.best_move_by is None or game.best_move_by == game.first_victim:
        return []
    params = {"seat": game.best_move_by, "victim": game.first_victim}
    return [Breach("best_move_not_victim", regulation.cite("best_move"), params)]


def _extra_breaches(game: EveningGame, regulation: Regulation) -> list[Breach]:
    """Every breach of the caps on extra points: amounts, number of players, sum (A 8.4.1–8.4.3)."""
    given = [player for player in game.players if player.extra]
    breaches = []
    for player in given:
        amount = player.extra
        if regulation.extra_amounts:
            allowed = amount in regulation.extra_amounts
        else:
            in_range = regulation.extra_least <= amount <= regulation.extra_most
            allowed = in_range and not amount % regulation.extra_step
        if not allowed:
            params = {"seat": player.seat, "points": amount, "allowed": regulation.extra_amounts}
            breaches.append(Breach("extra_amount", regulation.cite("extra_amount"), params))
    seats = tuple(player.seat for player in given)
    if regulation.extra_players is not None and len(given) > regulation.extra_players:
        figures = {"count": len(given), "most": regulation.extra_players, "seats": seats}
        breaches.append(Breach("extra_players", regulation.cite("extra_players"), figures))
    total = sum((player.extra for player in given), Decimal(0))
    if regulation.extra_sum is not None and total > regulation.extra_sum:
        figures = {"sum": total, "most": regulation.extra_sum, "seats": seats}
        breaches.append(Breach("extra_sum", regulation.cite("extra_sum"), figures))
    return breaches
