"""The pads: each lights only what the rules would accept, because both ask `refuse`."""

from __future__ import annotations

from django.utils.translation import gettext as _

from ..forms.entries import MISS
from ..rules import entries as e
from ..rules.agenda import Step
from ..rules.refusals import refuse_each
from ..rules.state import Ballot, GameState
from ..rules.terms import SEATS, Role
from ..rules.voting import voted
from .posts import Key, Pad, Post


def _named(seat: int, names: dict[int, str], act: str = "") -> str:
    """A key read aloud: what is seen on it first, then whom it means and what it does."""
    words = f"{seat} {names.get(seat, '')}".strip()
    return f"{words}, {act}" if act else words


def nominees(state: GameState, names: dict[int, str], speaker: int) -> Pad:
    """Whom the speaker may nominate."""
    day = state.day
    mine = next((target for giver, target in day.nominations if giver == speaker), None) if day else None
    refused = refuse_each(state, [e.Nomination(moment=state.moment, seat=speaker, target=seat) for seat in SEATS])
    act = _("to nominate")
    keys = tuple(
        Key(seat, str(seat), _named(seat, names, act), lit=why is None, mark="chosen" if seat == mine else "")
        for seat, why in zip(SEATS, refused, strict=True)
    )
    return Pad(Post("nomination", state.moment, {"seat": speaker}), "target", keys, "ten", _("nominates"))


def tally(step: Step) -> Pad:
    """How many hands, from none to all that are left; the last candidate gets the rest."""
    title = _("%(count)s for No. %(seat)s")
    keys = tuple(
        Key(
            count,
            str(count),
            title % {"count": count, "seat": step.seat},
            lit=count == step.count if step.is_last else count <= step.count,
            mark="chosen" if step.is_last and count == step.count else "",
        )
        for count in range(11)
    )
    return Pad(Post("vote", step.moment, {"target": step.seat}), "count", keys, "tally", _("hands"))


def voters(state: GameState, names: dict[int, str], step: Step, ballot: Ballot) -> Pad:
    """Whose hands: the living who haven't voted in this ballot."""
    done = voted(ballot)
    keys = tuple(
        Key(seat, str(seat), _named(seat, names), lit=state.seats[seat].left is None and seat not in done)
        for seat in SEATS
    )
    fields: dict[str, object] = {"target": step.seat, "by_name": 1, "voters_next": 1}
    if step.is_last:
        fields["count"] = step.count
    return Pad(Post("vote", step.moment, fields), "voters", keys, "ten", _("whose hands"), many=10)


def raise_all(step: Step, living: int) -> Pad:
    """How many are for all of the tied leaving; from more than half on they leave."""
    enough, too_few = _("%(count)s for raising: all leave"), _("%(count)s for raising: nobody leaves")
    keys = tuple(
        Key(
            count,
            str(count),
            (enough if count >= step.count else too_few) % {"count": count},
            lit=count <= living,
            mark="enough" if step.count <= count <= living else "",
        )
        for count in range(11)
    )
    return Pad(Post("raise_all", step.moment), "count", keys, "tally", _("hands"))


def shot(state: GameState, names: dict[int, str], step: Step) -> Pad:
    """Ten seats and the miss; a departed seat is a miss and stays dark."""
    act = _("shot")
    keys = [Key(seat, str(seat), _named(seat, names, act), lit=state.seats[seat].left is None) for seat in SEATS]
    keys.insert(5, Key(MISS, _("Miss"), _("a miss"), mark="miss"))
    return Pad(Post("shot", step.moment), "target", tuple(keys), "shot", _("shot"))


def check(state: GameState, names: dict[int, str], step: Step, role: Role) -> Pad:
    """Any seat may be checked, a departed one and one checked before, too."""
    refused = refuse_each(state, [e.Check(moment=step.moment, by=role, target=seat) for seat in SEATS])
    act = _("check")
    keys = tuple(
        Key(seat, str(seat), _named(seat, names, act), lit=why is None)
        for seat, why in zip(SEATS, refused, strict=True)
    )
    return Pad(Post("check", step.moment, {"by": role.value}), "target", keys, "ten", _("checks"))


def best_move(state: GameState, names: dict[int, str], step: Step) -> Pad:
    """Three seats, not one's own."""
    keys = tuple(Key(seat, str(seat), _named(seat, names), lit=seat != step.seat) for seat in SEATS)
    return Pad(Post("best_move", step.moment), "seats", keys, "ten", _("three seats"), many=3)
