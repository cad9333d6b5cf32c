"""Penalties outside a game, and the register of discipline."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from protocols.models import MemberRole, Player, Tournament, triggers
from protocols.models.tournament import nickname_key
from protocols.services.errors import Invalid
from protocols.services.prepare import appoint
from scoring.archives import archive_of, rebuild
from scoring.discipline import register_of
from scoring.discipline_models import PlayerPenalty
from scoring.discipline_services import give_player_penalty
from scoring.penalty_services import revoke_penalty
from scoring.selectors import standings_of
from tests.exchange.records import empty_site

from .lines import PLAYERS
from .tournaments import person, prepared, signed, stage_of, tournament

pytestmark = pytest.mark.django_db
D = Decimal


def cup_with_games() -> Tournament:
    """A signed game with a warning, a removal and a removal from the tournament; the final multiplies."""
    made = tournament("A")
    signed(stage_of(made), warned=(1, 1), removed=(2,), expelled=(3,))
    signed(stage_of(made, "Финал", "1.5"))
    return made


def of(nickname: str) -> Player:
    """The player."""
    return Player.objects.get(nickname_key=nickname_key(nickname))


def give(cup: Tournament, seat: int = 4, points: str | None = "1.5", kind: str = "lateness") -> PlayerPenalty:
    """A penalty of the player who sits there."""
    value = None if points is None else D(points)
    head = User.objects.get(username="head")
    return give_player_penalty(cup, of(PLAYERS[seat - 1]), kind=kind, points=value, reason="Опоздание", by=head)


def total(cup: Tournament, seat: int) -> object:
    """The rating of whoever sits there, in millionths."""
    place = standings_of(cup).table.of(of(PLAYERS[seat - 1]).pk)
    assert place is not None
    return place.rating.total


def test_a_penalty_outside_a_game_comes_off_the_rating_once_whatever_the_multiplier() -> None:
    cup = cup_with_games()
    before = total(cup, 4)
    with CaptureQueriesContext(
        connection,
    ) as without:
        standings_of(cup)
    given = give(cup)
    with CaptureQueriesContext(connection) as with_it:
        assert total(cup, 4) == before - 1_500_000  # type: ignore[operator]
    assert len(with_it) == len(without) + 1  # the player, asked for by the test
    revoke_penalty(given, reason="Ошибка", by=given.given_by)
    assert total(cup, 4) == before


def test_a_yellow_card_takes_off_what_the_regulation_says_of_a_warning() -> None:
    assert give(cup_with_games(), points=None, kind="yellow_card").points == 0  # A has no points for one


@pytest.mark.parametrize("points", [None, "-1", "0.0001", "1001"])
def test_points_that_can_not_be_taken_off_are_refused(points: str | None) -> None:
    cup = cup_with_games()
    with pytest.raises(Invalid):
        give(cup, points=points)
    assert PlayerPenalty.objects.count() == 0


def test_a_penalty_is_revoked_once_and_never_changed_or_deleted() -> None:
    cup = cup_with_games()
    given = give(cup)
    with pytest.raises(Invalid, match="почему"):
        revoke_penalty(given, reason=" ", by=given.given_by)
    revoke_penalty(given, reason="Ошибка", by=given.given_by)
    with pytest.raises(Invalid, match="уже"):
        revoke_penalty(given, reason="Ещё раз", by=given.given_by)
    triggers.install(connection, [PlayerPenalty])  # the test database goes without those against deletion
    for sql in ("UPDATE scoring_playerpenalty SET points = 0", "DELETE FROM scoring_playerpenalty"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)


def test_the_register_tells_everything_by_player_and_clause() -> None:
    cup = cup_with_games()
    give(cup, 1, "2", "yellow_card")
    found = {each.nickname: each for each in register_of(cup, None).players}
    first, second, third = (found[PLAYERS[seat]] for seat in range(3))
    assert (first.warnings, [act.kind for act in first.acts]) == (3, ["warning", "warning"])
    assert [(act.kind, act.points) for act in second.acts] == [("removal", -1000)]
    assert "expulsion" in [act.kind for act in third.acts]
    assert len(found) == 3


def test_the_register_asks_as_much_for_three_games_as_for_one() -> None:
    made = tournament("A")
    stage = stage_of(made)
    signed(stage, warned=(1,))
    with CaptureQueriesContext(connection) as one:
        register_of(made, None)
    signed(stage, warned=(1,))
    signed(stage, removed=(2,))
    with CaptureQueriesContext(connection) as three:
        register_of(made, None)
    assert (len(one), len(three)) == (3, 3)


def test_who_opens_the_register(client: Client) -> None:
    cup = cup_with_games()
    appoint(cup, person("commission"), MemberRole.COMMISSION)
    asked = {}
    for name in ("organizer", "head", "commission", "judge"):
        client.force_login(User.objects.get(username=name))
        given = client.post("/t/cup/discipline/", {"part": "give"}).status_code
        asked[name] = client.get("/t/cup/discipline/").status_code, given
    client.logout()
    asked["stranger"] = client.get("/t/cup/discipline/").status_code, 0
    assert asked == {
        "organizer": (200, 403), "head": (200, 422), "commission": (200, 403), "judge": (403, 403),
        "stranger": (302, 0),
    }  # fmt: skip


def test_the_head_judge_gives_and_revokes_on_the_page_and_everybody_reads_it(client: Client) -> None:
    cup_with_games()
    client.force_login(User.objects.get(username="head"))
    player = of(PLAYERS[3])
    sent = {"part": "give", "player": player.pk, "kind": "lateness", "points": "0,5", "clause": "4.2", "reason": "Спал"}
    assert client.post("/t/cup/discipline/", sent).status_code == 302
    penalty = PlayerPenalty.objects.get()
    assert (penalty.points, penalty.clause, penalty.reason, penalty.given_by.username) == (500, "4.2", "Спал", "head")
    page = client.get(f"/t/cup/players/{player.pk}/").content.decode()
    assert "Вне игры: −0,5: опоздание, Спал (4.2)" in page
    data = json.loads(client.get("/t/cup/standings.json").content)
    fine = {"nickname": player.nickname, "kind": "lateness", "points": "-0.5", "clause": "4.2", "reason": "Спал"}
    assert data["penalties_outside_games"] == [fine]
    why = {"part": "revoke", "penalty": penalty.pk}
    assert client.post("/t/cup/discipline/", {**why, "why": ""}).status_code == 422
    assert client.post("/t/cup/discipline/", {**why, "why": "Ошибка"}).status_code == 302
    assert "Вне игры" not in client.get(f"/t/cup/players/{player.pk}/").content.decode()


def test_the_judge_of_the_next_table_is_told(client: Client) -> None:
    cup = cup_with_games()
    give(cup, 1, "0", "yellow_card")
    game = prepared(cup.stages.get(number=2))
    client.force_login(User.objects.get(username="judge"))
    page = client.get(f"/games/{game.uuid}/prepare/").content.decode()
    assert f"№ 1 {PLAYERS[0]}: 3 предупреждения и карточки" in page
    assert "играть не может: спросите главного судью" in page


def test_penalties_travel_in_the_archive() -> None:
    cup = cup_with_games()
    give(cup)
    revoke_penalty(give(cup, 5), reason="Ошибка", by=User.objects.get(username="head"))
    raw = archive_of(cup)
    empty_site()
    assert archive_of(rebuild(raw).tournament) == raw
