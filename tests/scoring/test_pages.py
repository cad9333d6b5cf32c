"""The pages of standings read back: their figures, who may see and do what, and what a running game never changes."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from protocols.models import Stage, Tournament
from protocols.rules import entries as e
from protocols.rules.terms import AFTER, ROLE_OF_LETTER, SETUP, Moment, Phase, Result
from protocols.services.sign import seal
from scoring.models import Lot

from .lines import PLAYERS
from .tournaments import PASSWORD, ROLES, person, player, prepared, signed, stage_of, tournament, write

pytestmark = pytest.mark.django_db
PAGE, PDF, LOTS = "/t/cup/standings/", "/t/cup/standings.pdf", "/t/cup/lots/"


class Tables(HTMLParser):
    """The cells of all tables of a page, row by row, without their markup."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._in_cell = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self._in_cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._in_cell = False
            self.rows[-1][-1] = " ".join(self.rows[-1][-1].split())

    def handle_data(self, data: str) -> None:
        if self._in_cell:
            self.rows[-1][-1] += data


def rows_of(client: Client, address: str = PAGE) -> list[list[str]]:
    """The rows of the page's tables."""
    response = client.get(address)
    assert response.status_code == 200
    return Tables(response.content.decode()).rows


def as_(username: str) -> Client:
    """A browser of that person."""
    client = Client()
    client.force_login(User.objects.get(username=username))
    return client


def two_games(regulation: str = "A") -> Tournament:
    """A game of the first stage and one of the final ×1.5."""
    made = tournament(regulation)
    signed(stage_of(made), "black", extra={2: "0.5"}, shot=3, hits=2)
    signed(stage_of(made, "Финал", "1.5"), "red", shot=1, hits=3, removed=(2,))
    return made


HEAD = ["Место", "Никнейм", "Рейтинг", "Игры", "Победы", "Баллы", "Доп. баллы", "Штраф", "Что решило"]


def test_the_page_shows_every_player_with_the_parts_of_the_rating(client: Client) -> None:
    two_games()
    assert rows_of(client) == [
        HEAD,
        ["1", "Астра", "5,25", "2", "1", "4,5", "0,75", "—", "рейтинг"],
        ["2", "Вихрь", "5,00", "2", "1", "4,5", "0,50", "—", "рейтинг"],
        ["3–6", "Гранит", "4,50", "2", "1", "4,5", "0,00", "—", "жребий"],
        ["3–6", "Дельта", "4,50", "2", "1", "4,5", "0,00", "—", "жребий"],
        ["3–6", "Ёлка", "4,50", "2", "1", "4,5", "0,00", "—", "жребий"],
        ["3–6", "Жасмин", "4,50", "2", "1", "4,5", "0,00", "—", "жребий · рейтинг"],
        ["7", "Барс", "4,00", "2", "1", "4,5", "0,50", "−1", "доп. баллы 0,5 : 0,0 п. 8.5"],
        ["8", "Каштан", "4,00", "2", "1", "4,0", "0,00", "—", "победы доном и шерифом 1 : 0 п. 8.5.2"],
        ["9–10", "Зенит", "4,00", "2", "1", "4,0", "0,00", "—", "жребий"],
        ["9–10", "Ирис", "4,00", "2", "1", "4,0", "0,00", "—", "жребий"],
    ]
    assert "Финал ×1,5" in client.get(PAGE).content.decode()


def test_the_federation_has_a_column_of_compensation(client: Client) -> None:
    two_games("F")
    head, first, *_ = rows_of(client)
    assert head == [*HEAD[:-1], "Ci", HEAD[-1]]
    # lost game 1 as its first victim, with two of three named: 0.25 and Ci
    assert first == ["1", "Вихрь", "2,15", "2", "1", "1,5", "0,25", "—", "0,4", "рейтинг"]


