"""Who plays no more, and who plays instead, from some game on; a round or the whole tournament that is not played."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ..exchange.lines import line_written
from ..models import (
    Cancellation,
    Game,
    Participant,
    ParticipantState,
    Player,
    Round,
    Seat,
    SeatChange,
    SeatResult,
    Stage,
    Status,
    Tournament,
    nickname_key,
    nickname_written,
)
from ..rules.terms import SEATS
from ..selectors import players_named
from .errors import Invalid
from .judges import refuse_judge

LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class Removed:
    """A player removed from the tournament (A 7.4) who still has seats in games to come."""

    player: Player
    games: tuple[Game, ...]


def replace_player(
    tournament: Tournament, gone: Player, nickname: str, *, since: Game, reason: str, by: User
) -> SeatChange:
    """From the game `since` on the player of this nickname sits wherever `gone` was to sit; `gone` has withdrawn.

    Games that have begun stay as they were. Raises Invalid, naming game, table and nickname: for a nickname that
    nobody has, a player who has a seat in the same round, one whom a table's judge may not judge, nothing to change.
    """
    with transaction.atomic():
        _held(tournament)
        name = nickname_written(nickname)
        came = players_named([nickname_key(name)]).get(nickname_key(name))
        if came is None:
            raise Invalid(_("Nobody has the nickname “%(nickname)s”: take the player in first.") % {"nickname": name})
        if came.pk == gone.pk:
            raise Invalid(_("Name two different players."))
        seats = list(_seats_to_come(tournament, gone, since))
        if not seats:
            raise Invalid(_("%(nickname)s has no seat in a game that has not begun.") % {"nickname": gone.nickname})
        _refuse_seated(came, seats)
        for seat in seats:
            seat.player, seat.nickname = came, came.nickname
            seat.save(update_fields=["player", "nickname"])
        messages: list[str] = []
        for seat in seats:
            try:
                if seat.game.judge is not None:
                    refuse_judge(seat.game, seat.game.judge)
            except Invalid as error:
                messages += error.messages
        if messages:
            raise Invalid(*messages)
        _takes_no_part(tournament, gone)
        _takes_part(tournament, came)
        return _written(tournament, gone, came.nickname, seats, reason, by)


def free_seats(tournament: Tournament, gone: Player, *, reason: str, by: User) -> SeatChange:
    """The player drops out of all games to come, whose seats stay free until somebody is put there; has withdrawn."""
    with transaction.atomic():
        _held(tournament)
        seats = list(_seats_to_come(tournament, gone))
        if not seats:
            raise Invalid(_("%(nickname)s has no seat in a game that has not begun.") % {"nickname": gone.nickname})
        change = _written(tournament, gone, "", seats, reason, by)
        Seat.objects.filter(pk__in=[seat.pk for seat in seats]).delete()
        _takes_no_part(tournament, gone)
    return change


def removed_and_seated(tournament: Tournament) -> list[Removed]:
    """Who was removed from the tournament and still has seats in games to come; two queries."""
    found: dict[int, list[Seat]] = {}
    removed = SeatResult.objects.filter(tournament=tournament, in_force=True, from_tournament=True).values("player")
    seats = Seat.objects.filter(_not_begun(), game__tournament=tournament, player__in=removed).select_related(
        "player", "game__stage"
    )
    for seat in seats.order_by("player__nickname_key", "game__stage__number", "game__number"):
        found.setdefault(seat.player_id, []).append(seat)
    return [Removed(each[0].player, tuple(seat.game for seat in each)) for each in found.values()]


def freed_in(game: Game, taken: Collection[int]) -> list[tuple[int, SeatChange]]:
    """The seats of a game that somebody left, but those `taken` since, each with how; one query, none when full."""
    found: dict[int, SeatChange] = {}
    if len(taken) < len(SEATS):
        for change in SeatChange.objects.filter(tournament=game.tournament_id, came="").order_by("pk"):
            for uuid, seat in change.seats:
                if uuid == str(game.uuid) and seat not in taken:
                    found[seat] = change
    return sorted(found.items())


def cancel_tournament(tournament: Tournament, *, reason: str, by: User) -> Cancellation:
    """The tournament is not played on, for that reason: what has not begun won't, what is signed or played stays.

    Raises Invalid without a reason, where it is cancelled already, and while a game is under way, naming it.
    """
    reason = _reason(reason)
    with transaction.atomic():
        _held(tournament)
        if Cancellation.objects.filter(tournament=tournament).exists():
            raise Invalid(_("The tournament is cancelled already."))
        running = Game.objects.filter(tournament=tournament, status=Status.RUNNING).select_related("stage")
        if running:
            words = ", ".join(
                _("game %(number)d at table %(table)d") % {"number": game.number, "table": game.table_number}
                for game in running[:5]
            )
            raise Invalid(
                _("Still played: %(games)s. End these games first, or have them broken off.") % {"games": words}
            )
        now = timezone.now()
        row = {"cancelled_at": now, "cancelled_by": by, "cancelled_because": reason}
        for stage, number in _rounds_to_come(tournament):
            Round.objects.update_or_create(stage=stage, number=number, cancelled_at=None, defaults=row)
        return Cancellation.objects.create(tournament=tournament, reason=reason, done_by=by, done_at=now)


def _rounds_to_come(tournament: Tournament) -> list[tuple[Stage, int]]:
    """The rounds of which no game has begun; also those that nobody made rows for, and those without games."""
    begun, found = set(), {}
    for game in Game.objects.filter(tournament=tournament).select_related("stage"):
        key = game.stage_id, game.round or game.number
        found[key] = game.stage
        if game.status != Status.PREPARED or game.revision:
            begun.add(key)
    for row in Round.objects.filter(stage__tournament=tournament).select_related("stage"):
        key = row.stage_id, row.number
        found.setdefault(key, row.stage)
        if row.is_cancelled:
            begun.add(key)
    return [(stage, number) for (pk, number), stage in found.items() if (pk, number) not in begun]


def refuse_cancelled(game: Game) -> None:
    """Raises Invalid where the game is not to be played, because its round is cancelled; one query."""
    row = Round.objects.filter(stage=game.stage_id, number=game.round or game.number).exclude(cancelled_at=None).first()
    if row is not None:
        words = {"round": row.number, "reason": row.cancelled_because}
        raise Invalid(_("Round %(round)d is cancelled: %(reason)s. This game is not played.") % words)


# ---------------------------------------------------------------- common


def _not_begun() -> Q:
    return Q(game__status=Status.PREPARED, game__revision=0)


def _seats_to_come(tournament: Tournament, player: Player, since: Game | None = None) -> QuerySet[Seat]:
    """The player's seats in games that have not begun, from this game on, in the order of play."""
    seats = Seat.objects.filter(_not_begun(), game__tournament=tournament, player=player)
    if since is not None:
        stage: Stage = since.stage
        later = Q(game__stage__number__gt=stage.number) | Q(game__stage=stage, game__number__gte=since.number)
        seats = seats.filter(later)
    return seats.select_related("game__stage", "game__judge").order_by("game__stage__number", "game__number")


