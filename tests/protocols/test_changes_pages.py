"""Somebody plays no more: a late replacement, seats of a removed player freed (A 7.4), a tournament cancelled."""

from __future__ import annotations

import pytest
from django.test import Client

from protocols.models import Cancellation, Game, Participant, Round, Seat, SeatChange, SeatResult, Stage
from protocols.services import seating_people, seating_runs
from protocols.services.errors import Invalid
from protocols.services.prepare import add_stage
from protocols.services.seating_rounds import seat_rounds

from .test_pages_access import client_of
from .test_seating_rounds import NAMES
from .world import World, world

PAGE = "/t/cup/rounds/changes/"


@pytest.fixture
def cup(db: None) -> World:
    """The tournament; those who played its signed game play on, at a stage of two rounds."""
    made = world()
    seating_people.register(made.tournament, [*made.nicknames, *NAMES[:10]], confirm_new=True)
    stage = add_stage(made.tournament, name="Второй круг")
    keys = list(made.tournament.participants.order_by("number").values_list("player", flat=True))
    seat_rounds(stage, [[keys[:10], keys[10:]], [keys[:10]]], confirmed=True)
    return made


@pytest.fixture
def head() -> Client:
    """The head judge's browser."""
    return client_of("head")


def second() -> Stage:
    """The stage of two rounds."""
    return Stage.objects.get(name="Второй круг")


def replaced(client: Client, cup: World, came: str, since: Game) -> tuple[int, str]:
    """The answer to the first player being replaced by this one from this game on."""
    gone = cup.signed.seats.get(number=1).player_id
    sent = {"part": "replace", "gone": gone, "came": came, "since": since.pk, "reason": "Заболел"}
    answer = client.post(PAGE, sent)
    return answer.status_code, answer.content.decode()


def test_a_late_replacement_leaves_the_games_before_as_they_were(cup: World, head: Client) -> None:
    old, player = cup.nicknames[0], cup.signed.seats.get(number=1).player
    late = Game.objects.get(stage=second(), number=2)
    assert replaced(head, cup, NAMES[0], late)[0] == 302
    where = {(seat.game.stage.name, seat.game.number): seat.nickname for seat in Seat.objects.filter(number=1)}
    assert (where["Отборочная", 4], where["Второй круг", 2]) == (old, NAMES[0])
    assert Seat.objects.filter(game__stage=second(), player=player).get().game.number == 1
    assert [each.state for each in Participant.objects.filter(player=player)] == ["withdrawn"]
    assert f"{old} → {NAMES[0]}: Заболел" in head.get(PAGE).content.decode()


def test_a_replacement_who_sits_elsewhere_in_that_round_is_refused_by_name(cup: World, head: Client) -> None:
    status, html = replaced(head, cup, NAMES[0], Game.objects.get(stage=second(), number=1, table_number=1))
    assert (status, f"Игра 1: {NAMES[0]} уже сидит за столом 2." in html) == (422, True)
    status, html = replaced(head, cup, "Никто", Game.objects.get(stage=second(), number=2))
    assert (status, "Никнейма «Никто» ни у кого нет" in html, SeatChange.objects.count()) == (422, True, 0)


def test_somebody_removed_from_the_tournament_drops_out_and_the_holes_are_shown(cup: World, head: Client) -> None:
    old, player = cup.nicknames[0], cup.signed.seats.get(number=1).player
    SeatResult.objects.filter(player=player).update(from_tournament=True)
    assert f"{old} удалён(а) с турнира" in head.get("/t/cup/rounds/").content.decode()
    assert head.post(PAGE, {"part": "free", "player": player.pk}).status_code == 302
    assert not Seat.objects.filter(game__stage=second(), player=player).exists()
    game = Game.objects.get(stage=second(), number=2)
    assert "Стол 1, места без игрока: 1." in head.get("/t/cup/rounds/2/2/").content.decode()
    words = f"Место 1 свободно: {old}, удаление с турнира (п. 7.4)."
    assert words in head.get(f"/games/{game.uuid}/prepare/").content.decode()
    Participant.objects.filter(player=player).update(state="registered")
    participant = Participant.objects.get(player=player)
    with pytest.raises(Invalid, match=f"{old} удалён"):
        seating_runs.ask_for(second(), [participant], games=1, tables=1, by=cup.people["head"], seed=1)
    Seat.objects.create(game=game, number=1, player=Participant.objects.get(player__nickname=NAMES[3]).player,
                        nickname=NAMES[3])  # fmt: skip
    assert words not in head.get(f"/games/{game.uuid}/prepare/").content.decode()


def test_a_tournament_is_cancelled_with_a_reason_and_what_is_signed_stays(cup: World, head: Client) -> None:
    refused = head.post(PAGE, {"part": "cancel", "reason": "Потоп"})
    assert (refused.status_code, "Ещё играются: игра 2 за столом 1." in refused.content.decode()) == (422, True)
    Game.objects.filter(pk=cup.running.pk).update(status="over")
    assert head.post(PAGE, {"part": "cancel", "reason": "Потоп"}).status_code == 302
    assert (Cancellation.objects.get().reason, Round.objects.filter(cancelled_because="Потоп").count()) == ("Потоп", 3)
    assert "Турнир отменён: Потоп" in Client().get("/t/cup/").content.decode()
    assert Client().get(f"/games/{cup.signed.uuid}/").status_code == 200


def test_the_first_entry_of_a_cancelled_round_is_refused_with_its_reason(cup: World) -> None:
    Round.objects.create(stage=cup.stage, number=1)
    client_of("organizer").post("/t/cup/rounds/1/1/", {"part": "cancel", "reason": "Погас свет"})
    path = f"/games/{cup.prepared.uuid}/prepare/"
    judge = client_of("judge")
    sent = {f"nickname_{seat}": name for seat, name in enumerate(cup.nicknames, start=1)}
    sent |= {f"role_{seat}": role.value for seat, role in enumerate(cup.roles, start=1)}
    header = {
        "stage": cup.stage.pk,
        "number": 1,
        "table_number": 1,
        "played_on": "2026-10-10",
        "judge_name": "Соколова",
    }
    answer = judge.post(path, {**sent, **header, "revision": 0})
    assert (answer.status_code, "Тур 1 отменён: Погас свет" in answer.content.decode()) == (422, True)


def test_only_who_oversees_the_tournament_replaces_players(cup: World) -> None:
    assert [client_of(who).get(PAGE).status_code for who in ("organizer", "head", "judge")] == [200, 200, 403]
