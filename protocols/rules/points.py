"""The points of one game, in exact decimals (RULES §6; A 8.2–8.4, B-T2, B-P8, B-P9)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from itertools import count

from .entries import ExtraPoints, SpeechMark
from .outcome import outcome
from .refusal import Refusal
from .regulation import Base
from .state import GameState
from .terms import SEATS, Result, Team

ZERO = Decimal(0)


def points_of_thousandths(value: int) -> Decimal:
    """Points as an exact decimal: 500 → 0.5."""
    return Decimal(value).scaleb(-3)


def thousandths(points: Decimal) -> int:
    """Points as integer thousandths, as stored: 0.5 → 500. Raises ValueError for a finer value."""
    scaled = points.scaleb(3)
    if scaled != scaled.to_integral_value():
        raise ValueError(f"{points} is finer than a thousandth")
    return int(scaled)


@dataclass(frozen=True, slots=True)
class SeatPoints:
    """The components of one seat's points in one game."""

    win: Decimal = ZERO  # for the win, the loss or the draw
    penalty: Decimal = ZERO
    speech: Decimal = ZERO
    extra: Decimal = ZERO  # the judge's extra points
    best_move: Decimal = ZERO
    speech_in_points: bool = True

    @property
    def points(self) -> Decimal:
        """The column Баллы: win or loss, penalties, and the mark for speeches where the regulation says so."""
        return self.win + self.penalty + (self.speech if self.speech_in_points else ZERO)

    @property
    def extra_points(self) -> Decimal:
        """The column Доп. баллы: the judge's extra points and the best move (B-P9)."""
        return self.extra + self.best_move + (ZERO if self.speech_in_points else self.speech)

    @property
    def total(self) -> Decimal:
        """Both columns."""
        return self.points + self.extra_points


def best_move_hits(state: GameState) -> int | None:
    """How many black seats the best move names, 0–3; None where there is none or roles are unknown."""
    move = state.best_move
    if move is None:
        return None
    if not move.seats:
        return move.hits
    if not state.roles_known:
        return None
    return sum(1 for seat in move.seats if state.team_of(seat) == Team.BLACK)


def first_victim(state: GameState) -> int | None:
    """The seat shot on night 1."""
    night = state.nights.get(1)
    return night.victim if night else None


def best_move_night(state: GameState) -> int | None:
    """The night whose victim names the best move; None before it, or where there is none.

    It is night 1 (A 8.3); where the regulation gives it after a miss, the first night on which somebody is shot.
    """
    for number in count(1):
        night = state.nights.get(number)
        if night is None or night.shot is None:
            return None
        if night.victim is not None:
            return number
        if not state.regulation.best_move_after_miss:
            return None
    return None


def best_move_victim(state: GameState) -> int | None:
    """The seat whose best move it is, named or not."""
    number = best_move_night(state)
    return state.nights[number].victim if number else None


def won(state: GameState, seat: int) -> bool | None:
    """Whether that seat's team won; None for a draw, no result, or unknown roles."""
    end, team = outcome(state), state.team_of(seat)
    if end is None or team is None or end.result not in (Result.RED, Result.BLACK):
        return None
    return end.result.value == team.value


def points_of(state: GameState) -> dict[int, SeatPoints] | None:
    """Every seat's points; None until the game is over and the roles are known, and for a game that counts for nobody.

    A removed player whose team wins keeps the win: 4 − 1 = 3 (A 8.2.2, 8.2.4).
    """
    end = outcome(state)
    if end is None or not end.result.counts or not state.roles_known:
        return None
    rules, hits, victim = state.regulation, best_move_hits(state), best_move_victim(state)
    table = {}
    for seat in SEATS:
        player = state.seats[seat]
        assert player.role is not None
        if rules.base == Base.MARKS:
            win = ZERO
        elif end.result == Result.DRAW:
            win = rules.draw
        else:
            win = rules.win_of(player.role) if won(state, seat) else rules.loss_of(player.role)
        penalty = rules.removal_of(disqualified=player.disqualified is not None) if player.removed else ZERO
        if player.team_defeat:
            penalty += rules.team_defeat_offender
        penalty += rules.warning * len(player.warnings)
        extra = state.extra_points.get(seat)
        table[seat] = SeatPoints(
            win=win,
            penalty=penalty,
            speech=points_of_thousandths(state.speech_marks.get(seat, 0)),
            extra=points_of_thousandths(extra.points) if extra else ZERO,
            best_move=rules.best_move(player.role, hits) if seat == victim and hits is not None else ZERO,
            speech_in_points=rules.speech_in_points,
        )
    return table


def extra_left(state: GameState) -> tuple[Decimal | None, int | None]:
    """What is left of the caps on extra points: the sum and the number of players, None where there is no cap."""
    given = [points_of_thousandths(e.points) for e in state.extra_points.values() if e.points]
    rules = state.regulation
    left = None if rules.extra_sum is None else rules.extra_sum - sum(given, ZERO)
    players = None if rules.extra_players is None else rules.extra_players - len(given)
    return left, players


def refuse_extra(state: GameState, entry: ExtraPoints) -> Refusal | None:
    """Why these extra points may not be given: amount, number of players or sum (A 8.4.1–8.4.3)."""
    rules, points = state.regulation, points_of_thousandths(entry.points)
    if entry.seat not in SEATS:
        return Refusal("no_such_seat", rules.cite("table"), {"seat": entry.seat})
    if points == 0:
        return None
    figures = {"seat": entry.seat, "points": points, "allowed": rules.extra_amounts}
    if rules.extra_amounts:
        if points not in rules.extra_amounts:
            return Refusal("extra_amount", rules.cite("extra_amount"), figures)
    elif not rules.extra_least <= points <= rules.extra_most or points % rules.extra_step:
        range_ = {"least": rules.extra_least, "most": rules.extra_most, "step": rules.extra_step}
        return Refusal("extra_range", rules.cite("extra_amount"), {**figures, **range_})
    if rules.extra_comment and not entry.text.strip():
        return Refusal("extra_comment", rules.cite("extra"), figures)
    others = {seat: e for seat, e in state.extra_points.items() if seat != entry.seat and e.points}
    if rules.extra_players is not None and len(others) + 1 > rules.extra_players:
        params = {"seat": entry.seat, "most": rules.extra_players, "seats": tuple(sorted(others))}
        return Refusal("extra_players", rules.cite("extra_players"), params)
    if rules.extra_sum is not None:
        total = points + sum((points_of_thousandths(e.points) for e in others.values()), ZERO)
        if total > rules.extra_sum:
            params = {"seat": entry.seat, "sum": total, "most": rules.extra_sum}
            return Refusal("extra_sum", rules.cite("extra_sum"), params)
    return None


def refuse_mark(state: GameState, entry: SpeechMark) -> Refusal | None:
    """Why this mark for speeches may not be given (B-T2)."""
    rules, points = state.regulation, points_of_thousandths(entry.points)
    if entry.seat not in SEATS:
        return Refusal("no_such_seat", rules.cite("table"), {"seat": entry.seat})
    if rules.speech_step is None:
        return Refusal("no_speech_marks", rules.cite("speech_mark"), {"seat": entry.seat})
    if not 0 <= points <= rules.speech_most or points % rules.speech_step:
        params = {"seat": entry.seat, "points": points, "most": rules.speech_most, "step": rules.speech_step}
        return Refusal("speech_range", rules.cite("speech_mark"), params)
    return None
