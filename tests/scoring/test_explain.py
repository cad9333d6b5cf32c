"""Every figure of the standings opens, and what it opens to adds up to it exactly."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django import DjangoAssertNumQueries

from protocols.clauses import sources
from protocols.models import Stage, Tournament
from protocols.rules.regulation import EDITION_A, FEDERATION, Reckoning
from protocols.services import hiding
from protocols.services.prepare import set_stage
from scoring.explain import besides, compensations, opened
from scoring.explain_words import beside_words, opened_words
from scoring.ratings import MILLION
from scoring.release import seen_by_the_public
from scoring.selectors import games_played, standings_of
from scoring.services import draw_lots
from scoring.tiebreaks import KEYS
from scoring.wording import figure
from tests.protocols.typing_regulations import type_regulation

from . import test_real_regulations as real
from .lines import PLAYERS
from .tournaments import person, player, signed, stage_of, tournament

pytestmark = pytest.mark.django_db


def play(made: Tournament) -> None:
    """Three stages with every component: the judge's points, best moves, removals, warnings, first victims."""
    first, second, final = stage_of(made, "Первая"), stage_of(made, "Вторая", "1.25"), stage_of(made, "Финал", "1.5")
    signed(first, "black", extra={2: "0.5", 9: "1"}, shot=2, hits=2)
    signed(first, "red", extra={2: "0.5"}, shot=2, hits=3, warned=[4])
    signed(first, "black", shot=3, removed=[5], nicknames=PLAYERS[::-1])
    signed(second, "black", extra={1: "1"}, shot=3, hits=2)
    signed(second, "annulled")
    signed(final, "red", shot=10, removed=[6], nicknames=[*PLAYERS[3:], *PLAYERS[:3]])
    signed(final, "black", shot=2, expelled=[7])


def preset_a() -> Tournament:
    return tournament("A")


def preset_b() -> Tournament:
    return tournament("B")


def federation() -> Tournament:
    return tournament("F")


def average() -> Tournament:
    made = tournament("A")
    type_regulation(made, EDITION_A, warning="-2", loss="1", reckoning="average")
    return made


def best() -> Tournament:
    made = tournament("A")
    type_regulation(made, EDITION_A, reckoning="best", best_games="3")
    return made


def own_of_the_federation() -> Tournament:
    made = tournament("F")
    type_regulation(made, FEDERATION, name="ФИИМ", warning="-0,5", decimals="3")
    return made


OWN = [preset_a, preset_b, federation, average, best, own_of_the_federation]
REAL = [
    real.test_the_student_championship,
    real.test_the_world_cup_of_2019,
    real.test_the_federation_compensates_those_shot_first_stage_by_stage,
    real.test_a_stage_may_have_a_regulation_of_its_own,
]


def number(words: str) -> Fraction:
    """A figure as it is read on the page."""
    return Fraction(words.replace("−", "-").replace(",", "."))


@pytest.fixture(params=[*OWN, *REAL], ids=lambda kind: kind.__name__)
def made(request: pytest.FixtureRequest) -> Tournament:
    kind: Callable[[], Tournament | None] = request.param
    begun = kind()
    if begun is not None:
        play(begun)
    return Tournament.objects.get()


def test_what_is_explained_adds_up_to_the_figure_exactly(made: Tournament) -> None:
    found = standings_of(made)
    for place in found.table.places:
        played = games_played(made, place.player_id)
        for each in opened(found, place, played):
            total = Fraction(each.total)
            if each.key == "rating" and made.rules.reckoning == Reckoning.AVERAGE and place.rating.games:
                total /= place.rating.games
            assert each.is_from_outside or total == each.value, (place.player_id, each.key)
            assert all(sum(piece.brings for piece in part.pieces) == part.brings for part in each.parts if part.pieces)
        counted = [game for game in played if game.rating]
        rating = opened(found, place, played)[0]
        assert [part.brings for part in rating.parts] == [game.rating.figures.total for game in counted if game.rating]


def test_the_figures_that_are_read_add_up_to_what_the_table_shows(made: Tournament, client: Client) -> None:
    found = standings_of(made)
    for place in found.table.places:
        rating = opened_words(found, place, games_played(made, place.player_id))[0]
        assert rating.value == figure(place.rating.total, MILLION, made.rules.decimals)
        brought = [part.brings for part in rating.parts if not part.is_left_out]
        if any("≈" in words for words in brought) or not brought:
            continue
        total = sum((number(words) for words in brought), Fraction(0))
        if made.rules.reckoning == Reckoning.AVERAGE:
            total /= place.rating.games
        assert total * MILLION == place.rating.total


