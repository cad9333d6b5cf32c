"""Personal data is erased on request, and what was signed still proves itself."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client

from protocols.models import Player, Seat, SignedSheet, Tournament
from protocols.models.tournament import nickname_key
from protocols.services.verify import differences
from scoring.ratings import Rating
from scoring.selectors import standings_of

from .lines import PLAYERS
from .tournaments import prepared, signed, stage_of, tournament

pytestmark = pytest.mark.django_db
GONE = PLAYERS[1]


def erased(*options: str) -> str:
    """What the command says."""
    out = StringIO()
    call_command("erase_player", GONE, *options, stdout=out)
    return out.getvalue()


def ratings_by_player(cup: Tournament) -> dict[int, Rating]:
    """The rating of each; equal players stand in the order of their nicknames, which erasing changes."""
    return {place.rating.player_id: place.rating for place in standings_of(cup).table.places}


def test_the_nickname_is_gone_everywhere_and_every_sheet_still_proves_itself(
    client: Client, django_capture_on_commit_callbacks: object
) -> None:
    cup = tournament("A")
    games = [signed(stage_of(cup), warned=(2,), removed=(2,)), signed(stage_of(cup, "Финал", "1.5"))]
    client.get(f"/games/{games[0].uuid}/sheet.pdf")
    player = Player.objects.get(nickname_key=nickname_key(GONE))
    salt, rating = player.salt, ratings_by_player(cup)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        assert erased("--yes").endswith("Стёрто.\n")
    player.refresh_from_db()
    becomes = f"удалён по просьбе, № {player.pk}"
    assert (player.nickname, player.name, player.city, player.salt == salt) == (becomes, "", "", False)
    assert set(Seat.objects.filter(player=player).values_list("nickname", flat=True)) == {becomes}
    for game in games:
        game.refresh_from_db()
        assert differences(game) == []
    told = str(list(SignedSheet.objects.values_list("data", flat=True)))
    assert (GONE in told, becomes in told) == (False, True)
    assert ratings_by_player(cup) == rating
    for path in ("/t/cup/standings/", f"/games/{games[0].uuid}/", f"/games/{games[0].uuid}/record.json"):
        assert GONE not in client.get(path).content.decode(), path
    seal = games[0].sheets.get().sha256
    assert list((Path(settings.MEDIA_ROOT) / "sheets" / seal[:2]).glob(f"{seal}*.pdf")) == []
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE protocols_signedsheet SET sha256 = 'x'")


def test_a_preview_erases_nothing() -> None:
    cup = tournament("A")
    signed(stage_of(cup))
    assert "  подписанные бланки: 1\n" in erased()
    assert Player.objects.filter(nickname=GONE).exists()


def test_who_sits_in_a_game_that_is_not_signed_is_not_erased() -> None:
    prepared(stage_of(tournament("A")))
    with pytest.raises(CommandError, match="не подписан"):
        erased("--yes")
    assert Player.objects.filter(nickname=GONE).exists()
