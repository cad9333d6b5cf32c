"""The panel under the rows: what is asked now, the pad that answers it, and the one next action."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from ..forms.fields import moment_text
from ..rules import entries as e
from ..rules import fold
from ..rules.agenda import Step, next_steps
from ..rules.outcome import outcome
from ..rules.situations import current_speaker
from ..rules.state import Ballot, GameState
from ..rules.terms import Phase, Role
from ..rules.voting import current_ballot
from ..selectors import Record
from ..services.protests import deadline_of
from ..wording import ballot_words, outcome_words, seat_words, seats_words
from . import pads
from .drawing import Addresses
from .night import Shown, answer_of, say
from .posts import Ask, Main, Other, Pad, Post
from .timing import Timer, milliseconds, timer_of


@dataclass(frozen=True, slots=True)
class Cell:
    """One candidate in the row of tallies."""

    seat: int
    votes: str
    now: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """What stands under the rows. `prompt` is large; `hint` has its place kept; `says` is read aloud at night."""

    prompt: str = ""
    hint: str = ""
    says: tuple[str, ...] = ()
    cells: tuple[Cell, ...] = ()
    pad: Pad | None = None
    main: Main | None = None
    others: tuple[Other, ...] = ()
    timer: Timer | None = None
    shown: Shown | None = None  # the answer to a check, while a finger is down
    voters_link: str = ""
    shooters_link: str = ""
    until: int = 0  # ms since 1970: until then protests are taken, once the game is over


def panel_of(record: Record, names: dict[int, str], ask: Ask, links: Addresses, *, roles: bool) -> Panel:
    """The panel for the step expected next, or for the one that was asked for."""
    state = record.state
    steps = _ordered(next_steps(state), ask)
    step = steps[0]
    panel = _BUILDERS[step.code](state, names, step, ask, links)
    panel = _with_context(state, names, step, panel)
    if step.code == "finish":
        panel = _with_time_for_protests(record, panel)
    others = tuple(_other(state, names, other, links) for other in steps[1:])
    if not names:
        main = Main(_("Write in the players"), href=links.prepare)
        panel = replace(panel, prompt=_("No players are written in yet"), hint="", pad=None, main=main)
        others = ()
    return replace(
        panel, others=others, timer=timer_of(record, step), shown=answer_of(state, step) if roles else None
    )  # fmt: skip


def _with_time_for_protests(record: Record, panel: Panel) -> Panel:
    """Until when a protest is taken (A 8.7.1); a screen with a script counts down."""
    until = deadline_of(record.game)
    if until is None:
        return panel
    hint = _("Protests are taken until %(time)s") % {"time": f"{localtime(until):%H:%M}"}
    return replace(panel, hint=hint, until=milliseconds(until))


def _ordered(steps: list[Step], ask: Ask) -> list[Step]:
    wanted = [step for step in steps if step.code == ask.step]
    return [*wanted[:1], *(step for step in steps if step not in wanted[:1])]


def _other(state: GameState, names: dict[int, str], step: Step, links: Addresses) -> Other:
    label = step_words(state, names, step)
    if step.is_turn:
        return Other(label, post=_turn(step))
    if step.code == "finish":
        return Other(label, href=links.finish)
    return Other(label, href=f"{links.board}?step={step.code}")


def _turn(step: Step) -> Post:
    return Post("turn", step.moment, {"seat": step.seat} if step.seat else {})


def step_words(state: GameState, names: dict[int, str], step: Step) -> str:
    """The step on its button."""
    seat = seat_words(step.seat, names) if step.seat else ""
    match step.code:
        case "begin":
            return _("Begin: the blacks meet")
        case "speech" if step.silent:
            return _("%(seat)s, no word") % {"seat": seat}
        case "speech" | "pre_revote":
            return _("Word to %(seat)s") % {"seat": seat}
        case "vote":
            return _("To the vote")
        case "tally":
            return ballot_words(step.moment.ballot).capitalize()
        case "raise_all":
            return _("Raise-all question")
        case "last_words" | "victim_words":
            return _("Last words of %(seat)s") % {"seat": seat}
        case "night":
            return _("Night %(day)s falls") % {"day": step.moment.day}
        case "shot":
            return _("The shot")
        case "don":
            return _("Don’s check")
        case "sheriff":
            return _("Sheriff’s check")
        case "best_move":
            return _("Best move")
    return _("Finish the protocol")


# ---------------------------------------------------------------- what is going on


def _with_context(state: GameState, names: dict[int, str], step: Step, panel: Panel) -> Panel:
    """Over a step that only moves on stands what is going on now, with the pad that belongs to it."""
    if not step.is_turn or panel.prompt:
        return panel
    moment, day = state.moment, state.day
    speaker = current_speaker(state)
    if day and speaker and state.seats[speaker].left is None:
        silent = speaker in day.silent
        mine = next((target for giver, target in day.nominations if giver == speaker), None)
        prompt = _("%(seat)s: no word") if silent else _("%(seat)s speaks")
        hint = _("has nominated No. %(target)s") % {"target": mine} if mine else _("whom does the player nominate?")
        return replace(
            panel, prompt=prompt % {"seat": seat_words(speaker, names)}, hint=hint,
            pad=_passing(pads.nominees(state, names, speaker), step),
        )  # fmt: skip
    if moment.phase == Phase.LAST_WORDS and day and day.last_words:
        return replace(panel, prompt=_("Last words: %(seat)s") % {"seat": seat_words(day.last_words[-1], names)})
    if moment.phase == Phase.VICTIM_WORDS:
        victim = state.nights[moment.day - 1].victim
        return replace(panel, prompt=_("Last words: %(seat)s") % {"seat": seat_words(victim, names)})
    if day and speaker and step.code == "speech":
        return replace(panel, prompt=_("%(seat)s has left the table") % {"seat": seat_words(speaker, names)})
    return replace(panel, prompt=_resting(state, names))


def _passing(pad: Pad, step: Step) -> Pad:
    """The pad, with what a number that is held writes after the nomination: the word passes on."""
    if step.code not in ("speech", "vote"):
        return pad
    turn = _turn(step)
    then = {"moment": moment_text(step.moment), **turn.fields}
    fields = {**pad.post.fields, **{f"then-{name}": value for name, value in then.items()}}
    return replace(pad, post=replace(pad.post, fields=fields))


def _resting(state: GameState, names: dict[int, str]) -> str:
    """What stands over a board on which nobody speaks."""
    day = state.day
    if day and day.decision and not state.moment.is_night:
        if not day.decision.leavers:
            return _("Nobody leaves")
        return _("Leaving: %(seats)s") % {"seats": seats_words(day.decision.leavers, names)}
    return _("Everyone has spoken") if day and day.speeches and not state.moment.is_night else ""


def _move(state: GameState, names: dict[int, str], step: Step, ask: Ask, links: Addresses) -> Panel:
    note = ""
    if step.code == "vote":
        note = _("in the order: %(seats)s") % {"seats": ", ".join(str(seat) for seat in step.seats)}
    elif step.seconds and step.seat:
        note = _("%(seconds)s seconds") % {"seconds": step.seconds}
    main = Main(step_words(state, names, step), note, post=_turn(step))
    return Panel(main=main, says=say(state, names, step))


def _begin(state: GameState, names: dict[int, str], step: Step, ask: Ask, links: Addresses) -> Panel:
    hint = _("Roles are written") if state.roles_known else _("Roles may be written now or later: menu, Roles")
    main = Main(_("Begin the game"), _("night 0: the blacks meet"), post=_turn(step))
    return Panel(prompt=_("Everyone at the table?"), hint=hint, main=main)


# ---------------------------------------------------------------- the vote


def _cells(ballot: Ballot, now: int | None) -> tuple[Cell, ...]:
    return tuple(
        Cell(seat, str(ballot.tallies[seat].count) if seat in ballot.tallies else "", seat == now)
        for seat in ballot.candidates
    )


def _pre_revote(state: GameState, names: dict[int, str], step: Step, ask: Ask, links: Addresses) -> Panel:
    day = state.day
    current = current_ballot(state, day) if day else None
    speaking = day.pre_revote.get((state.moment.ballot, state.moment.step)) if day else None
    prompt = _("A tie: %(seats)s") % {"seats": seats_words(current[1].candidates if current else (), names)}
    hint = _("they speak in turn, then the revote")
    if state.moment.phase == Phase.PRE_REVOTE and speaking:
        prompt = _("%(seat)s speaks") % {"seat": seat_words(speaking, names)}
        hint = _("before the revote")
    main = Main(step_words(state, names, step), _("%(seconds)s seconds") % {"seconds": step.seconds}, post=_turn(step))
    return Panel(prompt=prompt, hint=hint, main=main)


def _tally(state: GameState, names: dict[int, str], step: Step, ask: Ask, links: Addresses) -> Panel:
    day = state.day
    current = current_ballot(state, day) if day else None
    assert current is not None
    number, ballot = current
    seat = seat_words(step.seat, names)
    speaking = day.pre_revote.get((state.moment.ballot, state.moment.step)) if day else None
    prompt = _("For %(seat)s") % {"seat": seat}
    if state.moment.phase == Phase.PRE_REVOTE and speaking and not ballot.tallies:
        prompt = _("%(seat)s speaks") % {"seat": seat_words(speaking, names)}
        hint = _("then the revote, hands for No. %(seat)s") % {"seat": step.seat}
    else:
        hint = _("%(ballot)s · %(left)s of %(living)s hands left") % {
            "ballot": ballot_words(number), "left": step.count, "living": ballot.living,
        }  # fmt: skip
    panel = Panel(prompt=prompt, hint=hint, cells=_cells(ballot, step.seat))
    if ask.voters:
        pad = pads.voters(state, names, step, ballot)
        label = _("Write: all the rest, %(count)s") if step.is_last else _("Write the hands")
        main = Main(label % {"count": step.count}, _("for No. %(seat)s") % {"seat": step.seat}, sends_pad=True)
        return replace(panel, pad=pad, main=main, voters_link=f"{links.board}?")
    panel = replace(panel, pad=pads.tally(step), voters_link=f"{links.board}?voters=1")
    if step.is_last:
        return _rest(state, names, step, panel)
    return replace(panel, main=Main(_("How many hands?"), _("for No. %(seat)s") % {"seat": step.seat}))


def _rest(state: GameState, names: dict[int, str], step: Step, panel: Panel) -> Panel:
    """The last candidate has the hands that are left: one tap writes them and moves on to what follows from them.

    The number on the pad writes them alone.
    """
    assert step.seat is not None
    rest = e.Vote(moment=step.moment, revision=state.revision + 1, target=step.seat, count=step.count)
    after = fold.step(state, rest)
    following = next_steps(after)[0]
    note = _("the rest, %(count)s, for No. %(seat)s") % {"count": step.count, "seat": step.seat}
    if not following.is_turn:
        post = Post("vote", step.moment, {"target": step.seat})
        label = _("Write: %(count)s") % {"count": step.count}
        note = _("the rest for No. %(seat)s") % {"seat": step.seat}
        return replace(panel, main=Main(label, note, post=post, name="count", value=step.count))
    day, turn = after.day, _turn(following)
    hint = panel.hint
    if day and not day.decision:
        current = current_ballot(after, day)
        hint = _("A tie: %(seats)s") % {"seats": seats_words(current[1].candidates if current else (), names)}
    elif day:
        hint = _resting(after, names)
    first = {"kind": "vote", "moment": moment_text(step.moment), "target": step.seat, "count": step.count}
    fields = {**turn.fields, **{f"first-{name}": value for name, value in first.items()}}
    main = Main(step_words(after, names, following), note, post=replace(turn, fields=fields))
    return replace(panel, hint=hint, main=main)


def _raise_all(state: GameState, names: dict[int, str], step: Step, ask: Ask, links: Addresses) -> Panel:
    living = len(state.living)
    hint = _("for: %(needed)s of %(living)s — all leave") % {"needed": step.count, "living": living}
    main = Main(_("How many hands?"), _("for all leaving"))
    prompt = _("All leave? %(seats)s") % {"seats": seats_words(step.seats, names)}
    return Panel(prompt=prompt, hint=hint, pad=pads.raise_all(step, living), main=main)


# ---------------------------------------------------------------- the night


def _shot(state: GameState, names: dict[int, str], step: Step, ask: Ask, links: Addresses) -> Panel:
    main = Main(_("Whom do they shoot?"), _("or a miss"))
    link = f"{links.board}?open=shooters" if state.roles_known else ""
    return Panel(says=say(state, names, step), pad=pads.shot(state, names, step), main=main, shooters_link=link)


def _check(state: GameState, names: dict[int, str], step: Step, ask: Ask, links: Addresses) -> Panel:
    role = Role.DON if step.code == "don" else Role.SHERIFF
    label = _("Whom does the don check?") if role == Role.DON else _("Whom does the sheriff check?")
    return Panel(says=say(state, names, step), pad=pads.check(state, names, step, role), main=Main(label))


def _best_move(state: GameState, names: dict[int, str], step: Step, ask: Ask, links: Addresses) -> Panel:
    pad, main = pads.best_move(state, names, step), Main(_("Write"), _("the best move, three seats"), sends_pad=True)
    says = say(state, names, step)
    if says:
        return Panel(says=says, pad=pad, main=main)
    prompt = _("Best move of %(seat)s") % {"seat": seat_words(step.seat, names)}
    return Panel(prompt=prompt, hint=_("three whom the player thinks black"), pad=pad, main=main)


def _finish(state: GameState, names: dict[int, str], step: Step, ask: Ask, links: Addresses) -> Panel:
    end = outcome(state)
    assert end is not None
    return Panel(
        prompt=outcome_words(end), main=Main(_("Finish the protocol"), _("points, signature"), href=links.finish)
    )


Builder = Callable[[GameState, dict[int, str], Step, Ask, Addresses], Panel]
_BUILDERS: dict[str, Builder] = {
    "begin": _begin,
    "speech": _move,
    "vote": _move,
    "pre_revote": _pre_revote,
    "tally": _tally,
    "raise_all": _raise_all,
    "last_words": _move,
    "night": _move,
    "shot": _shot,
    "don": _check,
    "sheriff": _check,
    "best_move": _best_move,
    "victim_words": _move,
    "finish": _finish,
}
