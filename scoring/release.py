"""What somebody may see of a tournament's results: the one gate that every public page and file goes through.

    seen = seen_by(request.user, tournament, request.GET.get("after", ""))
    found = standings_of(tournament, seen)

`Seen` goes wherever the results are read (`standings_of`, `lines_of`, `exported`, `cuts_of`, `progress_of`), and what
is hidden from the person is not in them. Whoever runs the tournament sees everything. Where only the extra points are
hidden, the hidden rounds count with none, so that nothing in the table follows from what nobody may know.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, F, Min, Q, Value, When
from django.db.models.expressions import Combinable
from django.utils.translation import gettext as _

from protocols.access import Viewer, standing_in
from protocols.hiding import EXTRA_COMPONENTS, OPEN, Veil, veil_of
from protocols.models import SignedSheet, Tournament

from .as_of import Until, moment, moments_of


@dataclass(frozen=True, slots=True)
class Seen:
    """What one person sees of a tournament's results."""

    veil: Veil = OPEN  # what is hidden from this person
    until: Until | None = None  # as of when they asked; None: as far as they may see
    moments: tuple[Until, ...] = ()  # as of which they may ask
    public_veil: Veil = OPEN  # what is hidden from everybody who doesn't run the tournament
    since: datetime | None = None  # when the first result was signed that is hidden from this person

    @property
    def moment(self) -> Until | None:
        """As of when they asked."""
        return self.until

    @property
    def is_now(self) -> bool:
        """Whether this is the table as it stands, with nothing left out."""
        return self.until is None and self.veil.is_open

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all may be seen: the table is hidden from its first round on."""
        return self.veil.hides_table and not self.moments

    @property
    def over_it(self) -> Veil:
        """What is hidden from this person of just what they asked for: nothing of a table before the hidden rounds."""
        return self.veil if self.until is None or is_hidden(self.until, self.veil) else OPEN

    @property
    def is_beyond_the_public(self) -> bool:
        """Whether there is in it what the public does not see."""
        if not self.veil.is_open or self.public_veil.is_open:
            return False
        return self.until is None or is_hidden(self.until, self.public_veil)

    @property
    def knows_no_extra(self) -> bool:
        """Whether the extra points of all games are hidden from this person: from the first round on."""
        return self.veil.hides_extra and bool(self.moments) and is_hidden(self.moments[0], self.veil)

    def counted(self, prefix: str = "") -> Q:
        """The games that count for this person; `prefix` leads to the game: «game__»."""
        return self._asked(prefix) & ~self.veil.covered(prefix) if self.veil.hides_table else self._asked(prefix)

    def withheld(self, prefix: str = "") -> Q:
        """The games that don't count for this person, because they are hidden."""
        return self._asked(prefix) & self.veil.covered(prefix) if self.veil.hides_table else Q(pk__in=())

    def _asked(self, prefix: str) -> Q:
        return Q() if self.until is None else self.until.counted(prefix)

    def column(self, name: str, prefix: str = "") -> str | Combinable:
        """A column of the results; 0 for extra points that are hidden."""
        if not self.veil.hides_extra or name not in EXTRA_COMPONENTS:
            return name
        return Case(When(self.veil.covered(prefix), then=Value(0)), default=F(name))

    def knows_lot(self, drawn_at: datetime) -> bool:
        """Whether the lot may be seen: one drawn later could tell who is equal by hidden results."""
        return self.veil.is_open or self.since is None or drawn_at < self.since

    def knows_cut(self, stage_number: int) -> bool:
        """Whether the cut into that stage may be seen: it counts no hidden round."""
        return self.veil.is_open or stage_number <= self.veil.stage_number


def seen_by(user: Viewer, tournament: Tournament, after: str = "") -> Seen:
    """What the person may see of the tournament, `after` that round («2.5»).

    At most three queries. Raises KeyError for a round that was not played, or that is hidden from them.
    """
    veil = veil_of(tournament)
    return _seen(tournament, after, OPEN if standing_in(user, tournament).oversees else veil, veil)


def seen_by_the_public(tournament: Tournament, after: str = "") -> Seen:
    """What anybody may see of it. Raises KeyError as `seen_by`."""
    veil = veil_of(tournament)
    return _seen(tournament, after, veil, veil)


def seen_by_who_runs_it(tournament: Tournament, after: str = "") -> Seen:
    """Everything. Raises KeyError as `seen_by`."""
    return _seen(tournament, after, OPEN, veil_of(tournament))


def _seen(tournament: Tournament, after: str, veil: Veil, public_veil: Veil) -> Seen:
    moments = moments_of(tournament)
    if veil.hides_table:
        moments = tuple(each for each in moments if not is_hidden(each, veil))
    since = None if veil.is_open else _first_signature(tournament, veil)
    return Seen(veil, moment(moments, after), moments, public_veil, since)


def is_hidden(each: Until, veil: Veil) -> bool:
    """Whether the moment is of a hidden round."""
    return not veil.is_open and (each.stage_number, each.number) >= (veil.stage_number, veil.number)


def _first_signature(tournament: Tournament, veil: Veil) -> datetime | None:
    sheets = SignedSheet.objects.filter(veil.covered("game__"), game__tournament=tournament)
    first: datetime | None = sheets.aggregate(first=Min("signed_at"))["first"]
    return first


# ---------------------------------------------------------------- in words


def from_words(veil: Veil) -> str:
    """From when on something is hidden."""
    return _("%(stage)s, from round %(number)d on") % {"stage": veil.stage_name, "number": veil.number}


def hidden_words(seen: Seen) -> str:
    """What is hidden from this person, in a sentence or two; empty where nothing of what they asked for is."""
    if seen.veil.is_open or (seen.veil.hides_extra and seen.over_it.is_open):
        return ""
    words = {"from": from_words(seen.veil)}
    if seen.veil.hides_extra:
        return (
            _(
                "Extra points are hidden until they are announced (%(from)s): they are neither shown nor counted "
                "here, and rating and places are those without them."
            )
            % words
        )
    if seen.since is None:
        return _("The table will be hidden until it is announced: %(from)s.") % words
    last = seen.moments[-1].words if seen.moments else ""
    if not last or seen.until is not None:  # the table says itself as of when it is
        return _("The table is hidden until it is announced: %(from)s.") % words
    return _("The table is hidden until it is announced: %(from)s. What is shown is the position: %(last)s.") % {
        **words, "last": last,
    }  # fmt: skip


def not_public_words(seen: Seen) -> str:
    """What the public does not see of this, for whoever sees it; empty where there is nothing of the kind."""
    if not seen.is_beyond_the_public:
        return ""
    words = {"from": from_words(seen.public_veil)}
    if seen.public_veil.hides_extra:
        return _("Not for the public: extra points are hidden from it until they are announced (%(from)s).") % words
    return _("Not for the public: the table is hidden from it until it is announced (%(from)s).") % words


def said_of(seen: Seen) -> str:
    """What must be said beside a table: what is hidden from this person, or from the public; empty where nothing is."""
    return hidden_words(seen) or not_public_words(seen)
