"""What a judge has to do next in each of her games, so that the next thing is the most visible link."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from .models import Game, Status
from .rules.terms import SEATS


@dataclass(frozen=True)
class Link:
    """Where one may go, and what it says."""

    words: str
    url: str


@dataclass(frozen=True)
class Duty:
    """A game of a judge: where it stands, the next thing to do, and what else may be done."""

    game: Game
    state: str
    tone: str  # of the badge: now, good, warning or none
    next: Link
    is_due: bool  # the judge is waited for; False: the protocol is there to be read
    others: tuple[Link, ...] = ()


def public_state(status: str) -> str:
    """Where a game stands, as everybody may know: what is under way tells nothing more (RULES §9)."""
    return {
        Status.PREPARED: pgettext("game", "not begun"),
        Status.RUNNING: pgettext("game", "under way"),
        Status.OVER: pgettext("game", "under way"),
        Status.SIGNED: pgettext("game", "signed"),
        Status.ANNULLED: pgettext("game", "annulled"),
        Status.REPLAYED: pgettext("game", "to be replayed"),
    }[Status(status)]


def inner_state(status: str) -> str:
    """Where a game stands, for those who serve in its tournament."""
    if status == Status.OVER:
        return pgettext("game", "to be signed")
    return public_state(status)


def tone_of(status: str) -> str:
    """The look of a state's badge; the words beside it say the same."""
    return {
        Status.RUNNING: "now",
        Status.OVER: "warning",
        Status.SIGNED: "good",
    }.get(Status(status), "")


def duty_of(game: Game, seated: int) -> Duty:
    """What comes next in a game of the judge's own, ten being `seated` or fewer."""
    uuid = game.uuid
    protocol = Link(_("Protocol"), reverse("game", args=[uuid]))
    preparation = Link(_("Preparation"), reverse("prepare", args=[uuid]))
    following: Link
    others: tuple[Link, ...] = ()
    if game.is_closed:
        following = protocol
    elif game.status == Status.OVER:
        following = Link(_("Sign"), reverse("finish", args=[uuid]))
        others = (Link(_("Board"), reverse("board", args=[uuid])), protocol)
    elif game.status == Status.RUNNING:
        following = Link(_("Go on with the game"), reverse("board", args=[uuid]))
        others = (protocol, Link(_("Hand over"), reverse("hand-over", args=[uuid])))
    elif seated < len(SEATS):
        following = Link(_("Prepare"), preparation.url)
        others = (Link(_("Form for paper"), reverse("blank-pdf", args=[uuid])),)
    else:
        following = Link(_("Begin the game"), reverse("board", args=[uuid]))
        others = (
            preparation,
            Link(_("Type in from paper"), reverse("paper", args=[uuid])),
            Link(_("Form for paper"), reverse("blank-pdf", args=[uuid])),
        )
    return Duty(game, inner_state(game.status), tone_of(game.status), following, not game.is_closed, others)


def duties_of(games: Iterable[Game]) -> list[Duty]:
    """What comes next in each of the games, which carry `seated`: what runs first, then what waits to be signed,
    then what is to be played, in its order; the signed ones as they come."""
    found = [duty_of(game, getattr(game, "seated", 0)) for game in games]
    return sorted(found, key=lambda duty: _urgency(duty.game))


def _urgency(game: Game) -> tuple[int, str, int, int]:
    if game.is_closed:
        return 9, "", 0, 0
    order = [Status.RUNNING, Status.OVER, Status.PREPARED].index(Status(game.status))
    return order, game.played_on.isoformat(), game.number, game.table_number
