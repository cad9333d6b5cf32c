"""A tournament as it runs: judges of a round's tables, and games moved to another round or table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from ..models import OPEN, Game, Member, MemberRole, Round, Seat, Stage, Status, Tournament
from .errors import Invalid
from .judges import NOT_OVER, refuse_judge
from .people import printed_name

MOST_TABLES = 99


@dataclass(frozen=True, slots=True)
class Wish:
    """Who is to judge a game: `before` is who judged it on the page that was looked at, None nobody."""

    judges: Sequence[int]  # keys of users; more than one is refused
    before: int | None


def games_of_round(stage: Stage, number: int) -> QuerySet[Game]:
    """The games of a round by table; a game that no round was made for is in that of its own number."""
    of_it = Q(round=number) | Q(round=None, number=number)
    return Game.objects.filter(of_it, stage=stage).order_by("table_number", "number")


def assign_judges(stage: Stage, number: int, wishes: Mapping[int, Wish]) -> int:
    """Gives the games of a round, by their keys, to these judges; all of it or nothing. Gives how many changed.

    Judges may change places within the round. Raises Invalid naming judge, table and nickname: for two judges at one
    table, one at two, a listed conflict, somebody who plays, and a table that somebody else was given meanwhile.
    """
    with transaction.atomic():
        _held(stage.tournament)
        games = {game.pk: game for game in games_of_round(stage, number).select_for_update()}
        people = _judges_of(stage.tournament)
        changed, messages = [], []
        for game in sorted(games.values(), key=lambda game: game.table_number):
            wish = wishes.get(game.pk)
            if wish is None or game.status not in OPEN:
                continue
            words = {"table": game.table_number}
            if len(set(wish.judges)) > 1:
                names = ", ".join(printed_name(people.get(judge)) for judge in dict.fromkeys(wish.judges))
                messages.append(
                    _("Table %(table)d: two judges, %(names)s. A table has one judge: leave one of them.")
                    % (words | {"names": names})
                )
                continue
            wanted = wish.judges[0] if wish.judges else None
            if wanted == wish.before or wanted == game.judge_id:
                continue
            if game.judge_id != wish.before:
                messages.append(
                    _("Table %(table)d: meanwhile %(judge)s was given this table, and a table has one.")
                    % (words | {"judge": game.judge_name or "—"})
                )
                continue
            if wanted is not None and wanted not in people:
                messages.append(_("Table %(table)d: this person does not judge in this tournament.") % words)
                continue
            if wanted is None and game.status != Status.PREPARED:
                messages.append(_("Table %(table)d: the game has begun, so that somebody has to judge it.") % words)
                continue
            game.judge = people[wanted] if wanted is not None else None
            game.judge_name = printed_name(game.judge)
            changed.append(game)
        if messages:
            raise Invalid(*messages)
        for game in changed:
            game.save(update_fields=["judge", "judge_name"])
        for game in changed:
            try:
                if game.judge is not None:
                    refuse_judge(game, game.judge)
            except Invalid as error:
                messages += [each for each in error.messages if each not in messages]
        if messages:
            raise Invalid(*messages)
    return len(changed)


def move_game(game: Game, *, round: int, table: int) -> Game:
    """Moves a game that is not signed to another table or, before it begins, to another round of its stage.

    Raises Invalid, naming what stands there, who of its players sits elsewhere in that round, and whose judge
    has another table then.
    """
    with transaction.atomic():
        _held(game.tournament)
        held = Game.objects.select_for_update(of=("self",)).select_related("stage__tournament", "judge").get(pk=game.pk)
        _refuse_move(held, round, table)
        if round != held.round:
            held.number = round
            held.round = round
        held.table_number = table
        row = Round.objects.filter(stage=held.stage_id, number=round).first()
        if row is not None and row.starts_at is not None and held.status == Status.PREPARED:
            held.played_on = row.starts_at.astimezone(held.stage.tournament.zone).date()
        held.save(update_fields=["round", "number", "table_number", "played_on"])
        if held.judge is not None and held.status in NOT_OVER:
            refuse_judge(held, held.judge)
        tables = Game.objects.filter(stage=held.stage_id, round=round).count()
        Round.objects.update_or_create(stage=held.stage, number=round, defaults={"tables": tables})
    return held


def _refuse_move(game: Game, round: int, table: int) -> None:
    if game.status not in OPEN:
        raise Invalid(_("The protocol is signed: the game stays where it was played."))
    if not (1 <= round <= 999 and 1 <= table <= MOST_TABLES):
        raise Invalid(_("A round has a number from 1 to 999, a table one from 1 to %(most)d.") % {"most": MOST_TABLES})
    moves_round = round != game.round
    if moves_round and (game.status != Status.PREPARED or game.revision):
        raise Invalid(_("The game has begun: it can go to another table, and not to another round."))
    row = Round.objects.filter(stage=game.stage_id, number=round).first()
    if row is not None and row.is_cancelled:
        raise Invalid(_("Round %(round)d is cancelled.") % {"round": round})
    there = Game.objects.filter(stage=game.stage_id, round=round).exclude(pk=game.pk)
    taken = set(there.values_list("table_number", flat=True))
    number = round if moves_round else game.number
    same = Game.objects.filter(stage=game.stage_id, number=number, table_number=table).exclude(pk=game.pk)
    if table in taken or same.exists():
        taken |= set(Game.objects.filter(stage=game.stage_id, number=number).values_list("table_number", flat=True))
        free = next(each for each in range(1, MOST_TABLES + 2) if each not in taken)
        raise Invalid(
            _("At table %(table)d of round %(round)d there is a game already; table %(free)d is free.")
            % {"table": table, "round": round, "free": free}
        )
    players = Seat.objects.filter(game=game).values("player")
    messages = [
        _("%(nickname)s sits at table %(table)d in round %(round)d already.")
        % {"nickname": seat.nickname, "table": seat.game.table_number, "round": round}
        for seat in Seat.objects.filter(game__in=there, player__in=players)
        .select_related("game")
        .order_by("game__table_number", "number")
    ]
    if moves_round and messages:
        raise Invalid(*messages)


def _judges_of(tournament: Tournament) -> dict[int, User]:
    """Whoever may be given a game, by key."""
    roles = [MemberRole.JUDGE, MemberRole.HEAD_JUDGE]
    serving = Member.objects.filter(tournament=tournament, role__in=roles).values("user")
    return {user.pk: user for user in User.objects.filter(pk__in=serving, is_active=True)}


def _held(tournament: Tournament) -> None:
    """Holds the tournament's row until the transaction ends, so that of two people one is the first."""
    Tournament.objects.select_for_update().get(pk=tournament.pk)
