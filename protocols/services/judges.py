"""Which judge may not have which table: conflicts listed, tables at the same time, a table of one's own."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext as _

from ..models import Conflict, Game, Seat, Status
from .errors import Invalid
from .people import printed_name

NOT_OVER = (Status.PREPARED, Status.RUNNING)


def conflicts_of(game: Game, judge: User | None = None) -> set[int]:
    """Keys of the players with whom a conflict of this judge, or of the game's own, is listed; one query, or none."""
    key = judge.pk if judge is not None else game.judge_id
    if key is None:
        return set()
    found = Conflict.objects.filter(tournament=game.tournament_id, judge=key)
    return set(found.order_by().values_list("player", flat=True))


def refuse_judge(game: Game, judge: User, *, beside: bool = True) -> None:
    """Raises Invalid, naming judge, table and nickname, where this judge may not have this game.

    Nobody judges where they play, or where somebody plays with whom they have a listed conflict; `beside`: nor at two
    tables of one round, nor at one while they play at another, as long as the other game isn't over.
    """
    messages = []
    words = {"judge": printed_name(judge), "table": game.table_number}
    seats = list(Seat.objects.filter(game=game).select_related("player").order_by("number"))
    listed = conflicts_of(game, judge)
    for seat in seats:
        told = words | {"seat": seat.number, "nickname": seat.nickname}
        if seat.player.user_id == judge.pk:
            messages.append(
                _("%(judge)s can’t judge at table %(table)d: plays there, seat %(seat)d, %(nickname)s.") % told
            )
        elif seat.player_id in listed:
            messages.append(
                _("%(judge)s can’t judge at table %(table)d: a conflict is listed with %(nickname)s, seat %(seat)d.")
                % told
            )
    if beside and game.round is not None:
        messages += _beside(game, judge, words)
    if messages:
        raise Invalid(*messages)


def _beside(game: Game, judge: User, words: dict[str, object]) -> list[str]:
    """What the judge has to do at other tables of the round that are not over."""
    others = Game.objects.filter(stage=game.stage_id, round=game.round, status__in=NOT_OVER).exclude(pk=game.pk)
    found = []
    for other in others.filter(judge=judge).order_by("table_number"):
        told = words | {"other": other.table_number, "round": game.round}
        found.append(
            _("%(judge)s can’t judge at table %(table)d: already judges at table %(other)d of round %(round)d.") % told
        )
    playing = Seat.objects.filter(Q(player__user=judge), game__in=others).select_related("game")
    for seat in playing.order_by("game__table_number"):
        told = words | {"other": seat.game.table_number, "round": game.round, "nickname": seat.nickname}
        found.append(
            _("%(judge)s can’t judge at table %(table)d: plays at table %(other)d of round %(round)d, as %(nickname)s.")
            % told
        )
    return found
