"""Who takes part in a tournament, who is kept apart, and which judges keep away from whom."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from random import Random

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from ..models import (
    NICKNAME_LENGTH,
    Conflict,
    KeptApart,
    Member,
    MemberRole,
    Participant,
    ParticipantState,
    Player,
    Seat,
    SeatResult,
    Tournament,
    nickname_key,
    nickname_written,
)
from ..models.rounds import MOST_MEETINGS, MOST_PARTICIPANTS
from ..seating.terms import shuffled
from ..selectors import players_named
from .errors import Invalid
from .people import printed_name
from .prepare import new_players


@dataclass(frozen=True, slots=True)
class Registered:
    """What became of the nicknames; `unknown` ones wait for a confirmation, and then nothing is written."""

    added: tuple[str, ...] = ()
    there: tuple[str, ...] = ()  # who took part already
    unknown: tuple[str, ...] = ()

    @property
    def is_written(self) -> bool:
        """Whether the participants are as asked."""
        return not self.unknown


def register(tournament: Tournament, nicknames: Iterable[str], *, confirm_new: bool = False) -> Registered:
    """Takes the players named among the participants, with the numbers that follow; all of them or none.

    Who had withdrawn takes part again. Nicknames that nobody has are given back to be confirmed, unless `confirm_new`
    says they are new players. Raises Invalid naming a nickname that stands twice or is too long.
    """
    names = [name for name in map(nickname_written, nicknames) if name]
    _refuse_names(names)
    keys = {nickname_key(name): name for name in names}
    with transaction.atomic():
        _held(tournament)
        known = players_named(keys)
        unknown = tuple(name for key, name in keys.items() if key not in known)
        if unknown and not confirm_new:
            return Registered(unknown=unknown)
        known |= new_players(unknown)
        players = {known[key].pk: known[key] for key in keys}  # two nicknames may be of one player
        there = {each.player_id: each for each in Participant.objects.filter(tournament=tournament)}
        if len({*there, *players}) > MOST_PARTICIPANTS:
            raise Invalid(_("A tournament takes %(most)d participants.") % {"most": MOST_PARTICIPANTS})
        number = max((each.number or 0 for each in there.values()), default=0)
        added, before = [], []
        for player in players.values():
            found = there.get(player.pk)
            if found is None:
                number += 1
                Participant.objects.create(tournament=tournament, player=player, number=number)
            elif not found.takes_part:
                bring_back(found)
            else:
                before.append(player.nickname)
                continue
            added.append(player.nickname)
    return Registered(tuple(added), tuple(before))


def _refuse_names(names: Sequence[str]) -> None:
    messages, seen = [], set[str]()
    for name in names:
        if len(name) > NICKNAME_LENGTH:
            words = {"nickname": name[:NICKNAME_LENGTH] + "…", "most": NICKNAME_LENGTH}
            messages.append(_("“%(nickname)s” is longer than %(most)d characters.") % words)
        key = nickname_key(name)
        if key in seen:
            messages.append(_("%(nickname)s stands in the list twice; a player takes part once.") % {"nickname": name})
        seen.add(key)
    if messages:
        raise Invalid(*messages)


def withdraw(participant: Participant) -> None:
    """The participant is seated no more; games played and seats in games to come stay as they are."""
    participant.state = ParticipantState.WITHDRAWN
    participant.save(update_fields=["state"])


def bring_back(participant: Participant) -> None:
    """Somebody who had withdrawn takes part again."""
    participant.state = ParticipantState.REGISTERED
    participant.save(update_fields=["state"])


def removed_players(tournament: Tournament) -> set[int]:
    """Keys of those removed from the tournament by a protocol in force: they are seated no more (A 7.4). One query."""
    rows = SeatResult.objects.filter(stage__tournament=tournament, from_tournament=True, in_force=True)
    return set(rows.order_by().values_list("player", flat=True))


def strike_off(participant: Participant) -> None:
    """Takes a participant off the list altogether. Raises Invalid for one who has a seat in a game."""
    with transaction.atomic():
        _held(participant.tournament)
        if Seat.objects.filter(game__tournament=participant.tournament_id, player=participant.player_id).exists():
            words = {"nickname": participant.player.nickname}
            raise Invalid(_("%(nickname)s has a seat in a game: withdraw the player instead.") % words)
        pairs = Q(first=participant.player_id) | Q(second=participant.player_id)
        KeptApart.objects.filter(pairs, tournament=participant.tournament_id).delete()
        Conflict.objects.filter(tournament=participant.tournament_id, player=participant.player_id).delete()
        participant.delete()


def draw_numbers(tournament: Tournament, *, seed: int) -> None:
    """Gives everybody who takes part a number from 1 by lot; the same seed and people give the same numbers."""
    with transaction.atomic():
        _held(tournament)
        everybody = list(Participant.objects.filter(tournament=tournament).order_by("player__nickname_key"))
        Participant.objects.filter(tournament=tournament).update(number=None)
        drawn = shuffled([each for each in everybody if each.takes_part], Random(seed).random)  # noqa: S311
        for number, participant in enumerate(drawn, start=1):
            participant.number = number
            participant.save(update_fields=["number"])


# ---------------------------------------------------------------- kept apart


def keep_apart(tournament: Tournament, first: Player, second: Player, most: int = 0) -> KeptApart:
    """Of these two no seating makes more than `most` meetings; said again, the new number holds. Raises Invalid."""
    if first.pk == second.pk:
        raise Invalid(_("Name two different players."))
    if not 0 <= most <= MOST_MEETINGS:
        raise Invalid(_("A pair may meet from 0 to %(most)d times.") % {"most": MOST_MEETINGS})
    _refuse_strangers(tournament, (first, second))
    low, high = sorted((first, second), key=lambda player: player.pk)
    pair, _made = KeptApart.objects.update_or_create(
        tournament=tournament, first=low, second=high, defaults={"most": most}
    )
    return pair


def note_conflict(tournament: Tournament, judge: User, player: Player) -> Conflict:
    """This judge judges at no table of this player. Raises Invalid."""
    roles = [MemberRole.JUDGE, MemberRole.HEAD_JUDGE]
    if not Member.objects.filter(tournament=tournament, user=judge, role__in=roles).exists():
        raise Invalid(_("%(judge)s does not judge in this tournament.") % {"judge": printed_name(judge)})
    _refuse_strangers(tournament, (player,))
    conflict, _made = Conflict.objects.get_or_create(tournament=tournament, judge=judge, player=player)
    return conflict


def let_meet(tournament: Tournament, pair: int) -> None:
    """The pair of that key meets as often as others."""
    KeptApart.objects.filter(tournament=tournament, pk=pair).delete()


def let_judge(tournament: Tournament, conflict: int) -> None:
    """The judge of the conflict of that key judges at every table again."""
    Conflict.objects.filter(tournament=tournament, pk=conflict).delete()


def _refuse_strangers(tournament: Tournament, players: Collection[Player]) -> None:
    there = set(Participant.objects.filter(tournament=tournament).values_list("player", flat=True))
    for player in players:
        if player.pk not in there:
            raise Invalid(_("%(nickname)s does not take part in this tournament.") % {"nickname": player.nickname})


def limits_among(
    tournament: Tournament, participants: Sequence[Participant], mates: int | None = None
) -> list[tuple[list[int], int]]:
    """Who of these meets how often at most, by the places in the sequence from 0: pairs named, and teams.

    `mates`: how often two of one team may meet; None keeps teams as free as others.
    """
    places = {each.player_id: place for place, each in enumerate(participants)}
    pairs = KeptApart.objects.filter(tournament=tournament, first__in=places, second__in=places)
    found = [(sorted((places[pair.first_id], places[pair.second_id])), pair.most) for pair in pairs.order_by("pk")]
    if mates is not None:
        teams: dict[str, list[int]] = {}
        for place, each in enumerate(participants):
            if each.team:
                teams.setdefault(nickname_key(each.team), []).append(place)
        found += [(team, mates) for team in teams.values() if len(team) > 1]
    return sorted(found)


def _held(tournament: Tournament) -> None:
    """Holds the tournament's row until the transaction ends, so that of two people one is the first."""
    Tournament.objects.select_for_update().get(pk=tournament.pk)
