"""What the menu and the log open over the board: rare things, each a form of its own."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _

from ..forms.fields import moment_text
from ..rules import entries as e
from ..rules.outcome import open_contradictions
from ..rules.refusals import refuse
from ..rules.state import GameState
from ..rules.terms import ROLE_COUNTS, SEATS, SETUP, Moment, Penalty, Phase, Result, RulingAbout, Team
from ..selectors import Record
from ..wording import (
    contradiction_words,
    result_words,
    seat_words,
    team_words,
)
from ..wording.entries import RULING_WORDS
from .drawers import Choice, Field, Opened, RoleRow, seats_to_choose
from .lines import of_an_entry
from .posts import Ask, Post


def opened_of(record: Record, names: dict[int, str], ask: Ask, *, roles: bool) -> Opened | None:
    """The form that is asked for; None where there is none or it makes no sense now."""
    if ask.open in ("entry", "correct", "late", "fallen"):
        found = of_an_entry(record, names, ask)
    else:
        builder = _BUILDERS.get(ask.open)
        found = builder(record.state, names, roles) if builder else None
    return found.asked_by(ask) if found else None


def _results(*results: Result) -> tuple[Choice, ...]:
    return tuple(Choice(result.value, result_words(result).capitalize()) for result in results)


def _ends(state: GameState) -> tuple[Result, ...]:
    return (Result.RED, Result.BLACK, Result.DRAW) if state.regulation.has_draw else (Result.RED, Result.BLACK)


def _roles(state: GameState, names: dict[int, str], roles: bool) -> Opened:
    known = {seat: player.role for seat, player in state.seats.items()} if roles and state.roles_known else {}
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
    begins = state.moment.phase == Phase.SETUP and not state.roles_known
    fields: dict[str, object] = {"ask": "late"} if state.roles_known else {}
    if begins:
        fields["then-moment"] = moment_text(Moment(0, Phase.NIGHT))
    post = Post("roles", SETUP, fields)
    return Opened(
        "roles", title, _("Write the roles"), post, roles=rows, counts=counts, is_covered=bool(known), begins=begins
    )  # fmt: skip


def _chairs(state: GameState, names: dict[int, str], roles: bool) -> Opened:
    line = _("The two names change places; what was written by seat number stays with the number.")
    fields = (
        Field("seat", _("Who"), "seats", seats_to_choose(names), required=True),
        Field("target", _("With whom"), "seats", seats_to_choose(names), required=True),
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
        Field(f"by_{seat}", _("Shooter %(n)s") % {"n": n}, "seats", seats_to_choose(names))
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