def test_each_neighbour_is_told_apart_by_the_key_that_is_named(made: Tournament) -> None:
    found = standings_of(made)
    ranked = [place for place in found.table.places if place.number is not None]
    for place in ranked:
        for each in besides(found, place):
            *equal, last = each.compared
            assert all(key.mine == key.theirs for key in equal)
            assert (last.mine, last.theirs) == (KEYS[last.key](place.rating), KEYS[last.key](each.place.rating))
            if each.how == "key":
                assert (last.mine < last.theirs) is each.is_above
                upper = each.place if each.is_above else place
                assert upper.decision is None or upper.decision.key == last.key
            else:
                assert last.mine == last.theirs
        words = [key for each in beside_words(found, place) for key in each.keys]
        assert all((key.mine != key.theirs) is key.decides for key in words)
    assert [len(besides(found, place)) for place in ranked] == [1, *[2] * (len(ranked) - 2), 1]


def test_of_the_best_games_the_others_are_said_to_be_left_out() -> None:
    play(best())
    made = Tournament.objects.get()
    found = standings_of(made)
    place = found.table.of(player("Барс").pk)
    assert place is not None
    rating = opened(found, place, games_played(made, place.player_id))[0]
    kept = [part.brings for part in rating.parts if not part.is_left_out]
    out = [part.brings for part in rating.parts if part.is_left_out]
    assert (len(kept), len(out)) == (3, 3)
    assert min(kept) >= max(out)


def test_ci_tells_the_numbers_put_into_its_formula() -> None:
    made = tournament("F")
    first, second = stage_of(made, "Отборочная"), stage_of(made, "Полуфинал")
    signed(first, "black", shot=4, hits=0)
    for _ in range(4):
        signed(first, "red")
    signed(second, "black", shot=4)
    found = standings_of(made)
    place = found.table.of(player("Гранит").pk)
    assert place is not None
    told = [(each.games, each.shot, each.divisor, each.lost, each.rate) for each in compensations(found, place)]
    assert told == [(5, 1, 2, 1, 200_000), (1, 1, 1, 1, 400_000)]
    for stage in Stage.objects.filter(tournament=made):
        set_stage(stage, name=stage.name, multiplier=stage.multiplier, is_final=False, group="отбор")
    found = standings_of(Tournament.objects.get())
    place = found.table.of(player("Гранит").pk)
    assert place is not None
    told = [(each.games, each.shot, each.divisor, each.lost, each.rate) for each in compensations(found, place)]
    assert told == [(6, 2, 2, 1, 400_000), (6, 2, 2, 1, 400_000)]


def test_a_lot_says_who_drew_it_and_when(client: Client) -> None:
    made = tournament()
    signed(stage_of(made), "red")
    found = standings_of(made)
    for tied in found.table.due:
        draw_lots(made, sorted(tied), by=person(f"p{min(tied)}", "Жребина"))
    found = standings_of(made)
    upper, lower = found.table.places[1:3]
    above = besides(found, lower)[0]
    assert (above.how, above.place.player_id) == ("lot", upper.player_id)
    assert above.lot is not None and above.lot.drawn_by == "Жребина"
    page = client.get(reverse("player", args=["cup", lower.player_id]), {"of": "place"}).content.decode()
    assert "Тянул жребий: Жребина" in page


