"""The small words that sentences are made of: seats, roles, teams, penalties, clauses, points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import cast

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from ..rules.articles import ARTICLES, FEDERATION_PRACTICE
from ..rules.state import Exit, GameState
from ..rules.terms import SEATS, HowLeft, Penalty, Result, Role, Team

Names = Mapping[int, str]
Words = Mapping[str, str | Promise]


def names_of(state: GameState, nicknames: Names) -> dict[int, str]:
    """The nicknames as the players sit: `nicknames` are by the seat they were written at, before corrections."""
    return {seat: nicknames.get(state.chairs[seat], "") for seat in SEATS}


def seat_words(seat: object, names: Names) -> str:
    """«№5 Дельта», or «№5» where the nickname is not known."""
    number = cast(int, seat)
    return _seat_words(number, names.get(number, ""), get_language())


@lru_cache(1024)  # twenty tables of ten, a few times in every tap
def _seat_words(number: int, nickname: str, language: str | None) -> str:
    label = gettext("No. %(seat)s") % {"seat": number}
    return f"{label} {nickname}" if nickname else label


def seats_words(seats: object, names: Names) -> str:
    """Seats with their nicknames, separated by commas, in the order given."""
    return ", ".join(seat_words(seat, names) for seat in cast(Iterable[int], seats))


def numbers_words(seats: object) -> str:
    """Bare numbers: «1, 3, 8»; a dash where there is none."""
    return ", ".join(str(seat) for seat in cast(Iterable[int], seats)) or "—"


def clause_words(clause: str) -> str:
    """How a clause is cited: «п. 7.1», «п. B-S1», «уточнение §2», «практика ФИИМ».

    >>> clause_words("")
    ''
    """
    if not clause:
        return ""
    if clause == FEDERATION_PRACTICE:
        return gettext("practice of the FIIM")
    if clause.startswith("§"):
        return gettext("clarification %(clause)s") % {"clause": clause}
    return gettext("clause %(clause)s") % {"clause": clause.removeprefix("A ")}


def clauses_words(clause: str) -> str:
    """The sentence of the published text that a clause code names, «6.6.1» or «A 6.6.1»; empty where there is none."""
    return ARTICLES.get(clause) or ARTICLES.get(f"A {clause}", "")


def with_clause(words: str, clause: str) -> str:
    """A sentence with its clause in brackets at the end."""
    return f"{words} ({clause_words(clause)})" if clause else words


def points_words(points: Decimal, *, sign: bool = False) -> str:
    """Points as the form prints them: a comma, a true minus, no trailing zeros: «0,5», «−1», «+0,25»."""
    plain = format(points.normalize() if points else Decimal(0), "f").replace(".", ",").replace("-", "−")
    return f"+{plain}" if sign and points > 0 else plain


_ROLES: Words = {
    Role.RED: pgettext_lazy("role", "citizen"),
    Role.BLACK: pgettext_lazy("role", "mafioso"),
    Role.SHERIFF: pgettext_lazy("role", "sheriff"),
    Role.DON: pgettext_lazy("role", "don"),
}
_TEAMS: Words = {Team.RED: pgettext_lazy("team", "red"), Team.BLACK: pgettext_lazy("team", "black")}
_PENALTIES: Words = {
    Penalty.WARNING: _("Oral warning"),
    Penalty.FOUL: _("Foul"),
    Penalty.DISQUALIFYING: _("Disqualifying foul"),
    Penalty.TEAM_DEFEAT: _("Team defeat"),
}
_HOW_LEFT: Words = {
    HowLeft.VOTED: pgettext_lazy("left", "voted out"),
    HowLeft.RAISED: pgettext_lazy("left", "raised"),
    HowLeft.SHOT: pgettext_lazy("left", "shot"),
    HowLeft.FOULS: pgettext_lazy("left", "removed, 4 fouls"),
    HowLeft.DISQUALIFIED: pgettext_lazy("left", "removed"),
}
_RESULTS: Words = {
    Result.RED: _("red wins"),
    Result.BLACK: _("black wins"),
    Result.DRAW: _("draw"),
    Result.ANNULLED: _("game annulled"),
    Result.REPLAY: _("game to be replayed"),
}
_CHECKERS: Words = {Role.DON: _("the don’s check"), Role.SHERIFF: _("the sheriff’s check")}


def role_words(role: Role) -> str:
    """The role's name."""
    return str(_ROLES[role])


def team_words(team: object) -> str:
    """The team's name: «красные» or «чёрные»."""
    return str(_TEAMS[str(team)])


def penalty_words(penalty: Penalty) -> str:
    """The penalty's name."""
    return str(_PENALTIES[penalty])


def result_words(result: object) -> str:
    """The result in words: «победа красных»."""
    return str(_RESULTS[str(result)])


def check_words(role: object) -> str:
    """Whose check: «проверка дона» or «проверка шерифа»."""
    return str(_CHECKERS[str(role)])


def how_left_words(left: Exit) -> str:
    """How and when a player left, for the row: «удалён, день 2», «отстрел, ночь 1»."""
    when = gettext("night %(day)s") if left.moment.is_night else gettext("day %(day)s")
    return f"{_HOW_LEFT[left.how]}, {when % {'day': left.moment.day}}"


def left_words(how: object, day: object, night: object) -> str:
    """The same from a refusal's parameters."""
    when = gettext("night %(day)s") if night else gettext("day %(day)s")
    return f"{_HOW_LEFT[str(how)]}, {when % {'day': day}}"