@pytest.mark.parametrize(
    ("query", "found"),
    [("ёлк", ["Ёлка"]), ("ЕЛКА", ["Ёлка"]), ("ри", ["Ирис"]), ("  и ", ["Вихрь", "Гранит", "Жасмин", "Зенит", "Ирис"])],
)
def test_a_name_is_found_however_it_is_typed(client: Client, query: str, found: list[str]) -> None:
    two_games()
    response = client.get(PAGE, {"q": query})
    rows = Tables(response.content.decode()).rows[1:]
    assert sorted(row[1] for row in rows) == found
    assert {tuple(row) for row in rows} <= {tuple(row) for row in rows_of(client)}


def test_a_name_that_nobody_has_is_told(client: Client) -> None:
    two_games()
    page = client.get(PAGE, {"q": "<b>Никто"}).content.decode()
    assert Tables(page).rows == []
    assert "Никого с никнеймом «&lt;b&gt;Никто» здесь нет." in page


def test_a_row_is_an_address_that_can_be_shared(client: Client) -> None:
    two_games()
    page = client.get(PAGE).content.decode()
    assert page.count(f'id="player-{player("Ёлка").pk}"') == 1


@pytest.mark.parametrize(
    ("games", "words"),
    [(1, "Ещё не подписана 1 игра: в таблице её нет."), (2, "Ещё не подписаны 2 игры: в таблице их нет.")],
)
def test_standings_are_preliminary_while_games_are_not_signed(client: Client, games: int, words: str) -> None:
    made = two_games()
    assert "Предварительно" not in client.get(PAGE).content.decode()
    for _ in range(games):
        prepared(Stage.objects.filter(tournament=made)[0])
    page = client.get(PAGE).content.decode()
    assert ("Предварительно." in page, words in page) == (True, True)


def test_a_tournament_without_a_signed_game_says_so(client: Client) -> None:
    prepared(stage_of(tournament()))
    page = client.get(PAGE).content.decode()
    assert Tables(page).rows == []
    assert "Ещё не подписана ни одна игра." in page


def test_a_running_game_changes_nothing_before_it_is_signed(client: Client) -> None:
    made = two_games()
    game = prepared(Stage.objects.filter(tournament=made)[0])
    astra = reverse("player", args=["cup", player("Астра").pk])
    before = [client.get(address).content for address in (PAGE, astra, f"{PAGE}?q=а")]
    steps: list[e.Entry] = [
        e.Roles(moment=SETUP, roles=tuple(ROLE_OF_LETTER[letter] for letter in reversed(ROLES))),
        e.Shot(moment=Moment(1, Phase.NIGHT), target=5),
        e.Foul(moment=AFTER, seat=4),
        e.GameOver(moment=AFTER, result=Result.BLACK),
        e.ExtraPoints(moment=AFTER, seat=4, points=500),
    ]
    for step in steps:
        write(game, [step])
        assert [client.get(address).content for address in (PAGE, astra, f"{PAGE}?q=а")] == before
    seal(game, revision=game.revision, by=User.objects.get(username="judge"))
    assert client.get(PAGE).content != before[0]


