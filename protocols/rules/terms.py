"""The words of the game as values: teams, roles, phases, and the moment at which something happened."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import NamedTuple

SEATS = range(1, 11)
RESTART = 10  # a vote that a ruling begins anew numbers its ballots from the next ten: 10, 11 …


class Team(StrEnum):
    """The two teams; the sheriff plays red, the don plays black."""

    RED = "red"
    BLACK = "black"


class Role(StrEnum):
    """The four roles of A 9.4.1; a table holds 6 red, 2 black, one sheriff and one don."""

    RED = "red"
    BLACK = "black"
    SHERIFF = "sheriff"
    DON = "don"

    @property
    def letter(self) -> str:
        """The letter of the official protocol: К, Ч, Ш or Д (A 9.4.1, B-P4)."""
        return ROLE_LETTERS[self]

    @property
    def team(self) -> Team:
        """The team this role plays for."""
        return Team.BLACK if self in (Role.BLACK, Role.DON) else Team.RED


ROLE_LETTERS = {Role.RED: "К", Role.BLACK: "Ч", Role.SHERIFF: "Ш", Role.DON: "Д"}
ROLE_OF_LETTER = {letter: role for role, letter in ROLE_LETTERS.items()}
ROLE_COUNTS = {Role.RED: 6, Role.BLACK: 2, Role.SHERIFF: 1, Role.DON: 1}


class Penalty(StrEnum):
    """What a judge may give for a violation (A 6.3)."""

    WARNING = "warning"
    FOUL = "foul"
    DISQUALIFYING = "disqualifying"
    TEAM_DEFEAT = "team_defeat"


class Result(StrEnum):
    """How a game ended; the last two count for nobody."""

    RED = "red"
    BLACK = "black"
    DRAW = "draw"
    ANNULLED = "annulled"
    REPLAY = "replay"

    @property
    def counts(self) -> bool:
        """Whether the game stands in the standings."""
        return self in (Result.RED, Result.BLACK, Result.DRAW)


class RulingAbout(StrEnum):
    """What a judge's ruling settles."""

    VOTE_HELD = "vote_held"
    VOTE_CANCELLED = "vote_cancelled"
    RESULT = "result"
    STANDS = "stands"


class HowLeft(StrEnum):
    """How a player left the table."""

    VOTED = "voted"
    RAISED = "raised"
    SHOT = "shot"
    FOULS = "fouls"
    DISQUALIFIED = "disqualified"


class Phase(IntEnum):
    """The parts of one игровые сутки in playing order; day n is followed by night n."""

    SETUP = 0
    VICTIM_WORDS = 10  # last words of the player shot in night n-1; they belong to day n
    SPEECHES = 20
    PRE_REVOTE = 30
    BALLOT = 31
    RAISE_ALL = 40
    LAST_WORDS = 50
    NIGHT = 60  # the shot
    DON = 70
    SHERIFF = 80
    BEST_MOVE = 90
    AFTER = 99

    @property
    def is_night(self) -> bool:
        """Whether the phase belongs to the night part of its сутки."""
        return Phase.NIGHT <= self <= Phase.BEST_MOVE


class Moment(NamedTuple):
    """Where in the game something happened.

    `day` 0 is the night in which the blacks meet; `ballot` 0 is the first ballot, 1 and up are revotes (a
    pre-revote speech carries the ballot it comes before), 10 and up those of a vote that a ruling began anew (the
    raise-all question carries 0, or then 10); `step` counts speeches, candidates and last words from 1, with 0 for
    the opening of the phase. Compare moments by `key`, never as tuples.
    """

    day: int = 0
    phase: Phase = Phase.SETUP
    ballot: int = 0
    step: int = 0

    @property
    def key(self) -> tuple[int, int, int, int, int]:
        """The playing order: a pre-revote speech stands between the ballots it separates, the raise-all question
        after them, and before a vote begun anew."""
        group, ballot = self.phase, self.ballot
        if group == Phase.BALLOT:
            group = Phase.PRE_REVOTE
        elif group == Phase.RAISE_ALL:
            group, ballot = Phase.PRE_REVOTE, ballot - ballot % RESTART + RESTART - 1
        return (self.day, group, ballot, self.phase, self.step)

    @property
    def revote(self) -> int:
        """Which ballot of its vote: 0 the first, 1 and up the revotes."""
        return self.ballot % RESTART

    @property
    def is_night(self) -> bool:
        """Whether the moment lies between «наступает ночь» and the next morning."""
        return self.day == 0 or self.phase.is_night


SETUP = Moment()
AFTER = Moment(99, Phase.AFTER)
