"""What comes next at the table, so that the next thing to do can be the most visible control (RULES §2–§5)."""

from __future__ import annotations

from dataclasses import dataclass

from . import entries as e
from .outcome import is_over
from .points import best_move_night, best_move_victim
from .refusals import refuse
from .situations import holder_was_alive, is_silenced, speaking_order, speaks_thirty_seconds
from .state import Day, GameState
from .terms import RESTART, SEATS, Moment, Phase, Role
from .voting import current_ballot, needed_to_raise, remaining, vote_is_due


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that may come next.

    `code`: begin, speech, vote, tally, pre_revote, raise_all, last_words, night, shot, don, sheriff, best_move,
    victim_words, finish. `moment` is where its entry stands; `seat` whom it concerns; `seconds` its length.
    For a tally `count` is what is left to give, `is_last` whether it is filled in; for raise_all `count` is how
    many hands are needed. `silent`: the minute is lost to a third foul.
    """

    code: str
    moment: Moment
    seat: int | None = None
    seats: tuple[int, ...] = ()
    seconds: int = 0
    count: int = 0
    is_last: bool = False
    silent: bool = False

    @property
    def is_turn(self) -> bool:
        """Whether the step is written as a plain Turn."""
        return self.code in (
            "begin", "speech", "vote", "pre_revote", "last_words", "night", "victim_words",
        )  # fmt: skip


def next_steps(state: GameState) -> list[Step]:
    """The steps that may come next, the one expected first; the others skip what need not be written."""
    if is_over(state):
        finish = [Step("finish", state.moment)]
        move = _best_move(state)
        return [*move, *finish] if _is_fresh(state) else [*finish, *move]
    moment = state.moment
    if state.results_only:
        return [Step("finish", moment)]
    if moment.phase == Phase.SETUP:
        begin = Step("begin", Moment(0, Phase.NIGHT), seconds=state.regulation.night_seconds)
        return [begin, *_morning(state)]
    if moment.day == 0:
        return _morning(state) or [Step("finish", moment)]
    if moment.is_night:
        return _night(state)
    return _by_day(state, state.days[moment.day])


def next_step(state: GameState) -> Step:
    """The one step expected next."""
    return next_steps(state)[0]


def _speech(state: GameState, day: Day) -> Step | None:
    order = speaking_order(state, day)
    if not order:
        return None
    seat, ordinal = order[0], len(day.speeches) + 1
    seconds = state.regulation.speech_seconds
    silent = is_silenced(state, seat)
    if silent:
        seconds = 0
    elif state.seats[seat].silence_due and speaks_thirty_seconds(state):
        seconds = state.regulation.short_speech_seconds
    return Step("speech", Moment(day.number, Phase.SPEECHES, 0, ordinal), seat, seconds=seconds, silent=silent)


def _by_day(state: GameState, day: Day) -> list[Step]:
    steps: list[Step] = []
    night = Step("night", Moment(day.number, Phase.NIGHT))
    if state.moment.phase in (Phase.VICTIM_WORDS, Phase.SPEECHES):
        if _is_fresh(state):
            steps += _best_move(state)
        if state.moment.phase == Phase.VICTIM_WORDS:
            steps += _victim_words(state, day.number)
        speech = _speech(state, day)
        if speech:
            steps.append(speech)
    if not vote_is_due(state, day):
        leavers = day.decision.leavers if day.decision else ()
        silent = [seat for seat in leavers if state.seats[seat].removed]
        speaker = _next_to_speak(state, Moment(day.number, Phase.LAST_WORDS), leavers, [*day.last_words, *silent])
        if speaker:
            rules = state.regulation
            seconds = rules.last_words_seconds if len(leavers) == 1 else rules.raised_seconds
            steps.append(Step("last_words", *speaker, seconds=seconds))
        return [*steps, night]
    return [*steps, *_vote(state, day)]


def _vote(state: GameState, day: Day) -> list[Step]:
    if day.raise_due:
        moment = Moment(day.number, Phase.RAISE_ALL, RESTART * day.restarts)
        return [Step("raise_all", moment, seats=day.tied, count=needed_to_raise(len(state.living)))]
    current = current_ballot(state, day)
    assert current is not None
    number, ballot = current
    steps = []
    opening = Moment(day.number, Phase.BALLOT, number)
    if state.moment.key < opening.key and not opening.revote:
        return [Step("vote", opening, seats=ballot.candidates)]
    if state.moment.key < opening.key:
        spoken = [seat for (before, _), seat in day.pre_revote.items() if before == number]
        speaker = _next_to_speak(state, Moment(day.number, Phase.PRE_REVOTE, number), ballot.candidates, spoken)
        if speaker:
            steps.append(Step("pre_revote", *speaker, seconds=state.regulation.tied_seconds))
    seat = next(seat for seat in ballot.candidates if seat not in ballot.tallies)
    ordinal = ballot.candidates.index(seat) + 1
    moment = Moment(day.number, Phase.BALLOT, number, ordinal)
    last = ordinal == len(ballot.candidates)
    steps.append(Step("tally", moment, seat, seats=ballot.candidates, count=remaining(ballot), is_last=last))
    return steps


def _next_to_speak(
    state: GameState, opening: Moment, seats: tuple[int, ...], spoken: list[int]
) -> tuple[Moment, int] | None:
    """Who of those that speak in ballot order is next, with the moment; None when all have had their words."""
    for ordinal, seat in enumerate(seats, 1):
        moment = opening._replace(step=ordinal)
        if seat not in spoken and moment.key >= state.moment.key:
            return moment, seat
    return None


def _night(state: GameState) -> list[Step]:
    number = state.moment.day
    night = state.nights[number]
    if night.shot is None:
        return [Step("shot", Moment(number, Phase.NIGHT), seats=tuple(SEATS))]
    steps = []
    seconds = state.regulation.check_seconds
    phase = state.moment.phase
    if night.don_check is None and phase <= Phase.DON and holder_was_alive(state, Role.DON, number):
        steps.append(Step("don", Moment(number, Phase.DON), state.seat_of(Role.DON), seconds=seconds))
    if night.sheriff_check is None and phase <= Phase.SHERIFF and holder_was_alive(state, Role.SHERIFF, number):
        steps.append(Step("sheriff", Moment(number, Phase.SHERIFF), state.seat_of(Role.SHERIFF), seconds=seconds))
    steps += _best_move(state) if number == best_move_night(state) else []
    return [*steps, *_morning(state)] or [Step("finish", state.moment)]  # nobody is left, the roles are unknown


def _best_move(state: GameState) -> list[Step]:
    number, victim = best_move_night(state), best_move_victim(state)
    if number is None or victim is None or state.best_move is not None or state.results_only:
        return []
    moment = max(Moment(number, Phase.BEST_MOVE), state.moment, key=lambda moment: moment.key)
    if refuse(state, e.BestMove(moment=moment, seats=_three_others(victim))) is not None:
        return []
    return [Step("best_move", moment, victim)]


def _is_fresh(state: GameState) -> bool:
    """Whether the player whose best move it is has just been shot: now is its time."""
    return state.moment.key < Moment((best_move_night(state) or 1) + 1, Phase.SPEECHES).key


def _three_others(seat: int) -> tuple[int, ...]:
    return tuple(n for n in SEATS if n != seat)[:3]


def _morning(state: GameState) -> list[Step]:
    number = state.moment.day + 1
    steps = _victim_words(state, number)
    speech = _speech(state, Day(number))
    if speech:
        steps.append(speech)
    return steps


def _victim_words(state: GameState, number: int) -> list[Step]:
    night = state.nights.get(number - 1)
    if night is None or night.victim is None or night.victim_words or state.seats[night.victim].removed:
        return []
    moment = Moment(number, Phase.VICTIM_WORDS, 0, 1)
    return [Step("victim_words", moment, night.victim, seconds=state.regulation.last_words_seconds)]