@pytest.mark.parametrize("games", [1, 3])
@pytest.mark.parametrize(("username", "queries"), [("", 10), ("judge", 12)])
def test_the_page_costs_few_queries(
    games: int, username: str, queries: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    stage = stage_of(tournament())
    for number in range(games):
        signed(stage, "red", nicknames=[f"{nickname} {number}" for nickname in PLAYERS])
    browser = as_(username) if username else Client()
    with django_assert_num_queries(queries):
        assert browser.get(PAGE).status_code == 200


@pytest.mark.parametrize("games", [1, 3])
def test_a_players_page_costs_few_queries(
    games: int, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    stage = stage_of(tournament())
    for _ in range(games):
        signed(stage)
    address = reverse("player", args=["cup", player("Астра").pk])
    with django_assert_num_queries(9):
        assert client.get(address).status_code == 200


# --- one player


def test_a_player_sees_what_each_game_brought(client: Client) -> None:
    two_games()
    assert rows_of(client, reverse("player", args=["cup", player("Барс").pk])) == [
        ["Игра", "Роль", "Итог", "В рейтинг", "За победу", "От судьи", "Лучший ход", "Штраф"],
        ["№ 1, стол 1", "К", "поражение", "0,50", "0", "0,5", "", ""],
        ["За стадию", "0,50", ""],
        ["Игра", "Роль", "Итог", "В рейтинг", "За победу", "От судьи", "Лучший ход", "Штраф"],
        ["№ 1, стол 1", "К", "победа удалён", "3,50", "3", "", "", "−1"],
        ["За стадию", "3,50", ""],
        ["доп. баллы п. 8.5", "0,5"],
        ["победы п. 8.5.1", "1"],
        ["победы доном и шерифом п. 8.5.2", "0"],
        ["первая жертва п. 8.5.3", "0"],
    ]


def test_an_annulled_game_is_shown_and_brings_nothing(client: Client) -> None:
    made = two_games()
    signed(Stage.objects.filter(tournament=made)[0], "annulled")
    rows = rows_of(client, reverse("player", args=["cup", player("Барс").pk]))
    assert rows[2] == ["№ 2, стол 1", "К", "аннулирована", "", "", "", "", ""]


def test_a_player_without_a_signed_game_of_the_tournament_has_no_page(client: Client) -> None:
    made = tournament()
    prepared(stage_of(made))
    assert client.get(reverse("player", args=["cup", player("Астра").pk])).status_code == 404


# --- who may


@pytest.mark.parametrize("address", [PAGE, PDF, "player"])
def test_a_private_tournament_is_seen_by_those_who_serve_in_it(client: Client, address: str) -> None:
    made = two_games()
    Tournament.objects.filter(pk=made.pk).update(is_public=False)
    person("stranger")
    address = reverse("player", args=["cup", player("Астра").pk]) if address == "player" else address
    assert client.get(address).status_code == 404
    assert as_("stranger").get(address).status_code == 404
    for username in ("judge", "head", "organizer"):
        assert as_(username).get(address).status_code == 200


@pytest.mark.parametrize(("username", "sees"), [("", False), ("judge", False), ("head", True), ("organizer", True)])
def test_only_whoever_runs_the_tournament_is_offered_a_lot(username: str, sees: bool) -> None:
    two_games()
    page = (as_(username) if username else Client()).get(PAGE).content.decode()
    assert ("Бросить жребий за места 3–6" in page) == sees


SURNAMES = {"head": "Главная", "organizer": "Орлова"}


def tied() -> dict[str, list[int]]:
    """What the form of the second lot sends."""
    return {"player": [player("Зенит").pk, player("Ирис").pk]}


@pytest.mark.parametrize("username", ["head", "organizer"])
def test_a_lot_drawn_on_the_page_orders_it_and_says_who_drew_it(client: Client, username: str) -> None:
    two_games()
    response = as_(username).post(LOTS, tied(), follow=True)
    assert "Жребий брошен и записан" in response.content.decode()
    last, most = rows_of(client)[-1], rows_of(client)[-2]
    assert ([most[0], last[0]], most[-1]) == (["9", "10"], "жребий п. 8.5.4")
    page = client.get(PAGE).content.decode()
    assert "Жребии брошены: 1" in page
    assert f"· {SURNAMES[username]}</span>" in page


def test_nobody_else_draws_a_lot(client: Client) -> None:
    two_games()
    person("stranger")
    response = client.post(LOTS, tied())
    assert response.status_code == 401
    assert as_("judge").post(LOTS, tied()).status_code == 403
    assert as_("stranger").post(LOTS, tied()).status_code == 403
    assert as_("head").get(LOTS).status_code == 405
    guarded = Client(enforce_csrf_checks=True)
    guarded.login(username="head", password=PASSWORD)
    assert guarded.post(LOTS, tied()).status_code == 403
    assert Lot.objects.count() == 0


@pytest.mark.parametrize(
    "sent",
    [
        dict,
        lambda: {"player": ["x", "-1", "٣"]},
        lambda: {"player": ["99999999999999999999"]},
        lambda: {"player": ["9" * 5000]},
        lambda: {"player": tied()["player"][:1]},
    ],
)
def test_a_lot_that_nobody_waits_for_is_refused_in_words(sent: Callable[[], dict[str, object]]) -> None:
    two_games()
    response = as_("head").post(LOTS, sent(), follow=True)
    assert "Между этими игроками жребий не нужен" in response.content.decode()
    assert Lot.objects.count() == 0
