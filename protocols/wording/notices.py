"""What the rules did, told once, the moment it happens."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ..rules.state import Notice
from .refusals import sentence_params
from .terms import Names, Words, with_clause

NOTICES: Words = {
    # discipline
    "third_foul": _("Third foul: %(seat)s loses the next own minute and may still nominate"),
    "silent_minute": _("%(seat)s has no word in this minute and may nominate"),
    "thirty_seconds": _("%(seat)s has 30 seconds instead of silence"),
    "revote_speech": _("%(seat)s has three fouls and speaks before the revote all the same"),
    "removed_fouls": _("Fourth foul: %(seat)s leaves the table without last words"),
    "removed_disqualified": _("%(seat)s is removed and leaves the table without last words"),
    "removed_departed": _("%(seat)s had already left: the penalty counts, the vote stands"),
    "removed_after_end": _("%(seat)s is removed after the end of the game: only the penalty counts"),
    "from_tournament": _("%(seat)s is removed from the tournament"),
    # the vote
    "vote_cancelled": _("There is no vote on day %(day)s: %(seat)s is removed"),
    "next_vote_cancelled": _("There will be no vote on day %(day)s: %(seat)s is removed"),
    "vote_restored": _("The vote of day %(day)s is held by ruling: %(text)s"),
    "vote_cancelled_by_ruling": _("There is no vote on day %(day)s by ruling: %(text)s"),
    "single_nominee": _("One nominee on day 1 (%(seat)s): no vote is held"),
    "voted_out": _("%(seat)s is voted out with %(votes)s votes and has last words"),
    "revote": _("A tie: %(seats)s speak %(seconds)s seconds each, then a revote among them"),
    "tied_night": _("Tied again: %(seats)s. No further vote, night falls"),
    "raise_question": _("Tied again: %(seats)s. Who is for all of them leaving? Needed: %(needed)s of %(living)s"),
    "raised": _("All leave: %(seats)s, %(seconds)s seconds of last words each"),
    "not_raised": _("Nobody leaves: over half was not for raising %(seats)s"),
    # the night
    "shot": _("%(seat)s is shot in night %(night)s"),
    "missed": _("A miss in night %(night)s"),
}

NOTICES_WITH_SEAT: Words = {"missed": _("A miss in night %(night)s: %(seat)s had already left")}


def notice_words(notice: Notice, names: Names) -> str:
    """What happened by the rules, with its clause."""
    params = notice.params
    table = NOTICES_WITH_SEAT if notice.code in NOTICES_WITH_SEAT and params.get("seat") else NOTICES
    return with_clause(str(table[notice.code]) % sentence_params(params, names), notice.clause)
