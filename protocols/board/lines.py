"""What opens from a line of the log: strike it out, put it right, write in what was missed beside it."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from ..rules import entries as e
from ..rules.fold import struck_revisions
from ..rules.insertion import neighbours
from ..rules.state import GameState
from ..rules.terms import AFTER, SETUP, Role
from ..selectors import Record
from ..wording import entry_words, moment_words, refusal_words, seat_words
from .drawers import Choice, Field, Opened, clauses_to_choose, seats_to_choose
from .late import late_of
from .log import is_play, line_words
from .posts import Ask, Other, Post
from .rows import reasons_of

CORRECTED = (e.Vote, e.Nomination, e.Shot, e.Check, e.Foul, e.BestMove, e.RaiseAll)


def of_an_entry(record: Record, names: dict[int, str], ask: Ask) -> Opened | None:
    """The form that a line of the log opens; None for a line that there is not."""
    if ask.open == "fallen":
        return _fallen(record, names)
    entry = next((value for value in record.values if value.revision == ask.of), None)
    if entry is None:
        return None
    if ask.open == "entry":
        return _entry(record, names, entry)
    return late_of(record, names, entry, ask.write) if ask.open == "late" else _correct(record.state, names, entry)


def _entry(record: Record, names: dict[int, str], entry: e.Entry) -> Opened:
    """What can be done with a line of the log: struck out or brought back, put right, others written in beside it."""
    values = {value.revision: value for value in record.values}
    strike = struck_revisions(record.values).get(entry.revision)
    of = strike if strike is not None else entry.revision
    brings_back = strike is not None or isinstance(entry, e.Strike)
    board = reverse("board", args=[record.game.uuid])
    links = []
    if strike is None and isinstance(entry, CORRECTED):
        links.append(Other(_("Correct it"), href=f"{board}?open=correct&of={entry.revision}"))
    if strike is None and _takes_neighbours(entry):
        before, _after = neighbours(record.values, entry.revision)
        if before is not None and _takes_neighbours(before):
            links.append(Other(_("Write in what was missed before it"), href=f"{board}?open=late&of={before.revision}"))
        links.append(Other(_("Write in what was missed after it"), href=f"{board}?open=late&of={entry.revision}"))
    lines = [line_words(entry, values, names), moment_words(entry.moment)]
    why = next((why for item, why in record.state.set_aside if item.revision == entry.revision), None)
    if why is not None:
        lines.append(_("No longer stands: %(why)s") % {"why": refusal_words(why, names)})
    reason = Field("text", _("Why it is struck out"), "text", hint=_("stays readable in the log"))
    return Opened(
        "entry",
        _("Entry %(revision)s") % {"revision": entry.revision},
        _("Bring it back") if brings_back else _("Strike it out"),
        Post("strike", record.state.moment, {"of": of, "ask": "late"}),
        tuple(lines),
        () if brings_back else (reason,),
        links=tuple(links),
    )


def _takes_neighbours(entry: e.Entry) -> bool:
    return is_play(entry) and entry.moment not in (SETUP, AFTER)


def _fallen(record: Record, names: dict[int, str]) -> Opened | None:
    """Every entry that no longer stands, each leading to where it is struck out or put right."""
    if not record.state.set_aside:
        return None
    board = reverse("board", args=[record.game.uuid])
    links = tuple(
        Other(
            f"{entry.revision}. {entry_words(entry, names)} — {refusal_words(why, names)}",
            href=f"{board}?open=entry&of={entry.revision}",
        )
        for entry, why in record.state.set_aside
    )
    line = _("They are not counted. Strike each out or put it right, or write in what is missing before them.")
    return Opened("fallen", _("Entries that no longer stand"), "", None, (line,), links=links)


def _correct(state: GameState, names: dict[int, str], entry: e.Entry) -> Opened | None:
    lines = (_("Written: %(entry)s") % {"entry": entry_words(entry, names)}, moment_words(entry.moment))
    fields: tuple[Field, ...] = ()
    hidden: dict[str, object] = {"replaces": entry.revision, "ask": "late"}
    kind = entry.kind
    match entry:
        case e.Vote():
            ballot = _correct_ballot(state, names, entry, lines)
            if ballot is not None:
                return ballot
            fields = (Field("count", seat_words(entry.target, names), "number", value=entry.count, required=True),)
            hidden["target"] = entry.target
        case e.Nomination():
            fields = (Field("target", _("Nominee"), "seats", seats_to_choose(names, entry.target), required=True),)
            hidden |= {"seat": entry.seat} if entry.seat else {}
        case e.Shot():
            miss = Choice("miss", _("Miss"), entry.target is None)
            choices = (miss, *seats_to_choose(names, entry.target))
            fields = (Field("target", _("Shot"), "seats", choices, required=True),)
        case e.Check():
            fields = (Field("target", _("Seat"), "seats", seats_to_choose(names, entry.target), required=True),)
            hidden["by"] = Role(entry.by).value
        case e.BestMove():
            text = " ".join(str(seat) for seat in entry.seats)
            fields = (Field("seats", _("Three seats"), "text", value=text, required=True),)
        case e.RaiseAll():
            fields = (Field("count", _("Hands"), "number", value=entry.count if entry.count is not None else ""),)
        case e.Foul():
            reasons = reasons_of(state, entry.penalty)
            fields = (
                Field("seat", _("Seat"), "seats", seats_to_choose(names, entry.seat), required=True),
                Field("clause", _("Clause"), "choose", clauses_to_choose(reasons, state.clause_of(entry))),
            )
            hidden |= {
                "penalty": entry.penalty.value,
                "team": entry.team.value if entry.team else "",
                "text": entry.text,
            }
        case _:
            return None
    post = Post(kind, entry.moment, hidden)
    return Opened("correct", _("Correct an entry"), _("Correct it"), post, lines, (*fields, _why()))


def _why() -> Field:
    return Field("reason", _("Why it is put right"), "text", hint=_("stays readable in the log"))


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
    post = Post("ballot", entry.moment._replace(step=0), {"ask": "late"})
    title, button = _("Correct the tallies"), _("Correct them")
    return Opened("correct", title, button, post, (*lines, hint), (*fields, _why()))
