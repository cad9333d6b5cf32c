"""What decides between players of equal rating: small keys, compared in the order the regulation names (A 8.5).

  key               clause      compares
  rating            A 8.5       the rating itself, before any key
  extra             A 8.5       unmultiplied extra points: A the judge's (8.4), B and the Federation all Доп. баллы
  wins              A 8.5.1     won games
  don_sheriff_wins  A 8.5.2     games won as the don or the sheriff
  first_victim      A 8.5.3     times shot on night 1, in any role
  best_move         A 8.3       unmultiplied points of best moves
  penalty           A 8.2.4     penalties: fewer stand higher
  qualifying        §7          a rating given from outside the tournament
  lot               A 8.5.4     a lot drawn among exactly these players

More is better in every key. A regulation orders them in `tie_keys`; whatever it names after the lot is never asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter

from protocols.rules.regulation import Regulation

from .ratings import Exact, Rating

RATING = "rating"
LOT = "lot"

KEYS: Mapping[str, Callable[[Rating], Exact]] = {
    RATING: attrgetter("total"),
    "extra": attrgetter("tie_extra"),
    "wins": attrgetter("wins"),
    "don_sheriff_wins": attrgetter("don_sheriff_wins"),
    "first_victim": attrgetter("first_victim"),
    "best_move": attrgetter("best_move"),
    "penalty": attrgetter("penalty"),
    "qualifying": attrgetter("qualifying"),
}

CLAUSES: Mapping[str, str] = {
    RATING: "A 8.5",
    "extra": "A 8.5",
    "wins": "A 8.5.1",
    "don_sheriff_wins": "A 8.5.2",
    "first_victim": "A 8.5.3",
    "best_move": "A 8.3",
    "penalty": "A 8.2.4",
    "qualifying": "§7",
    LOT: "A 8.5.4",
}


def keys_of(regulation: Regulation) -> tuple[str, ...]:
    """The keys compared before the lot, the rating first. Raises KeyError for a key that isn't in the table."""
    named = regulation.tie_keys
    asked = named[: named.index(LOT)] if LOT in named else named
    for key in asked:
        KEYS[key]
    return (RATING, *asked)


def has_lot(regulation: Regulation) -> bool:
    """Whether a lot decides when every key is equal (A 8.5.4)."""
    return LOT in regulation.tie_keys


def decisive(higher: Rating, lower: Rating, keys: tuple[str, ...]) -> str | None:
    """The first key in which the two differ; None where they are equal in all."""
    return next((key for key in keys if KEYS[key](higher) != KEYS[key](lower)), None)
