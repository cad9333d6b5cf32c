"""What may be written in behind a line of the log: only what the rules accept there, however far the game has gone.

Every form is built from the state at that moment, not from the one the game has come to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from django.urls import reverse
from django.utils.translation import gettext as _

from ..rules import entries as e
from ..rules.agenda import Step, next_steps
from ..rules.fold import standing
from ..rules.insertion import behind, neighbours, state_before
from ..rules.refusals import refuse
from ..rules.state import GameState
from ..rules.terms import SEATS, Moment, Penalty, Phase, Role, RulingAbout
from ..rules.voting import ballot_of, current_ballot, remaining
from ..selectors import Record
from ..wording import entry_words, moment_words, penalty_words, seat_words
from ..wording.entries import RULING_WORDS
from .drawers import Choice, Field, Opened, clauses_to_choose, seats_to_choose
from .panel import step_words
from .posts import Other, Post
from .rows import reasons_of


@dataclass
class Gap:
    """The place behind an entry: what stood on the table there, and what the rules would take."""

    record: Record
    names: dict[int, str]
    entry: e.Entry
    _states: dict[Moment, GameState] = field(default_factory=dict)

    @property
    def state(self) -> GameState:
        """The table as the entry left it."""
        return self.state_at(self.entry.moment)

    def state_at(self, moment: Moment) -> GameState:
        """The table where an entry of that moment, written now, would be played."""
        if moment not in self._states:
            game = self.record.game
            probe = e.Turn(moment=moment, place=behind(self.entry, moment))
            found = state_before(self.record.values, probe, game.rules, results_only=game.results_only)
            self._states[moment] = found
        return self._states[moment]

    def takes(self, entry: e.Entry) -> bool:
        """Whether the rules accept the entry there."""
        new = replace(entry, revision=self.record.revision + 1, place=behind(self.entry, entry.moment))
        return refuse(self.state_at(entry.moment), new) is None

    def post(self, kind: str, moment: Moment, **fields: object) -> Post:
        """What the form sends; what follows is asked about before it is written."""
        follows = {"follows": self.entry.revision} if moment == self.entry.moment else {}
        return Post(kind, moment, {**fields, **follows, "ask": "late"})

    def opened(self, button: str, post: Post, *fields: Field, hint: str = "") -> Opened:
        """The form, with the two entries between which it writes."""
        _before, after = neighbours(self.record.values, self.entry.revision)
        lines = [_("Right after: %(entry)s") % {"entry": entry_words(self.entry, self.names)}]
        if after is not None:
            lines.append(_("Before: %(entry)s") % {"entry": entry_words(after, self.names)})
        moment = post.moment or self.entry.moment
        lines.append(_("When: %(moment)s") % {"moment": moment_words(moment)})
        return Opened("late", _("Write in what was missed"), button, post, (*lines, *([hint] if hint else [])), fields)


def late_of(record: Record, names: dict[int, str], entry: e.Entry, write: str) -> Opened | None:
    """The form that writes in what was missed right behind the entry, with links to the other kinds.

    `write` is the kind: foul, nomination, withdrawal, ruling or the code of a step of the agenda. Of none, or of one
    that can't be there, the first that can.
    """
    if entry.revision not in {standing_one.revision for standing_one in standing(record.values)}:
        return None
    gap = Gap(record, names, entry)
    offers = _offers(gap)
    if not offers:
        return None
    chosen = write if write in offers else next(iter(offers))
    board = reverse("board", args=[record.game.uuid])
    links = tuple(
        Other(label, href=f"{board}?open=late&of={entry.revision}&write={code}")
        for code, (label, _form) in offers.items()
        if code != chosen
    )
    return replace(offers[chosen][1], links=links)


def _offers(gap: Gap) -> dict[str, tuple[str, Opened]]:
    """Code → label and form, of everything that the rules accept there."""
    found: dict[str, tuple[str, Opened]] = {}
    for code, label, build in (
        ("foul", _("Foul, warning, removal"), _foul),
        ("nomination", _("Nomination"), _nomination),
        ("withdrawal", _("Withdrawal of a nomination"), _withdrawal),
        ("ruling", _("Judge’s ruling on the vote"), _ruling),
    ):
        form = build(gap)
        if form is not None:
            found[code] = (label, form)
    _before, after = neighbours(gap.record.values, gap.entry.revision)
    for step in map(_asked_at_once, next_steps(gap.state)):
        # What stands further on is offered there.
        if after is not None and step.moment.key > after.moment.key:
            continue
        form = _turn(gap, step) if step.is_turn else _STEPS[step.code](gap, step) if step.code in _STEPS else None
        if form is not None and step.code not in found:
            found[step.code] = (step_words(gap.state, gap.names, step), form)
    return found


def _asked_at_once(step: Step) -> Step:
    """Where a vote begins its tallies are asked for: a call to it alone is nothing that can be missed."""
    if step.code != "vote":
        return step
    return replace(step, code="tally", moment=step.moment._replace(step=1), seat=step.seats[0])


# ---------------------------------------------------------------- what may happen at any time


def _foul(gap: Gap) -> Opened | None:
    moment, state = gap.entry.moment, gap.state
    penalties = [Penalty.FOUL, Penalty.WARNING, Penalty.DISQUALIFYING]
    if state.roles_known:  # otherwise the team has to be named: the menu asks for it
        penalties.append(Penalty.TEAM_DEFEAT)
    able = {p: [n for n in SEATS if gap.takes(e.Foul(moment=moment, seat=n, penalty=p))] for p in penalties}
    offered = [penalty for penalty in penalties if able[penalty]]
    if not offered:
        return None
    kinds = tuple(Choice(p.value, penalty_words(p), p == offered[0]) for p in offered)
    reasons = [reason for p in offered if p != Penalty.WARNING for reason in reasons_of(state, p)]
    seats = sorted({seat for penalty in offered for seat in able[penalty]})
    return gap.opened(
        _("Write it in"),
        gap.post("foul", moment),
        Field("seat", _("Whom"), "seats", seats_to_choose(gap.names, among=seats), required=True),
        Field("penalty", _("What"), "pick", kinds, required=True),
        Field("clause", _("Clause"), "choose", clauses_to_choose(reasons)),
    )


def _ruling(gap: Gap) -> Opened | None:
    moment = gap.entry.moment
    about = tuple(
        Choice(name.value, str(RULING_WORDS[name]).capitalize())
        for name in (RulingAbout.VOTE_CANCELLED, RulingAbout.VOTE_HELD)
        if gap.takes(e.Ruling(moment=moment, about=name, text="."))
    )
    if not about:
        return None
    return gap.opened(
        _("Rule so"),
        gap.post("ruling", moment),
        Field("about", _("What is ruled"), "pick", about, required=True),
        Field("text", _("Reason"), "text", required=True, hint=_("it is printed in the protocol")),
    )


# ---------------------------------------------------------------- in a minute


def _speakers(gap: Gap) -> list[int]:
    """Whose minute it is; anybody where minutes are not written."""
    day = gap.state.days.get(gap.entry.moment.day)
    speaker = day.speeches.get(gap.entry.moment.step) if day else None
    return [speaker] if speaker else list(SEATS)


def _nomination(gap: Gap) -> Opened | None:
    moment = gap.entry.moment
    if moment.phase != Phase.SPEECHES:
        return None
    pairs = [
        (by, target)
        for by in _speakers(gap)
        for target in SEATS
        if gap.takes(e.Nomination(moment=moment, seat=by, target=target))
    ]
    if not pairs:
        return None
    speakers, targets = sorted({by for by, _target in pairs}), sorted({target for _by, target in pairs})
    target = Field("target", _("Nominee"), "seats", seats_to_choose(gap.names, among=targets), required=True)
    if len(speakers) == 1:
        hint = _("%(seat)s nominates") % {"seat": seat_words(speakers[0], gap.names)}
        return gap.opened(_("Write it in"), gap.post("nomination", moment, seat=speakers[0]), target, hint=hint)
    who = Field("seat", _("Who nominates"), "seats", seats_to_choose(gap.names, among=speakers))
    return gap.opened(_("Write it in"), gap.post("nomination", moment), who, target)


def _withdrawal(gap: Gap) -> Opened | None:
    moment = gap.entry.moment
    able = [seat for seat in _speakers(gap) if gap.takes(e.Withdrawal(moment=moment, seat=seat))]
    if moment.phase != Phase.SPEECHES or not able:
        return None
    who = Field("seat", _("Who withdraws"), "seats", seats_to_choose(gap.names, able[0], able), required=True)
    return gap.opened(_("Write it in"), gap.post("withdrawal", moment), who)


# ---------------------------------------------------------------- steps of the game


def _turn(gap: Gap, step: Step) -> Opened | None:
    if not gap.takes(e.Turn(moment=step.moment, seat=step.seat)):
        return None
    fields = {"seat": step.seat} if step.seat else {}
    words = step_words(gap.state, gap.names, step)
    return gap.opened(_("Write it in"), gap.post("turn", step.moment, **fields), hint=words)


def _is_there(gap: Gap, kind: type[e.Entry], moment: Moment, **same: object) -> bool:
    """Whether one of that kind is in force there already: it is put right, not written in."""
    fallen = {entry.revision for entry, _why in gap.record.state.set_aside}
    return any(
        isinstance(entry, kind) and entry.moment == moment and all(getattr(entry, k) == v for k, v in same.items())
        for entry in standing(gap.record.values)
        if entry.revision not in fallen
    )


def _is_taken(gap: Gap, moment: Moment) -> bool:
    """Whether that ballot has all its tallies as the record stands: they are put right together, not written in."""
    state = gap.record.state
    day = state.days.get(moment.day)
    ballot = ballot_of(state, day, moment.ballot) if day else None
    return ballot is not None and ballot.is_complete


def _tally(gap: Gap, step: Step) -> Opened | None:
    day = gap.state.days.get(step.moment.day)
    current = current_ballot(gap.state, day) if day else None
    if current is None or _is_taken(gap, step.moment):
        return None
    ballot = current[1]
    counted = {  # what is written of it is offered as it was, and written anew
        entry.target: entry.count
        for entry in standing(gap.record.values)
        if isinstance(entry, e.Vote) and entry.moment._replace(step=0) == step.moment._replace(step=0)
    }
    hint = _("The tallies must come to %(left)s.") % {"left": remaining(ballot)}
    fields = (
        Field(f"count_{seat}", seat_words(seat, gap.names), "number", value=counted.get(seat, ""), required=True)
        for seat in ballot.candidates
        if seat not in ballot.tallies
    )
    candidates = " ".join(str(seat) for seat in ballot.candidates)
    post = gap.post("ballot", step.moment._replace(step=0), candidates=candidates)
    return gap.opened(_("Write them in"), post, *fields, hint=hint)


def _raise_all(gap: Gap, step: Step) -> Opened | None:
    if _is_there(gap, e.RaiseAll, step.moment) or not gap.takes(e.RaiseAll(moment=step.moment, count=0)):
        return None
    hands = Field("count", _("Hands"), "number", required=True)
    hint = _("for all leaving: %(seats)s") % {"seats": ", ".join(str(seat) for seat in step.seats)}
    return gap.opened(_("Write it in"), gap.post("raise_all", step.moment), hands, hint=hint)


def _shot(gap: Gap, step: Step) -> Opened | None:
    if _is_there(gap, e.Shot, step.moment) or not gap.takes(e.Shot(moment=step.moment)):
        return None
    choices = (Choice("miss", _("Miss")), *seats_to_choose(gap.names, among=gap.state_at(step.moment).living))
    shot = Field("target", _("Shot"), "seats", choices, required=True)
    return gap.opened(_("Write it in"), gap.post("shot", step.moment), shot)


def _check(gap: Gap, step: Step) -> Opened | None:
    by = Role(step.code)
    if _is_there(gap, e.Check, step.moment, by=by):
        return None
    able = [seat for seat in SEATS if gap.takes(e.Check(moment=step.moment, by=by, target=seat))]
    if not able:
        return None
    seat = Field("target", _("Seat"), "seats", seats_to_choose(gap.names, among=able), required=True)
    return gap.opened(_("Write it in"), gap.post("check", step.moment, by=by.value), seat)


def _best_move(gap: Gap, step: Step) -> Opened | None:
    if gap.record.state.best_move is not None:
        return None
    seats = Field("seats", _("Three seats"), "text", required=True, hint=_("like 1 5 9"))
    hint = _("Best move of %(seat)s") % {"seat": seat_words(step.seat, gap.names)}
    return gap.opened(_("Write it in"), gap.post("best_move", step.moment), seats, hint=hint)


_STEPS: dict[str, Callable[[Gap, Step], Opened | None]] = {
    "tally": _tally,
    "raise_all": _raise_all,
    "shot": _shot,
    "don": _check,
    "sheriff": _check,
    "best_move": _best_move,
}