def _refuse_seated(came: Player, seats: list[Seat]) -> None:
    messages = []
    for seat in seats:
        game = seat.game
        beside = Q(game=game)
        if game.round is not None:
            beside |= Q(game__stage=game.stage_id, game__round=game.round)
        other = Seat.objects.filter(beside, player=came).select_related("game").first()
        if other is not None:
            words = {"nickname": came.nickname, "table": other.game.table_number, "number": game.number}
            messages.append(_("Game %(number)d: %(nickname)s sits at table %(table)d already.") % words)
    if messages:
        raise Invalid(*messages)


def _takes_no_part(tournament: Tournament, player: Player) -> None:
    Participant.objects.filter(tournament=tournament, player=player).update(state=ParticipantState.WITHDRAWN)


def _takes_part(tournament: Tournament, player: Player) -> None:
    Participant.objects.update_or_create(
        tournament=tournament, player=player, defaults={"state": ParticipantState.REGISTERED}
    )


def _written(tournament: Tournament, gone: Player, came: str, seats: list[Seat], reason: str, by: User) -> SeatChange:
    return SeatChange.objects.create(
        tournament=tournament, gone=gone.nickname, came=came, reason=_reason(reason), done_by=by,
        done_at=timezone.now(), seats=[[str(seat.game.uuid), seat.number] for seat in seats],
    )  # fmt: skip


def _reason(typed: str) -> str:
    reason = line_written(typed)[:LONGEST_REASON]
    if not reason:
        raise Invalid(_("Write the reason."))
    return reason


def _held(tournament: Tournament) -> None:
    """Holds the tournament's row until the transaction ends, so that of two people one is the first."""
    Tournament.objects.select_for_update().get(pk=tournament.pk)
