"""What scoring writes: lots (A 8.5.4), and the ratings from outside (§7)."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from protocols.models import Player, Tournament

from .models import Lot, LotPlace, QualifyingRating, tied_key
from .selectors import standings_of


class NoLotDue(Exception):
    """These players are not the ones who wait for a lot: it has been drawn, or a result has changed the tie."""


def draw_lots(tournament: Tournament, players: Collection[int], *, by: User) -> Lot:
    """Draw a lot among players who share places, once, and store it with who drew it and when.

    Raises NoLotDue unless exactly these players are tied and no lot has been drawn among them.
    """

    def due() -> dict[frozenset[int], int]:
        table = standings_of(tournament).table
        firsts = {place.player_id: place.number or 0 for place in table.places}
        return {group: min(firsts[player] for player in group) for group in table.due}

    return draw_among(tournament, players, by=by, due=due)


def draw_among(
    tournament: Tournament, players: Collection[int], *, by: User, due: Callable[[], Mapping[frozenset[int], int]]
) -> Lot:
    """Draw a lot among one of the groups that `due` gives, each with the first of its places; asked in one transaction.

    Raises NoLotDue for other players.
    """
    group = frozenset(players)
    order = sorted(group)
    secrets.SystemRandom().shuffle(order)
    try:
        with transaction.atomic():
            first_place = due().get(group)
            if first_place is None:
                raise NoLotDue
            lot = Lot.objects.create(
                tournament=tournament,
                tied=tied_key(group),
                first_place=first_place,
                drawn_by=by,
                drawn_at=timezone.now(),
            )
            LotPlace.objects.bulk_create(
                LotPlace(lot=lot, position=position, player_id=player) for position, player in enumerate(order, start=1)
            )
    except IntegrityError as error:  # somebody drew the same lot at the same moment
        raise NoLotDue from error
    return lot


def set_qualifying(tournament: Tournament, ratings: Mapping[Player, int], *, by: User) -> None:
    """The players' ratings from outside, in thousandths, in the place of those given before (§7)."""
    with transaction.atomic():
        Tournament.objects.select_for_update().get(pk=tournament.pk)
        QualifyingRating.objects.filter(tournament=tournament).delete()
        now = timezone.now()
        QualifyingRating.objects.bulk_create(
            QualifyingRating(tournament=tournament, player=player, rating=rating, author=by, written_at=now)
            for player, rating in ratings.items()
        )
