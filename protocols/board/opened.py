"""What the menu and the log open over the board: rare things, each a form of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from django.urls import reverse
from django.utils.translation import gettext as _

from ..rules import entries as e
from ..rules.fold import struck_revisions
from ..rules.outcome import open_contradictions
from ..rules.refusals import refuse
from ..rules.state import GameState
from ..rules.terms import AFTER, ROLE_COUNTS, SEATS, SETUP, Penalty, Phase, Result, Role, RulingAbout, Team
from ..selectors import Record
from ..wording import (
    contradiction_words,
    entry_words,
    moment_words,
    penalty_words,
    result_words,
    seat_words,
    team_words,
)
from ..wording.entries import RULING_WORDS
from .log import is_play, line_words
from .posts import Ask, Other, Post
from .rows import Reason, reasons_of


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose."""

    value: object
    label: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an opened form: what it is decides how it is drawn."""

    name: str
    label: str
    look: str  # seats, pick, number, text, time
    choices: tuple[Choice, ...] = ()
    value: object = ""
    required: bool = False
    hint: str = ""


@dataclass(frozen=True, slots=True)
class RoleRow:
    """The four letters of one seat."""

    seat: int
    label: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """A form over the board."""

    kind: str
    title: str
    button: str
    post: Post
    lines: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    roles: tuple[RoleRow, ...] = ()
    counts: tuple[tuple[str, int], ...] = field(default=())
    links: tuple[Other, ...] = ()
    danger: bool = False


def opened_of(record: Record, names: dict[int, str], ask: Ask, *, roles: bool) -> Opened | None:
    """The form that is asked for; None where there is none or it makes no sense now."""
    if ask.open in ("entry", "correct", "late"):
        return _of_an_entry(record, names, ask)
    builder = _BUILDERS.get(ask.open)
    return builder(record.state, names, roles) if builder else None


def _seats(names: dict[int, str], chosen: object = None, among: list[int] | None = None) -> tuple[Choice, ...]:
    return tuple(
        Choice(seat, seat_words(seat, names), seat == chosen) for seat in SEATS if among is None or seat in among
    )


def _results(*results: Result) -> tuple[Choice, ...]:
    return tuple(Choice(result.value, result_words(result).capitalize()) for result in results)


def _ends(state: GameState) -> tuple[Result, ...]:
    return (Result.RED, Result.BLACK, Result.DRAW) if state.regulation.has_draw else (Result.RED, Result.BLACK)


def _roles(state: GameState, names: dict[int, str], roles: bool) -> Opened:
    known = {seat: player.role for seat, player in state.seats.items()} if roles else {}
    rows = tuple(
        RoleRow(
            seat,
            seat_words(seat, names),
            tuple(Choice(role.letter, role.letter, known.get(seat) == role) for role in ROLE_COUNTS),
        )
        for seat in SEATS
    )
    counts = tuple((role.letter, count) for role, count in ROLE_COUNTS.items())
    title = _("Correct the roles") if state.roles_known else _("Write the roles")
    return Opened("roles", title, _("Write the roles"), Post("roles", SETUP), roles=rows, counts=counts)


def _chairs(state: GameState, names: dict[int, str], roles: bool) -> Opened:
    line = _("The two names change places; what was written by seat number stays with the number.")
    fields = (
        Field("seat", _("Who"), "seats", _seats(names), required=True),
        Field("target", _("With whom"), "seats", _seats(names), required=True),
    )
    post = Post("seat_correction", SETUP)
    return Opened("chairs", _("Two sat in each other’s chairs"), _("Change the names"), post, (line,), fields)


def _over(state: GameState, names: dict[int, str], roles: bool) -> Opened | None:
    if state.roles_known or state.declared is not None:
        return None
    fields = (
        Field("result", _("Result"), "pick", _results(*_ends(state)), required=True),
        Field("clause", _("Clause"), "text", hint=_("where a clause decided it, like 7.3")),
        Field("time", _("Time of the end"), "time", hint=_("if it was not now")),
    )
    line = _("Roles are not written, so only you can say that the game is over. When they come, the two are compared.")
    post = Post("game_over", state.moment, {"ask": 1})
    return Opened("over", _("The game is over"), _("Declare the end"), post, (line,), fields)


def _broken(state: GameState, names: dict[int, str], roles: bool) -> Opened | None:
    if state.declared is not None:
        return None
    fields = (
        Field("result", _("What becomes of it"), "pick", _results(Result.REPLAY, Result.ANNULLED), required=True),
        Field("text", _("Reason"), "text", required=True, hint=_("a misdeal, a power cut…")),
    )
    post = Post("game_over", state.moment, {"ask": 1})
    line = _("The game counts for nobody. Nothing written is lost.")
    return Opened("broken", _("The game is broken off"), _("Break it off"), post, (line,), fields, danger=True)


def _ruling(state: GameState, names: dict[int, str], roles: bool) -> Opened:
    tried = {
        about: e.Ruling(moment=state.moment, about=about, text=".", result=Result.RED)
        for about in (RulingAbout.STANDS, RulingAbout.VOTE_HELD, RulingAbout.VOTE_CANCELLED, RulingAbout.RESULT)
    }
    about = tuple(
        Choice(name.value, str(RULING_WORDS[name]).capitalize())
        for name, ruling in tried.items()
        if refuse(state, ruling) is None
    )
    fields = (
        Field("about", _("What is ruled"), "pick", about, required=True),
        Field("result", _("Result, where it is set"), "pick", _results(*_ends(state))),
        Field("text", _("Reason"), "text", required=True, hint=_("it is printed in the protocol")),
    )
    lines = tuple(contradiction_words(found, names) for found in open_contradictions(state))
    return Opened("ruling", _("Judge’s ruling"), _("Rule so"), Post("ruling", state.moment), lines, fields)


def _hall(state: GameState, names: dict[int, str], roles: bool) -> Opened:
    teams = tuple(Choice(team.value, team_words(team).capitalize()) for team in Team)
    fields = (Field("team", _("Which team loses"), "pick", teams, required=True),)
    post = Post("foul", state.moment, {"penalty": Penalty.TEAM_DEFEAT.value, "clause": "6.8.4", "ask": 1})
    line = _("Nobody at the table is named. The game ends at once.")
    return Opened("hall", _("A hint from the hall (6.8.4)"), _("This team loses"), post, (line,), fields, danger=True)


def _shooters(state: GameState, names: dict[int, str], roles: bool) -> Opened | None:
    night = state.nights.get(state.moment.day)
    if not roles or not state.roles_known or night is None or night.shot is not None:
        return None
    # By order and not by number: the screen must not tell who they are.
    fields = tuple(
        Field(f"by_{seat}", _("Shooter %(n)s") % {"n": n}, "seats", _seats(names))
        for n, seat in enumerate(state.living_of(Team.BLACK), start=1)
    )
    line = _("In the order of their seats. If all name one seat, it is shot; otherwise it is a miss.")
    post = Post("shot", state.moment._replace(phase=Phase.NIGHT))
    return Opened("shooters", _("Who shot at whom"), _("Write the shots"), post, (line,), fields)


_BUILDERS: dict[str, Callable[[GameState, dict[int, str], bool], Opened | None]] = {
    "roles": _roles,
    "chairs": _chairs,
    "over": _over,
    "broken": _broken,
    "ruling": _ruling,
    "hall": _hall,
    "shooters": _shooters,
}


# ---------------------------------------------------------------- from a line of the log


def _of_an_entry(record: Record, names: dict[int, str], ask: Ask) -> Opened | None:
    entry = next((value for value in record.values if value.revision == ask.of), None)
    if entry is None:
        return None
    if ask.open == "entry":
        return _entry(record, names, entry)
    return _late(record.state, names, entry) if ask.open == "late" else _correct(record.state, names, entry)


CORRECTED = (e.Vote, e.Nomination, e.Shot, e.Check, e.Foul, e.BestMove, e.RaiseAll)


def _entry(record: Record, names: dict[int, str], entry: e.Entry) -> Opened:
    """What can be done with a line of the log: struck out or brought back, put right, preceded by a late one."""
    values = {value.revision: value for value in record.values}
    strike = struck_revisions(record.values).get(entry.revision)
    of = strike if strike is not None else entry.revision
    brings_back = strike is not None or isinstance(entry, e.Strike)
    board = reverse("board", args=[record.game.uuid])
    links = []
    if strike is None and isinstance(entry, CORRECTED):
        links.append(Other(_("Correct it"), href=f"{board}?open=correct&of={entry.revision}"))
    if strike is None and is_play(entry) and entry.moment not in (SETUP, AFTER):
        links.append(Other(_("Write in what was missed after it"), href=f"{board}?open=late&of={entry.revision}"))
    lines = (line_words(entry, values, names), moment_words(entry.moment))
    return Opened(
        "entry",
        _("Entry %(revision)s") % {"revision": entry.revision},
        _("Bring it back") if brings_back else _("Strike it out"),
        Post("strike", record.state.moment, {"of": of}),
        lines,
        links=tuple(links),
    )


def _clauses(reasons: Iterable[Reason], chosen: str = "") -> tuple[Choice, ...]:
    return tuple(Choice(r.clause, f"{r.clause} {r.words}", r.clause == chosen) for r in reasons)


def _late(state: GameState, names: dict[int, str], entry: e.Entry) -> Opened:
    penalties = (Penalty.FOUL, Penalty.WARNING, Penalty.DISQUALIFYING)
    kinds = tuple(Choice(p.value, penalty_words(p), p == Penalty.FOUL) for p in penalties)
    reasons = [reason for penalty in penalties[::2] for reason in reasons_of(state, penalty)]
    fields = (
        Field("seat", _("Whom"), "seats", _seats(names), required=True),
        Field("penalty", _("What"), "pick", kinds, required=True),
        Field("clause", _("Clause"), "choose", _clauses(reasons)),
    )
    post = Post("foul", entry.moment, {"follows": entry.revision})
    lines = (
        _("Right after: %(entry)s") % {"entry": entry_words(entry, names)},
        _("When: %(moment)s") % {"moment": moment_words(entry.moment)},
    )
    return Opened("late", _("Write in what was missed"), _("Write it in"), post, lines, fields)


def _correct(state: GameState, names: dict[int, str], entry: e.Entry) -> Opened | None:
    lines = (_("Written: %(entry)s") % {"entry": entry_words(entry, names)}, moment_words(entry.moment))
    fields: tuple[Field, ...] = ()
    hidden: dict[str, object] = {"replaces": entry.revision}
    kind = entry.kind
    match entry:
        case e.Vote():
            return _correct_ballot(state, names, entry, lines)
        case e.Nomination():
            fields = (Field("target", _("Nominee"), "seats", _seats(names, entry.target), required=True),)
            hidden |= {"seat": entry.seat} if entry.seat else {}
        case e.Shot():
            miss = Choice("miss", _("Miss"), entry.target is None)
            fields = (Field("target", _("Shot"), "seats", (miss, *_seats(names, entry.target)), required=True),)
        case e.Check():
            fields = (Field("target", _("Seat"), "seats", _seats(names, entry.target), required=True),)
            hidden["by"] = Role(entry.by).value
        case e.BestMove():
            text = " ".join(str(seat) for seat in entry.seats)
            fields = (Field("seats", _("Three seats"), "text", value=text, required=True),)
        case e.RaiseAll():
            fields = (Field("count", _("Hands"), "number", value=entry.count if entry.count is not None else ""),)
        case e.Foul():
            reasons = reasons_of(state, entry.penalty)
            fields = (
                Field("seat", _("Seat"), "seats", _seats(names, entry.seat), required=True),
                Field("clause", _("Clause"), "choose", _clauses(reasons, state.clause_of(entry))),
            )
            hidden |= {
                "penalty": entry.penalty.value,
                "team": entry.team.value if entry.team else "",
                "text": entry.text,
            }
        case _:
            return None
    return Opened("correct", _("Correct an entry"), _("Correct it"), Post(kind, entry.moment, hidden), lines, fields)


def _correct_ballot(state: GameState, names: dict[int, str], entry: e.Vote, lines: tuple[str, ...]) -> Opened | None:
    day = state.days.get(entry.moment.day)
    ballots = [*day.void_ballots, *day.ballots] if day else []
    ballot = next((b for b in ballots if any(t.revision == entry.revision for t in b.tallies.values())), None)
    if ballot is None:
        return None
    fields = tuple(
        Field(f"count_{seat}", seat_words(seat, names), "number", value=ballot.tallies[seat].count, required=True)
        for seat in ballot.candidates
        if seat in ballot.tallies
    )
    hint = _("All tallies of the ballot at once: they must come to %(living)s.") % {"living": ballot.living}
    post = Post("ballot", entry.moment._replace(step=0))
    return Opened("correct", _("Correct the tallies"), _("Correct them"), post, (*lines, hint), fields)
