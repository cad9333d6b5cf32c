"""The admin shows everything and changes nothing: games, records and sheets have their services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest

from .access import OVER
from .models import (
    Entry,
    Game,
    Member,
    Player,
    RegulationVersion,
    Seat,
    SeatResult,
    SignedSheet,
    Stage,
    Tournament,
)
from .models.regulations import RegulationMove

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
else:
    _ModelAdmin = admin.ModelAdmin


class ReadOnlyAdmin(_ModelAdmin):
    """Lists and shows; adds, changes and deletes nothing."""

    actions = None

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never."""
        return False


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    """Tournaments."""

    list_display = ["title", "city", "starts_on", "regulation"]
    search_fields = ["title", "city"]


@admin.register(Stage)
class StageAdmin(ReadOnlyAdmin):
    """Stages."""

    list_display = ["name", "tournament", "number", "multiplier"]
    list_select_related = ["tournament"]


@admin.register(Member)
class MemberAdmin(ReadOnlyAdmin):
    """Who serves where."""

    list_display = ["user", "tournament", "role"]
    list_select_related = ["user", "tournament"]


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    """Players."""

    list_display = ["nickname", "name", "city", "user"]
    list_select_related = ["user"]
    search_fields = ["nickname_key", "name"]


@admin.register(Game)
class GameAdmin(ReadOnlyAdmin):
    """Games."""

    list_display = ["tournament", "stage", "number", "table_number", "played_on", "judge_name", "status", "revision"]
    list_filter = ["status"]
    list_select_related = ["tournament", "stage"]


@admin.register(Seat)
class SeatAdmin(ReadOnlyAdmin):
    """Seats."""

    list_display = ["game", "number", "nickname"]
    list_select_related = ["game"]


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    """Entries; not those of a table at which the reader plays (RULES §9)."""

    list_display = ["game", "revision", "kind", "seat", "target", "author", "recorded_at"]
    list_filter = ["kind"]
    list_select_related = ["game", "author"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """All entries, but for the open tables of the reader."""
        playing = Seat.objects.filter(player__user=request.user.pk).exclude(game__status__in=OVER)
        return super().get_queryset(request).exclude(Q(game__in=playing.values("game")))


@admin.register(RegulationVersion)
class RegulationVersionAdmin(ReadOnlyAdmin):
    """The versions of tournaments' own regulations."""

    list_display = ["name", "number", "tournament", "code", "author", "created_at", "frozen_at"]
    list_filter = ["code"]
    list_select_related = ["tournament", "author"]
    search_fields = ["name", "tournament__title"]


@admin.register(RegulationMove)
class RegulationMoveAdmin(ReadOnlyAdmin):
    """Which games were given another version, by whom and when."""

    list_display = ["game", "was", "became", "moved_by", "moved_at"]
    list_select_related = ["game__tournament", "moved_by"]


@admin.register(SignedSheet)
class SignedSheetAdmin(ReadOnlyAdmin):
    """Signed sheets."""

    list_display = ["game", "number", "signed_by", "signed_at", "superseded_at"]
    list_select_related = ["game", "signed_by"]


@admin.register(SeatResult)
class SeatResultAdmin(ReadOnlyAdmin):
    """Results of seats."""

    list_display = ["sheet", "seat", "player", "result", "win", "penalty", "extra", "best_move", "in_force"]
    list_select_related = ["sheet__game", "player"]
