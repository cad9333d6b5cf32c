"""The public mafiaratings JSON: one game, player by player, as its own help describes it.

Their round r is our night r and our day r + 1. The order of nominations is not stored (it is that of the nominators'
speeches), nor is a cancelled vote, a shot that was not shown, a foul's clause. `read` gives what the file says as a
`GameLog`; `playback.played` turns it into entries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from protocols.rules.terms import Result, Role

from .reading import NICKNAME_LENGTH, Part, plain

FORMAT = "mafiaratings"
LAST_ROUND = 60

ROLES = {"civ": Role.RED, "maf": Role.BLACK, "sheriff": Role.SHERIFF, "don": Role.DON}
WINNERS = {"civ": Result.RED, "maf": Result.BLACK, "tie": Result.DRAW}
DEATHS = ("day", "night", "warnings", "kickOut", "teamKickOut", "giveUp")
NIGHT_TIMES = ("start", "arrangement", "relaxed sitting", "night start", "shooting", "don", "sheriff")
DAY_TIMES = (
    "day start", "night kill speaking", "speaking", "voting start", "voting", "voting kill all", "day kill speaking",
    "end",
)  # fmt: skip

# What the entries hold; the rest of a player is kept with the game.
IN_THE_RECORD = frozenset(
    {"name", "role", "death", "warnings", "don", "sheriff", "legacy", "nominating", "voting", "shooting"}
)


@dataclass(frozen=True, slots=True)
class Time:
    """When something happened, in the file's own terms; `name` "" where the file keeps only how many."""

    name: str
    round: int = 0
    speaker: int | None = None
    ballot: int = 0
    nominee: int | None = None


@dataclass(frozen=True, slots=True)
class Death:
    """How a player left: the round, the type, and for a removal when."""

    round: int
    type: str
    time: Time | None = None


@dataclass(frozen=True, slots=True)
class Player:
    """One seat of the file. Lists are indexed by round, `shooting` by night − 1."""

    seat: int
    nickname: str
    role: Role
    death: Death | None
    fouls: tuple[Time, ...]
    don: int | None  # the night of the don's check of this seat
    sheriff: int | None
    best_move: tuple[int, ...] | None
    nominating: tuple[int | None, ...]
    voting: tuple[tuple[int | None, ...], ...]  # by round, then by ballot; empty: no vote
    raising: tuple[bool | None, ...]  # by round: for raising all, against, or not in the file
    shooting: tuple[int | None, ...]

    def nominee(self, round_: int) -> int | None:
        """Whom this seat nominated in that round."""
        return self.nominating[round_] if round_ < len(self.nominating) else None

    def votes(self, round_: int) -> tuple[int | None, ...]:
        """This seat's votes in that round, ballot by ballot."""
        return self.voting[round_] if round_ < len(self.voting) else ()

    def vote(self, round_: int, ballot: int) -> int | None:
        """This seat's vote in that ballot of that round."""
        votes = self.votes(round_)
        return votes[ballot] if ballot < len(votes) else None

    def raises(self, round_: int) -> bool | None:
        """Whether this seat was for raising all in that round."""
        return self.raising[round_] if round_ < len(self.raising) else None

    def shot(self, night: int) -> int | None:
        """Whom this seat shot in that night."""
        return self.shooting[night - 1] if 0 < night <= len(self.shooting) else None

    @property
    def removal(self) -> Time | None:
        """When this player was removed by the judge, as far as the file says."""
        if self.death is None or self.death.type in ("day", "night"):
            return None
        by_fouls = self.death.type == "warnings" and self.fouls and self.fouls[-1].name
        return self.death.time or (self.fouls[-1] if by_fouls else None)

    def died(self, type_: str, round_: int) -> bool:
        """Whether this seat left so in that round."""
        return self.death is not None and (self.death.type, self.death.round) == (type_, round_)


@dataclass(frozen=True)
class GameLog:
    """One game as the file tells it; times are unix seconds."""

    winner: Result
    players: tuple[Player, ...]
    started: int | None
    ended: int | None
    facts: dict[str, Any]  # what the record can't hold: ids, features, rules code, the agreed order
    fields: tuple[dict[str, Any], ...] = ()  # of each player, as the file has them

    @property
    def nicknames(self) -> tuple[str, ...]:
        """The nicknames in seat order; ten where the file is right."""
        return tuple(player.nickname for player in self.players)

    def player(self, seat: int) -> Player:
        """The player of that seat."""
        return self.players[seat - 1]

    @property
    def last_round(self) -> int:
        """The last round of which the file says anything."""
        last = 0
        for player in self.players:
            last = max(last, len(player.nominating) - 1, len(player.voting) - 1, len(player.shooting))
            last = max(last, player.don or 0, player.sheriff or 0, player.death.round if player.death else 0)
            last = max([last, *(time.round for time in player.fouls)])
        return last


