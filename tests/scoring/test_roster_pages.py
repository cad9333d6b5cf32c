"""A list of players on its page: shown with what is doubtful in it, and written once that is confirmed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from protocols.models import Participant, Player
from protocols.services import seating_people
from scoring.team_models import Team, TeamMember
from scoring.team_services import add_team
from tests.protocols.markup import Page
from tests.protocols.world import PASSWORD, World, world

PAGE = "/t/cup/participants/list/"


@pytest.fixture
def cup(db: None) -> World:
    """The tournament of the tests; nobody is a participant of it yet."""
    return world()


@pytest.fixture
def organizer(cup: World) -> Client:
    """The organizer's browser."""
    client = Client()
    assert client.login(username="organizer", password=PASSWORD)
    return client


def shown(client: Client, text: str, **fields: Any) -> dict[str, str]:
    """The form that the preview of these lines offers to be confirmed."""
    answer = client.post(PAGE, {"text": text, **fields})
    assert answer.status_code == 200
    form = next(each for each in Page(answer.content.decode()).forms if "seen" in dict(each.fields))
    return {"text": text, **{name: value for name, value in form.fields if name != "text"}, **fields}


def words(html: str) -> str:
    """What a reader sees, without the tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def everybody(cup: World) -> list[tuple[str, str, str]]:
    """Nickname, city and team of the participants in the order of their numbers."""
    found = cup.tournament.participants.select_related("player").order_by("number")
    return [(each.player.nickname, each.city, each.team) for each in found]


def test_nothing_is_written_before_it_is_confirmed(cup: World, organizer: Client) -> None:
    players = Player.objects.count()
    form = shown(organizer, "Никнейм;Имя;Город;Команда\nЁлка;Анна Белова;Омск;Север\nКот;;;Север\n")
    assert (Player.objects.count(), Participant.objects.count(), Team.objects.count()) == (players, 0, 0)
    answer = organizer.post(PAGE, form, follow=True)
    assert "Добавлено участников: 2" in words(answer.content.decode())
    assert everybody(cup) == [("Ёлка", "Омск", "Север"), ("Кот", "", "Север")]
    assert list(Player.objects.filter(nickname="Ёлка").values_list("name", "city")) == [("Анна Белова", "Омск")]
    assert [each.player.nickname for each in TeamMember.objects.order_by("pk")] == ["Ёлка", "Кот"]


@pytest.mark.parametrize("how", ["cp1251", "utf-8-sig"])
def test_a_file_is_shown_as_text_that_can_be_mended(cup: World, organizer: Client, how: str) -> None:
    file = SimpleUploadedFile("список.csv", "Ник;Город\nЁлка;Омск\n;Тверь\n".encode(how))
    html = organizer.post(PAGE, {"text": "", "file": file}).content.decode()
    assert ("Windows-1251" in html) == (how == "cp1251")
    assert "строка 3 Тверь нет никнейма" in words(html)
    form = next(each for each in Page(html).forms if "seen" in dict(each.fields))
    organizer.post(PAGE, {**dict(form.fields), "text": "Ник;Город\nЁлка;Омск\n;Тверь\n"})
    assert everybody(cup) == [("Ёлка", "Омск", "")]


def test_a_look_alike_is_asked_about_and_not_taken_without_an_answer(cup: World, organizer: Client) -> None:
    known = Player.objects.create(nickname="Ёлка")
    form = shown(organizer, "Елкa\nЕЛКА\nКот")  # the a of the first is Latin
    answer = organizer.post(PAGE, form)
    assert (answer.status_code, Participant.objects.count()) == (422, 0)
    assert "Строка 1: скажите, Елкa — тот же игрок или другой" in words(answer.content.decode())
    organizer.post(PAGE, {**form, "who-1": f"player-{known.pk}", "who-2": "line-1"})
    assert everybody(cup) == [("Ёлка", "", ""), ("Кот", "", "")]
    assert not Player.objects.filter(nickname__in=("Елкa", "ЕЛКА")).exists()


def test_a_look_alike_may_be_another_player(cup: World, organizer: Client) -> None:
    Player.objects.create(nickname="Ёлка")
    form = shown(organizer, "Елка;Анна;Омск\nелка 1;Ольга")
    organizer.post(PAGE, {**form, "who-1": "new"})
    assert everybody(cup) == [("Елка", "Омск", ""), ("елка 1", "", "")]


def test_answers_that_were_not_offered_are_none(cup: World, organizer: Client) -> None:
    stranger = Player.objects.create(nickname="Сова")
    Player.objects.create(nickname="Ёлка")
    form = shown(organizer, "Елка")
    for answer in (f"player-{stranger.pk}", "line-1", "line-7", "", "-1"):
        assert organizer.post(PAGE, {**form, "who-1": answer}).status_code == 422
    assert Participant.objects.count() == 0


def test_a_nickname_twice_in_the_list_is_taken_once(cup: World, organizer: Client) -> None:
    html = organizer.post(PAGE, {"text": "Кот\nКОТ\nкот;Иван"}).content.decode()
    assert words(html).count("уже есть в строке 1") == 2
    organizer.post(PAGE, shown(organizer, "Кот\nКОТ\nкот;Иван"))
    assert everybody(cup) == [("Кот", "", "")]
    assert Player.objects.get(nickname="Кот").name == "Иван"


def test_a_formula_is_plain_text_and_warned_of(cup: World, organizer: Client) -> None:
    html = organizer.post(PAGE, {"text": "=HYPERLINK(1)\nКот"}).content.decode()
    assert words(html).count("начинается как формула") == 1
    organizer.post(PAGE, shown(organizer, "=HYPERLINK(1)\nКот"))
    assert everybody(cup) == [("=HYPERLINK(1)", "", ""), ("Кот", "", "")]


def test_what_is_known_stays_and_what_is_not_is_added(cup: World, organizer: Client) -> None:
    Player.objects.create(nickname="Ёлка", name="Анна Белова")
    text = "ёлка;А. Белова;Омск"
    html = words(organizer.post(PAGE, {"text": text}).content.decode())
    assert ("имя: остаётся «Анна Белова»" in html, "добавится: город" in html) == (True, True)
    organizer.post(PAGE, shown(organizer, text))
    assert list(Player.objects.filter(nickname="Ёлка").values_list("name", "city")) == [("Анна Белова", "Омск")]


def test_who_is_there_stays_and_who_had_withdrawn_comes_back(cup: World, organizer: Client) -> None:
    seating_people.register(cup.tournament, ["Ёлка", "Кот"], confirm_new=True)
    seating_people.withdraw(cup.tournament.participants.get(player__nickname="Кот"))
    organizer.post(PAGE, shown(organizer, "Кот\nЁлка\nСова"))
    found = cup.tournament.participants.order_by("number")
    assert [(each.number, each.player.nickname, each.takes_part) for each in found] == [
        (1, "Ёлка", True), (2, "Кот", True), (3, "Сова", True),
    ]  # fmt: skip


def test_nobody_is_taken_from_another_team(cup: World, organizer: Client) -> None:
    south = add_team(cup.tournament, name="Юг")
    cat = Player.objects.create(nickname="Кот")
    TeamMember.objects.create(tournament=cup.tournament, team=south, player=cat)
    text = "Кот\t\t\tСевер\nЁлка\t\t\tсевер"
    assert "Кот остаётся в команде «Юг»" in words(organizer.post(PAGE, {"text": text}).content.decode())
    organizer.post(PAGE, shown(organizer, text))
    found = TeamMember.objects.order_by("team__name").values_list("team__name", "player__nickname")
    assert list(found) == [("Север", "Ёлка"), ("Юг", "Кот")]


def test_what_changed_since_the_list_was_shown_is_shown_before_it_is_written(cup: World, organizer: Client) -> None:
    form = shown(organizer, "Ёлка\nКот")
    Player.objects.create(nickname="Елка")
    answer = organizer.post(PAGE, form)
    assert (answer.status_code, Participant.objects.count()) == (422, 0)
    assert "посмотрите на него ещё раз" in words(answer.content.decode())
    assert organizer.post(PAGE, {**form, "text": "Ёлка\nКот\nСова"}).status_code == 422  # nor another list


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Вставьте игроков сюда или выберите файл."),
        ("Игрок\n" * 5000, "Строк в списке: 5000; за один раз читается не больше 1000."),
        ("Имя;Город\nИван;Омск", "Под заголовками нет столбца с никнеймами: Имя, Город."),
    ],
)
def test_what_is_no_list_is_refused_in_words(cup: World, organizer: Client, text: str, why: str) -> None:
    answer = organizer.post(PAGE, {"text": text})
    assert (answer.status_code, why in words(answer.content.decode())) == (422, True)


def test_more_participants_than_a_tournament_takes_are_refused(cup: World, organizer: Client) -> None:
    text = "\n".join(f"Игрок номер {n}" for n in range(401))
    html = organizer.post(PAGE, {"text": text}).content.decode()
    assert ("В турнире не больше 400 участников." in words(html), "Записать участников" in html) == (True, False)
    assert (organizer.post(PAGE, {"text": text, "seen": "x"}).status_code, Participant.objects.count()) == (422, 0)


def test_a_file_that_is_none_is_refused_in_words(cup: World, organizer: Client) -> None:
    file = SimpleUploadedFile("players.xlsx", b"PK\x03\x04nonsense")
    answer = organizer.post(PAGE, {"text": "", "file": file})
    assert (answer.status_code, "Файл Excel повреждён" in answer.content.decode()) == (422, True)


def test_nicknames_typed_without_a_list_are_compared_too(cup: World, organizer: Client) -> None:
    Player.objects.create(nickname="Ёлка")
    answer = organizer.post("/t/cup/participants/", {"part": "add", "nicknames": "Елка\nКот"})
    assert "Елка (похоже на Ёлка), Кот" in words(answer.content.decode())


def test_only_the_organizer_reads_and_writes_lists(cup: World) -> None:
    for who in ("head", "judge", "plain"):
        client = Client()
        client.force_login(cup.people[who])
        assert [client.get(PAGE).status_code, client.post(PAGE, {"text": "Кот"}).status_code] == [403, 403]
