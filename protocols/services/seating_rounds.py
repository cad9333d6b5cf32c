"""Rounds: a seating becomes games with seats, whole or not at all; when each round starts; cancelling one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from ..exchange.lines import line_written
from ..models import (
    CLOSED,
    Game,
    Participant,
    ParticipantState,
    Player,
    Round,
    Seat,
    SeatingRun,
    SeatingState,
    Stage,
    Status,
    Tournament,
)
from ..seating.terms import SEATS
from .errors import Invalid
from .prepare import create_game
from .seating_people import removed_players

Rounds = Sequence[Sequence[Sequence[int]]]  # rounds of tables of ten keys of players, by seat
MOST_NAMED = 5  # games in one sentence


def next_round(stage: Stage) -> int:
    """The number of the round after all that have games."""
    last = Game.objects.filter(stage=stage).order_by("-round").exclude(round=None).first()
    return (last.round or 0) + 1 if last else 1


def unsigned_before(stage: Stage, first_round: int) -> list[Game]:
    """The games of earlier rounds and stages that are not signed yet, in the order of play."""
    earlier = Q(stage=stage) & (Q(round__lt=first_round) | Q(round=None))
    games = Game.objects.filter(earlier | Q(stage__number__lt=stage.number), tournament=stage.tournament_id)
    return list(
        games.exclude(status__in=CLOSED).select_related("stage").order_by("stage__number", "number", "table_number")
    )


def use(
    run: SeatingRun,
    *,
    by: User,
    first_round: int | None = None,
    starts_at: datetime | None = None,
    minutes: int = 60,
    confirmed: bool = False,
) -> list[Round]:
    """Makes the rounds, games and seats of a seating that is drawn. Raises Invalid, with nothing written, as
    `seat_rounds` does, and for a seating that is not drawn, is in use, or seats somebody who has withdrawn since.
    """
    with transaction.atomic():
        _held(run.stage.tournament)
        held = SeatingRun.objects.select_for_update().filter(pk=run.pk).first()
        if held is None or held.state != SeatingState.DONE or held.plan is None:
            raise Invalid(_("This seating is not drawn, is in use already, or has been thrown away."))
        stage = held.stage
        taking_part = set(
            Participant.objects.filter(tournament=stage.tournament_id, state=ParticipantState.REGISTERED).values_list(
                "player", flat=True
            )
        )
        taking_part -= removed_players(stage.tournament)
        gone = Player.objects.filter(pk__in=set(held.players) - taking_part).order_by("nickname_key")
        if gone:
            names = ", ".join(player.nickname for player in gone)
            raise Invalid(_("No longer taking part: %(names)s. Draw a new seating.") % {"names": names})
        plan = [[[held.players[each] for each in game] for game in tables] for tables in held.plan]
        first = first_round or next_round(stage)
        rounds = seat_rounds(
            stage, plan, first_round=first, starts_at=starts_at, minutes=minutes, confirmed=confirmed, seating=held
        )
        held.state, held.used_by, held.used_at, held.first_round = SeatingState.USED, by, timezone.now(), first
        held.save(update_fields=["state", "used_by", "used_at", "first_round"])
    return rounds


def seat_rounds(
    stage: Stage,
    plan: Rounds,
    *,
    first_round: int = 1,
    starts_at: datetime | None = None,
    minutes: int = 60,
    confirmed: bool = False,
    seating: SeatingRun | None = None,
) -> list[Round]:
    """Makes rounds of the stage from `first_round` on, with their games and seats; game n of a table is of round n.

    `starts_at` is the first round's, the others follow `minutes` apart. `confirmed`: unsigned games before it are
    known of. Raises Invalid, with nothing written: for a table that is not of ten, a player twice in a round, games
    that are there already, a cancelled round, unsigned games before it.
    """
    if starts_at is not None and timezone.is_naive(starts_at):
        raise ValueError("a start has a time zone")
    with transaction.atomic():
        _held(stage.tournament)
        numbers = range(first_round, first_round + len(plan))
        _refuse_plan(plan, first_round)
        _refuse_games(stage, numbers)
        waiting = unsigned_before(stage, first_round)
        if waiting and not confirmed:
            raise Invalid(_("Not signed yet: %(games)s. Confirm that you know.") % {"games": games_words(waiting)})
        if starts_at is not None and not stage.tournament.time_zone:
            Tournament.objects.filter(pk=stage.tournament_id).update(time_zone=stage.tournament.zone.key)
        keys = {player for tables in plan for game in tables for player in game}
        nicknames = dict(Player.objects.filter(pk__in=keys).values_list("pk", "nickname"))
        made, seats = [], []
        for number, tables in zip(numbers, plan, strict=True):
            start = starts_at + timedelta(minutes=minutes) * (number - first_round) if starts_at else None
            made.append(_round(stage, number, len(tables), start, seating))
            day = _day(stage, made[-1])
            for table, players in enumerate(tables, start=1):
                game = create_game(
                    stage, played_on=day, judge=None, number=number, table_number=table, round=number
                )  # fmt: skip
                seats += [
                    Seat(game=game, number=seat, player_id=player, nickname=nicknames[player])
                    for seat, player in enumerate(players, start=1)
                ]
        Seat.objects.bulk_create(seats)
    return made


def _round(stage: Stage, number: int, tables: int, start: datetime | None, seating: SeatingRun | None) -> Round:
    found, _made = Round.objects.get_or_create(stage=stage, number=number)
    found.tables, found.seating, found.starts_at = tables, seating, start or found.starts_at
    found.save(update_fields=["tables", "seating", "starts_at"])
    return found


def _day(stage: Stage, round: Round) -> date:
    """The day of a round's games: that of its start where the tournament is, otherwise the tournament's first."""
    if round.starts_at is None:
        return stage.tournament.starts_on
    return round.starts_at.astimezone(stage.tournament.zone).date()


def _refuse_plan(plan: Rounds, first_round: int) -> None:
    messages = []
    for number, tables in enumerate(plan, start=first_round):
        for table, players in enumerate(tables, start=1):
            if len(players) != SEATS:
                words = {"round": number, "table": table, "players": len(players)}
                messages.append(
                    _("Round %(round)d, table %(table)d: a table has ten players, not %(players)d.") % words
                )
        everybody = [player for players in tables for player in players]
        twice = {player for player in everybody if everybody.count(player) > 1}
        for player in Player.objects.filter(pk__in=twice).order_by("nickname_key") if twice else ():
            seated = {"round": number, "nickname": player.nickname}
            messages.append(_("Round %(round)d: %(nickname)s has two seats.") % seated)
    if messages:
        raise Invalid(*messages)


def _refuse_games(stage: Stage, numbers: range) -> None:
    there = Game.objects.filter(Q(round__in=numbers) | Q(number__in=numbers), stage=stage).select_related("stage")
    begun = [game for game in there if game.status != Status.PREPARED or game.revision]
    if begun:
        raise Invalid(_("These games of the same rounds have begun: %(games)s.") % {"games": games_words(begun)})
    if there:
        words = {"games": games_words(list(there))}
        raise Invalid(_("Games of the same rounds are there already: %(games)s.") % words)
    cancelled = Round.objects.filter(stage=stage, number__in=numbers).exclude(cancelled_at=None).first()
    if cancelled is not None:
        raise Invalid(_("Round %(round)d is cancelled.") % {"round": cancelled.number})


def games_words(games: Sequence[Game]) -> str:
    """The games by stage, number and table; of many the first few."""
    words = [
        _("%(stage)s, game %(number)d, table %(table)d")
        % {"stage": game.stage.name, "number": game.number, "table": game.table_number}
        for game in games[:MOST_NAMED]
    ]
    if len(games) > MOST_NAMED:
        words.append(_("and %(n)d more") % {"n": len(games) - MOST_NAMED})
    return "; ".join(words)


# ---------------------------------------------------------------- afterwards


def start_round(round: Round, starts_at: datetime | None) -> None:
    """Says when a round starts; the games of it that have not begun get its day."""
    with transaction.atomic():
        tournament = round.stage.tournament
        if starts_at is not None and not tournament.time_zone:
            Tournament.objects.filter(pk=tournament.pk).update(time_zone=tournament.zone.key)
        round.starts_at = starts_at
        round.save(update_fields=["starts_at"])
        if starts_at is not None:
            round.games.filter(status=Status.PREPARED, revision=0).update(played_on=_day(round.stage, round))


def cancel_round(round: Round, *, reason: str, by: User) -> None:
    """The round will not be played, for that reason. Raises Invalid without one, and once a game of it has begun."""
    reason = line_written(reason)
    if not reason:
        raise Invalid(_("Write why the round is cancelled."))
    with transaction.atomic():
        _held(round.stage.tournament)
        begun = list(round.games.exclude(status=Status.PREPARED, revision=0).select_related("stage"))
        if begun:
            raise Invalid(_("These games of the same rounds have begun: %(games)s.") % {"games": games_words(begun)})
        round.cancelled_at, round.cancelled_by, round.cancelled_because = timezone.now(), by, reason[:200]
        round.save(update_fields=["cancelled_at", "cancelled_by", "cancelled_because"])


def take_back(run: SeatingRun) -> int:
    """Takes a seating out of use: its rounds and games go, and it stays as drawn. Gives how many games went.

    Raises Invalid once one of its games has begun, naming it, and for a seating that is not in use.
    """
    with transaction.atomic():
        _held(run.stage.tournament)
        held = SeatingRun.objects.select_for_update().get(pk=run.pk)
        if held.state != SeatingState.USED:
            raise Invalid(_("This seating is not in use."))
        numbers = list(Round.objects.filter(seating=held).values_list("number", flat=True))
        games = Game.objects.filter(stage=held.stage_id, round__in=numbers).select_related("stage")
        begun = [game for game in games if game.status != Status.PREPARED or game.revision]
        if begun:
            raise Invalid(_("These games of the same rounds have begun: %(games)s.") % {"games": games_words(begun)})
        keys = [game.pk for game in games]
        Seat.objects.filter(game__in=keys).delete()
        Game.objects.filter(pk__in=keys).delete()
        Round.objects.filter(seating=held, cancelled_at=None).delete()
        Round.objects.filter(seating=held).update(seating=None)
        held.state, held.used_by, held.used_at, held.first_round = SeatingState.DONE, None, None, None
        held.save(update_fields=["state", "used_by", "used_at", "first_round"])
    return len(keys)


def open_seating(stage: Stage, *, is_public: bool) -> None:
    """Whether everybody may read who sits where in the stage's games to come."""
    stage.seating_is_public = is_public
    stage.save(update_fields=["seating_is_public"])


def _held(tournament: Tournament) -> None:
    """Holds the tournament's row until the transaction ends, so that of two people one is the first."""
    Tournament.objects.select_for_update().get(pk=tournament.pk)