def looks_like(file: Part) -> bool:
    """Whether this is such a game: an object with players and a winner at its top."""
    return isinstance(file.value, dict) and "players" in file.value and "games" not in file.value


def read(file: Part) -> GameLog:
    """The game of the file, whatever it says of itself. Raises `Unreadable` for another shape."""
    winner = file.at("winner").choice(WINNERS)
    seats = list(file.at("players").items(most=100))
    return GameLog(
        winner=WINNERS[winner],
        players=tuple(_player(part, seat) for seat, part in enumerate(seats, 1)),
        started=_moment(file, "startTime"),
        ended=_moment(file, "endTime"),
        facts=_facts(file.value),
        fields=tuple(plain(seat.value) for seat in seats),
    )


def _facts(value: dict[str, Any]) -> dict[str, Any]:
    facts = {key: item for key, item in value.items() if key not in ("players", "winner")}
    rest = {
        str(seat): {key: item for key, item in player.items() if key not in IN_THE_RECORD}
        for seat, player in enumerate(value["players"], 1)
    }
    facts["players"] = {seat: player for seat, player in rest.items() if player}
    found: dict[str, Any] = plain(facts)
    return found


def _moment(file: Part, name: str) -> int | None:
    return file.at(name).integer(0, 4_000_000_000) if file.has(name) else None


def _player(part: Part, seat: int) -> Player:
    role = part.at("role").choice(ROLES) if part.has("role") else "civ"
    nickname = part.at("name").text(most=NICKNAME_LENGTH)
    if not nickname:
        raise part.at("name").wrong()
    voting = [_votes(votes) for votes in _rounds(part, "voting")]
    best_move = part.at("legacy") if part.has("legacy") else None
    return Player(
        seat=seat,
        nickname=nickname,
        role=ROLES[role],
        death=_death(part.at("death")) if part.has("death") else None,
        fouls=_fouls(part.at("warnings")) if part.has("warnings") else (),
        don=part.at("don").integer(0, LAST_ROUND) if part.has("don") else None,
        sheriff=part.at("sheriff").integer(0, LAST_ROUND) if part.has("sheriff") else None,
        best_move=tuple(seat.seat() for seat in best_move.items(most=10)) if best_move else None,
        nominating=tuple(_seat_or_none(item) for item in _rounds(part, "nominating")),
        voting=tuple(votes for votes, _ in voting),
        raising=tuple(raising for _, raising in voting),
        shooting=tuple(_seat_or_none(item) for item in _rounds(part, "shooting")),
    )


def _rounds(part: Part, name: str) -> list[Part]:
    return list(part.at(name).items(most=LAST_ROUND)) if part.has(name) else []


def _seat_or_none(part: Part) -> int | None:
    return None if part.value is None else part.seat()


def _votes(part: Part) -> tuple[tuple[int | None, ...], bool | None]:
    """The votes of a round, ballot by ballot, and the vote on raising all: null | seat | [seat, seat, …, bool]."""
    if part.value is None:
        return (), None
    if not isinstance(part.value, list):
        return (part.seat(),), None
    votes = list(part.items(most=11))
    raising = votes.pop().value if votes and isinstance(votes[-1].value, bool) else None
    if not votes:
        raise part.wrong()
    return tuple(_seat_or_none(vote) for vote in votes), raising


def _fouls(part: Part) -> tuple[Time, ...]:
    """The fouls, oldest first; a bare number says how many, not when."""
    if isinstance(part.value, list):
        return tuple(_time(item) for item in part.items(most=20))
    return (Time(""),) * part.integer(0, 20)


def _death(part: Part) -> Death:
    kind = part.at("type").choice(DEATHS)
    time = _time(part.at("time")) if part.has("time") else None
    return Death(part.at("round").integer(0, LAST_ROUND), kind, time)


def _time(part: Part) -> Time:
    return Time(
        part.at("time").choice((*NIGHT_TIMES, *DAY_TIMES)),
        part.at("round").integer(0, LAST_ROUND),
        part.at("speaker").seat() if part.has("speaker") else None,
        part.at("votingRound").integer(0, 10) if part.has("votingRound") else 0,
        part.at("nominee").seat() if part.has("nominee") else None,
    )