def text(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_a_figure_of_the_table_leads_to_its_games(client: Client) -> None:
    play(tournament())
    pk = player("Барс").pk
    table = client.get(reverse("standings", args=["cup"])).content.decode()
    for key in ("place", "rating", "games", "wins", "points", "extra_points", "penalty"):
        assert table.count(f"/t/cup/players/{pk}/?of={key}#of-{key}") == 1
        page = client.get(reverse("player", args=["cup", pk]), {"of": key}).content.decode()
        assert re.findall(r'<details id="of-(\w+)" open>', page) == [key]
    asked = client.get(reverse("standings", args=["cup"]), {"after": "1.2"}).content.decode()
    assert f"/t/cup/players/{pk}/?after=1.2&amp;of=rating#of-rating" in asked


def test_a_penalty_opens_with_its_clause_and_is_not_multiplied(client: Client) -> None:
    made = tournament()
    signed(stage_of(made, "Финал", "1.5"), "red", removed=[2])
    page = client.get(reverse("player", args=["cup", player("Барс").pk]), {"of": "rating"}).content.decode()
    opened_rating = text(page.split('<details id="of-rating" open>')[1].split("</details>")[0])
    assert "за победу 3 ×1,5 = 4,5 п. 8.2.1 штраф −1 (не умножается) п. 6.7.4 п. 8.2.4 3,5 " in opened_rating
    assert "Вместе: 3,5." in opened_rating
    assert "Под коэффициент стадии попадают: победа, лучший ход, доп. баллы. п. 8.6" in opened_rating


def test_every_component_names_a_clause_that_can_be_read(made: Tournament) -> None:
    anchors = {clause.code for source in sources() for chapter in source.chapters for clause in chapter.clauses}
    found, named = standings_of(made), set()
    for place in found.table.places:
        for each in opened_words(found, place, games_played(made, place.player_id)):
            pieces = [piece for part in each.parts for piece in part.pieces]
            assert each.key == "games" or all(piece.clauses for piece in pieces), each
            assert each.rules or each.key == "games" or (each.key, made.rules.compensation) == ("compensation", None)
            named |= {clause for piece in pieces for clause in piece.clauses}
            named |= {rule.clause for rule in each.rules}
    assert {clause for clause in named if clause not in anchors and f"A {clause}" not in anchors} == set()


@pytest.mark.parametrize(
    ("begin", "clauses"),
    [
        (
            preset_a,
            {"за победу": "A 8.2.2", "за поражение": "A 8.2.3", "доп. баллы от судьи": "A 8.4", "лучший ход": "A 8.3"},
        ),
        (
            federation,
            {"за победу": "ФИИМ", "за поражение": "ФИИМ", "доп. баллы от судьи": "ФИИМ", "лучший ход": "A 8.3"},
        ),
    ],
)
def test_the_clauses_are_those_of_the_edition_it_was_played_under(
    begin: Callable[[], Tournament], clauses: dict[str, str]
) -> None:
    made = begin()
    signed(stage_of(made), "black", extra={2: "1"}, shot=2, hits=2)
    found, told = standings_of(made), {}
    for place in found.table.places:
        rating = opened_words(found, place, games_played(made, place.player_id))[0]
        for piece in (piece for part in rating.parts for piece in part.pieces):
            told[piece.text.rstrip("−0123456789,")[:-1]] = piece.clauses
    assert {words: told[words] for words in clauses} == {words: (clause,) for words, clause in clauses.items()}


def test_the_rules_behind_a_figure_are_those_of_the_tournaments_own_regulation() -> None:
    made = tournament("A")
    type_regulation(made, EDITION_A, win_red="7", warning="-2")
    signed(stage_of(made), "red", warned=[2])
    found = standings_of(made)
    place = found.table.of(player("Барс").pk)
    assert place is not None
    rules = {each.key: each.rules for each in opened_words(found, place, games_played(made, place.player_id))}
    assert rules["points"][0].text.startswith("За победу: красный 7, шериф 7,")
    assert [rule.clause for rule in rules["penalty"]] == ["A 8.2.4", "A 6.3"]
    assert rules["penalty"][1].text == "Каждое предупреждение (жёлтая карточка) стоит −2."


@pytest.mark.parametrize(
    ("what", "brought", "rating"),
    [("nothing", ["3,5", "4"], "7,5"), ("extra", ["3,5", "3"], "6,5"), ("table", ["3,5"], "3,5")],
)
def test_what_is_hidden_is_not_explained(what: str, brought: list[str], rating: str) -> None:
    made = tournament()
    stage = stage_of(made)
    signed(stage, "red", extra={2: "0.5"})
    signed(stage, "red", extra={2: "1"})
    if what != "nothing":
        hiding.hide(made, what=what, stage=stage, number=2, by=User.objects.get(username="organizer"))
    seen = seen_by_the_public(made)
    found = standings_of(made, seen)
    place = found.table.of(player("Барс").pk)
    assert place is not None
    first, *others = opened_words(found, place, games_played(made, place.player_id, seen))
    assert [part.brings for part in first.parts] == brought
    assert first.notes == (f"Вместе: {rating}.",)
    extra = next(each for each in others if each.key == "extra_points")
    assert len(extra.parts) == (2 if what == "nothing" else 1)


@pytest.mark.parametrize("games", [1, 4])
def test_what_is_opened_costs_the_same_few_queries(
    games: int, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    stage = stage_of(tournament())
    for _ in range(games):
        signed(stage, "red", removed=[2], extra={3: "1"})
    address = reverse("player", args=["cup", player("Барс").pk])
    with django_assert_num_queries(9):
        assert client.get(address, {"of": "rating"}).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_on_a_phone_a_figure_is_tapped_and_its_games_are_in_view(phone: Page) -> None:
    play(tournament("F"))
    pk = player("Барс").pk
    phone.goto("/t/cup/standings/")
    phone.locator(f"#player-{pk} .standings__rating a").click()
    expect(phone).to_have_url(re.compile(rf"/t/cup/players/{pk}/\?of=rating#of-rating$"))
    expect(phone.locator("#of-rating .explained__parts li")).to_have_count(6)
    expect(phone.locator("#of-rating summary")).to_be_in_viewport()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
