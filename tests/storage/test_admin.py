"""The admin shows and changes nothing, not even for a superuser."""

import pytest
from django.test import Client
from django.urls import reverse

from protocols.models import Entry, Game, Member, Player, Seat, SeatResult, SignedSheet, Stage, Tournament
from protocols.services.prepare import seat_players
from protocols.services.sign import seal

from .conftest import NICKNAMES, Cast
from .play import BEGUN, WON_BY_RED, written

MODELS = [Tournament, Stage, Member, Player, Game, Seat, Entry, SignedSheet, SeatResult]


@pytest.fixture
def admin(client: Client, cast: Cast) -> Client:
    """A browser with the superuser's login."""
    client.force_login(cast.superuser)
    return client


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_the_admin_shows_everything_and_changes_nothing(
    admin: Client, game: Game, cast: Cast, model: type[Game]
) -> None:
    written(game, cast.judge, WON_BY_RED)
    seal(game, revision=4, by=cast.judge)
    row = model._default_manager.first()
    assert row is not None
    before = list(model._default_manager.order_by("pk").values())
    name = f"admin:protocols_{model._meta.model_name}"
    form = {field.name: "1" for field in model._meta.fields}
    many = {"action": "delete_selected", "_selected_action": [str(row.pk)], "post": "yes"}
    assert admin.get(reverse(f"{name}_changelist")).status_code == 200
    assert admin.get(reverse(f"{name}_change", args=[row.pk])).status_code == 200
    assert admin.post(reverse(f"{name}_add"), form).status_code == 403
    assert admin.post(reverse(f"{name}_change", args=[row.pk]), form).status_code == 403
    assert admin.post(reverse(f"{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    admin.post(reverse(f"{name}_changelist"), many)
    assert list(model._default_manager.order_by("pk").values()) == before


def test_deleting_a_person_takes_no_record_along(admin: Client, game: Game, cast: Cast) -> None:
    written(game, cast.judge, BEGUN)
    admin.post(reverse("admin:auth_user_delete", args=[cast.judge.pk]), {"post": "yes"})
    cast.judge.refresh_from_db()
    assert (Game.objects.get().judge, Entry.objects.filter(author=cast.judge).count()) == (cast.judge, 3)


def test_a_superuser_who_plays_finds_no_roles_in_the_admin(admin: Client, game: Game, cast: Cast) -> None:
    Player.objects.create(nickname="Играющий", user=cast.superuser)
    seat_players(game, [*NICKNAMES[:9], "Играющий"])
    written(game, cast.judge, BEGUN)
    roles = Entry.objects.get(kind="roles")
    change = reverse("admin:protocols_entry_change", args=[roles.pk])
    assert admin.get(change).status_code == 302  # not found, said on the admin's first page
    written(game, cast.judge, WON_BY_RED[3:])
    assert admin.get(change).status_code == 200


@pytest.mark.parametrize("who", ["judge", "head_judge", "organizer", "stranger"])
def test_the_admin_is_for_staff(client: Client, game: Game, cast: Cast, who: str) -> None:
    client.force_login(getattr(cast, who))
    assert client.get(reverse("admin:protocols_entry_changelist")).status_code == 302
