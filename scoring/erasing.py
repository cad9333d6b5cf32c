"""A player's personal data is erased on request, and every signed sheet still proves itself.

Nicknames enter seals as salted digests alone. The nickname is taken out of the sheets, the seats and every list, and
the salts are forgotten: what was sealed stays sealed, and nobody can show any more whom a digest stood for.

Sheets and logs are guarded against change by triggers; these are taken away and set again within the transaction, so
only who owns the tables can erase (docs of `manage.py erase_player`). What people wrote in words of their own (reasons,
protests, comments) is not looked through; nor are backups, and files that somebody has taken away.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, models, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from protocols.models import (
    OPEN,
    Application,
    Document,
    Game,
    Participant,
    Player,
    Seat,
    SeatChange,
    SeatResult,
    SignedSheet,
    nickname_key,
    triggers,
)
from protocols.models.seal import seal_of
from protocols.services.errors import Invalid

from .cut_models import CutNotice, CutPlace
from .team_models import TeamChange

GUARDED: tuple[type[models.Model], ...] = (SignedSheet, CutPlace, CutNotice, TeamChange)
DRAWN = ("sheets", "documents", "standings", "seasons", "lots", "seatings")
"""Folders of MEDIA_ROOT in which drawn papers are kept; whatever is missing there is drawn anew."""


@dataclass(slots=True)
class Erasure:
    """What an erasure would take away, or has taken."""

    player: Player
    names: tuple[str, ...]  # under which the player is written anywhere
    becomes: str
    counts: Counter[str] = field(default_factory=Counter)
    refusals: list[str] = field(default_factory=list)


def erasure_of(player: Player) -> Erasure:
    """What would go; writes nothing."""
    people = list(Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player)))
    results = SeatResult.objects.filter(player=player).select_related("sheet")
    told = {row.sheet.data["sheet"]["rows"][row.seat - 1]["nickname"] for row in results}
    told |= set(Seat.objects.filter(player=player).values_list("nickname", flat=True))
    names = tuple(sorted(told | {each.nickname for each in people}))
    plan = Erasure(player, names, _("erased on request, no. %(number)d") % {"number": player.pk})
    plan.counts = Counter({
        "sheets": len(results), "seats": Seat.objects.filter(player=player).count(),
        "participations": Participant.objects.filter(player=player).count(),
        "applications": _applications(plan).count(),
        "cuts": CutPlace.objects.filter(player=player).count(),
        "changes": SeatChange.objects.filter(Q(gone__in=names) | Q(came__in=names)).count(),
    })  # fmt: skip
    if Game.objects.filter(seats__player=player, status__in=OPEN).exists():
        plan.refusals.append(_("The player sits in a game that is not signed: finish it or seat somebody else first."))
    if player.merged_into_id is not None:
        plan.refusals.append(_("The player turned out to be another one: erase that one."))
    return plan


def erase(player: Player) -> Erasure:
    """Takes the player's personal data away, all of it or nothing. Raises Invalid."""
    with transaction.atomic():
        plan = erasure_of(Player.objects.select_for_update(of=("self",)).get(pk=player.pk))
        if plan.refusals:
            raise Invalid(*plan.refusals)
        seals = list(SeatResult.objects.filter(player=player).values_list("sheet__sha256", flat=True))
        with _unguarded():
            for result in SeatResult.objects.filter(player=player).select_related("sheet"):
                _take_out(result.sheet, result.seat, plan.becomes)
            _rows(CutPlace).filter(player=player).update(nickname=plan.becomes)
            for notice in CutNotice.objects.all():
                _rewrite(notice, plan, "comes", "goes")
            for change in TeamChange.objects.all():
                _rewrite(change, plan, "change")
        SeatResult.objects.filter(player=player).update(salt="")
        Seat.objects.filter(player=player).update(nickname=plan.becomes)
        for column in ("gone", "came"):
            SeatChange.objects.filter(**{f"{column}__in": plan.names}).update(**{column: plan.becomes})
        Participant.objects.filter(player=player).update(city="", team="")
        _applications(plan).delete()
        for each in Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player)):
            each.nickname = plan.becomes if each.pk == player.pk else f"{plan.becomes}.{each.pk}"
            each.name, each.city, each.user, each.salt = "", "", None, secrets.token_hex(16)
            each.save()
        played = SeatResult.objects.filter(player=player).values("tournament")
        Document.objects.filter(tournament__in=played).delete()
        transaction.on_commit(lambda: _forget_papers(seals))
    return plan


def _applications(plan: Erasure) -> models.QuerySet[Application]:
    keys = {nickname_key(name) for name in plan.names}
    own = [each.pk for each in Application.objects.all() if nickname_key(each.nickname) in keys]
    return Application.objects.filter(Q(player=plan.player) | Q(pk__in=own))


def _take_out(sheet: SignedSheet, seat: int, becomes: str) -> None:
    """The sheet with other words in the place of the nickname; its seal is the same, or nothing is written."""
    data: dict[str, Any] = sheet.data
    told = data["sheet"]
    told["rows"][seat - 1]["nickname"] = becomes
    for remark in told["remarks"]:
        if remark["seat"] == seat:
            remark["nickname"] = becomes
    if seal_of(data) != sheet.sha256:
        raise Invalid(_("The sheet of game %(game)s would not prove itself any more.") % {"game": sheet.game_id})
    _rows(SignedSheet).filter(pk=sheet.pk).update(data=data)


def _rewrite(row: models.Model, plan: Erasure, *columns: str) -> None:
    changed = {}
    for column in columns:
        was = getattr(row, column)
        now = _replaced(was, set(plan.names), plan.becomes)
        if now != was:
            changed[column] = now
    if changed:
        _rows(type(row)).filter(pk=row.pk).update(**changed)


def _replaced(value: Any, names: set[str], becomes: str) -> Any:
    """The same with every text that is one of the names replaced."""
    if isinstance(value, str):
        return becomes if value in names else value
    if isinstance(value, list):
        return [_replaced(each, names, becomes) for each in value]
    return {k: _replaced(v, names, becomes) for k, v in value.items()} if isinstance(value, dict) else value


def _rows(model: type[models.Model]) -> models.QuerySet[Any]:
    """Rows of a guarded model as a plain model has them."""
    return models.QuerySet(model)


@contextmanager
def _unguarded() -> Iterator[None]:
    """The triggers against change are away inside; DDL stands and falls with the transaction in both databases."""
    triggers.remove(connection, list(GUARDED), events=("update",))
    yield
    triggers.install(connection, list(GUARDED), events=("update",))


def _forget_papers(seals: list[str]) -> None:
    """Drawn papers with the nickname: the sheets of these seals, and every table that may hold it."""
    media = Path(settings.MEDIA_ROOT)
    for name in DRAWN:
        for path in (media / name).rglob("*.pdf"):
            if name != "sheets" or any(path.name.startswith(seal) for seal in seals):
                path.unlink(missing_ok=True)
