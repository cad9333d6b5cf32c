"""The pages of cuts and lots, and the standings with the line in them: who sees and does what, and what it costs."""

from __future__ import annotations

import re
from html import unescape
from io import BytesIO

import pytest
from django.test import Client, TestCase
from django.utils.timezone import localtime
from pypdf import PdfReader
from pytest_django import DjangoAssertNumQueries

from protocols.models import Game, Stage, Tournament
from scoring.cut_models import Cut, CutSize
from scoring.cut_services import set_cut_size
from scoring.models import Lot

from .lines import PLAYERS
from .test_cut_services import EVERYBODY, cup, cut_of, take
from .test_pages import as_, rows_of
from .tournaments import PASSWORD, person, played, player, prepared, signed, stage_of, tournament

pytestmark = pytest.mark.django_db
CUTS, CUT, LOT, STANDINGS, DESK = (
    "/t/cup/cuts/", "/t/cup/cuts/2/", "/t/cup/cuts/2/lot/", "/t/cup/standings/", "/t/cup/desk/",
)  # fmt: skip


def text_of(client: Client, address: str, status: int = 200) -> str:
    """The words of a page."""
    response = client.get(address)
    assert response.status_code == status
    return words(response.content)


def words(content: bytes) -> str:
    """A page without its markup."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", content.decode())).split())


def sent(client: Client, part: str, **data: object) -> tuple[int, str]:
    """A form of the cut's page sent; the status and the words of where it leads."""
    response = client.post(CUT, {"part": part, **data})
    status = response.status_code
    return status, words((client.get(CUT) if status == 302 else response).content)


# --- who may


@pytest.mark.parametrize("address", [CUTS, CUT, LOT])
def test_only_whoever_runs_the_tournament_sees_its_cuts(client: Client, address: str) -> None:
    cup(8)
    person("stranger")
    assert client.get(address).status_code == 302
    for username, status in (("judge", 403), ("stranger", 403), ("head", 200), ("organizer", 200)):
        assert as_(username).get(address).status_code == status
    Tournament.objects.update(is_public=False)
    assert as_("stranger").get(address).status_code == 404


@pytest.mark.parametrize("part", ["size", "take", "withdraw"])
def test_only_the_organizer_writes_a_cut(client: Client, part: str) -> None:
    _first, final = cup(7)
    data = {"part": part, "size": "5", "seen": cut_of(final).fingerprint, "reason": "надо"}
    for username in ("head", "judge"):
        assert as_(username).post(CUT, data).status_code == 403
    assert client.post(CUT, data).status_code == 401
    guarded = Client(enforce_csrf_checks=True)
    guarded.login(username="organizer", password=PASSWORD)
    assert guarded.post(CUT, data).status_code == 403
    assert (Cut.objects.count(), CutSize.objects.get().size) == (0, 7)


def test_a_stage_that_is_first_or_not_there_has_no_cut() -> None:
    cup()
    for number in (1, 3):
        assert as_("organizer").get(f"/t/cup/cuts/{number}/").status_code == 404


def test_a_size_typed_before_the_login_expired_is_offered_again(client: Client) -> None:
    cup(7)
    asked = client.post(CUT, {"part": "size", "size": "9"})
    typed = re.search(r'name="typed" value="([^"]+)"', asked.content.decode())
    assert typed is not None
    client.post("/login/again/", {"username": "organizer", "password": PASSWORD, "typed": typed[1]})
    assert 'name="size" value="9"' in client.get(CUT).content.decode()


# --- the cut


def test_the_organizer_sets_a_size_sees_who_comes_in_and_takes_the_cut() -> None:
    _first, final = cup(None)
    organizer = as_("organizer")
    assert "Не указано, сколько игроков проходят в эту стадию." in text_of(organizer, CUT)
    assert sent(organizer, "size", size="7")[0] == 302
    rows = rows_of(organizer, CUT)
    assert rows[0] == ["Место", "Никнейм", "Рейтинг", "По отсечке"]
    assert [row[3] for row in rows[1:]] == ["проходит"] * 7 + ["не проходит"] * 3
    status, page = sent(organizer, "take", seen=cut_of(final).fingerprint)
    assert (status, "Отсечка в стадию «Финал» взята" in page, "Орлова" in page) == (302, True, True)
    assert [row[0] for row in rows_of(organizer, CUT)] == ["Место", "1", *["2"] * 6]


@pytest.mark.parametrize(
    ("size", "said"),
    [("0", "1"), ("1001", "1000"), ("x", "число"), ("-3", "1")],
)
def test_a_size_that_is_no_size_is_refused_on_the_page(size: str, said: str) -> None:
    cup(None)
    status, page = sent(as_("organizer"), "size", size=size)
    assert (status, said in page) == (422, True)
    assert CutSize.objects.count() == 0


def test_the_second_of_two_who_take_the_cut_is_told() -> None:
    _first, final = cup()
    seen = cut_of(final).fingerprint
    assert sent(as_("organizer"), "take", seen=seen)[0] == 302
    status, page = sent(as_("organizer"), "take", seen=seen)
    assert (status, "Отсечка уже взята." in page, Cut.objects.count()) == (422, True, 1)


@pytest.mark.parametrize("seen", ["", "0" * 64, "<b>"])
def test_a_cut_by_other_results_than_seen_is_refused(seen: str) -> None:
    cup()
    status, page = sent(as_("organizer"), "take", seen=seen)
    assert (status, "результаты изменились" in page) == (422, True)


def test_what_is_open_is_listed_and_confirmed() -> None:
    first, final = cup()
    prepared(first)
    Game.objects.filter(stage=first, status="signed").update(protest="Протест стола")
    organizer = as_("organizer")
    page = text_of(organizer, CUT)
    assert ("протест открыт" in page, "подготовлена" in page, "Протест стола" in page) == (True, True, False)
    seen = cut_of(final).fingerprint
    status, page = sent(organizer, "take", seen=seen)
    assert (status, "Подтвердите" in page) == (422, True)
    status, page = sent(organizer, "take", seen=seen, confirmed="on")
    assert (status, "игр без подписи 1, протестов 1" in page) == (302, True)
    taken = text_of(organizer, CUT)
    assert ("протест открыт" in taken, "подготовлена" in taken) == (True, True)


def test_a_cut_is_taken_back_on_the_page_with_a_reason() -> None:
    _first, final = cup()
    take(final)
    organizer = as_("organizer")
    assert sent(organizer, "withdraw", reason=" ")[0] == 422
    status, page = sent(organizer, "withdraw", reason="взята <рано>")
    assert (status, "взята <рано>" in page, "Взять отсечку" in page) == (302, True, True)


# --- the lot


def test_a_lot_is_drawn_before_everybody_place_by_place_and_printed(client: Client) -> None:
    _first, _final = cup(9)
    head = as_("head")
    assert "последние 2 места решает жребий между 3 игроками" in text_of(head, CUT)
    page = text_of(head, LOT)
    assert [name in page for name in PLAYERS] == [False] * 7 + [True] * 3
    tied = [player(name).pk for name in PLAYERS[7:]]
    response = head.post(LOT, {"player": tied})
    lot = Lot.objects.get()
    assert response.headers["Location"] == f"/t/cup/lots/{lot.pk}/?stage=2&shown=0"
    order = list(lot.places.order_by("position").values_list("player__nickname", flat=True))
    for shown in range(4):
        page = text_of(head, f"/t/cup/lots/{lot.pk}/?stage=2&shown={shown}")
        assert [name in page for name in order] == [True] * shown + [False] * (3 - shown)
        assert (f"Открыть место {8 + shown}" in page) == (shown < 3)
    whole = text_of(client, f"/t/cup/lots/{lot.pk}/?stage=2")
    assert (whole.count("не проходит"), "Главная" in whole) == (1, True)
    response = client.get(f"/t/cup/lots/{lot.pk}.pdf")
    reader = PdfReader(BytesIO(b"".join(response)))
    printed = " ".join(reader.pages[0].extract_text().split())
    assert (len(reader.pages), [printed.index(name) for name in order]) == (
        1, sorted(printed.index(name) for name in order),
    )  # fmt: skip
    assert "Жребий здесь не нужен" in text_of(head, LOT)


@pytest.mark.parametrize("shown", ["x", "-1", "99999", "٣", ""])
def test_a_lot_asked_for_strangely_is_shown_whole_or_closed(client: Client, shown: str) -> None:
    cup(9)
    as_("head").post(LOT, {"player": [player(name).pk for name in PLAYERS[7:]]})
    page = text_of(client, f"/t/cup/lots/{Lot.objects.get().pk}/?shown={shown}&stage=x")
    assert "Жребий на бумагу" in page


def test_a_lot_is_not_drawn_where_there_is_no_tie() -> None:
    cup(7)
    for data in ({}, {"player": ["x", "-1"]}, {"player": [player(name).pk for name in PLAYERS[7:]]}):
        response = as_("head").post(LOT, data, follow=True)
        assert "Между этими игроками жребий не нужен" in words(response.content)
    assert Lot.objects.count() == 0


@pytest.mark.parametrize(("username", "status"), [("", 401), ("judge", 403)])
def test_nobody_else_draws_the_lot_at_the_line(username: str, status: int) -> None:
    cup(9)
    who = as_(username) if username else Client()
    assert who.post(LOT, {"player": [player(name).pk for name in PLAYERS[7:]]}).status_code == status
    assert Lot.objects.count() == 0


def test_the_lot_of_a_private_tournament_or_of_another_is_not_found(client: Client) -> None:
    cup(9)
    as_("head").post(LOT, {"player": [player(name).pk for name in PLAYERS[7:]]})
    lot = Lot.objects.get().pk
    Tournament.objects.create(title="Другой", slug="other", starts_on="2026-10-10", regulation="A")
    assert client.get(f"/t/other/lots/{lot}/").status_code == 404
    Tournament.objects.update(is_public=False)
    for address in (f"/t/cup/lots/{lot}/", f"/t/cup/lots/{lot}.pdf"):
        assert client.get(address).status_code == 404


# --- the standings


def lines_in(client: Client, address: str = STANDINGS) -> list[tuple[int, str]]:
    """After how many rows of players a line is drawn in the table, and what it says."""
    rows = rows_of(client, address)[1:]
    return [(index, row[0]) for index, row in enumerate(rows) if len(row) == 1]


def test_the_line_of_the_next_cut_is_drawn_in_the_standings(client: Client) -> None:
    first, final = cup(8)
    assert lines_in(client) == [
        (10, "Отсечка в стадию «Финал»: проходят 8; последнее место решает жребий между 3 игроками")
    ]
    set_cut_size(final, 7)
    assert lines_in(client) == [(7, "Отсечка в стадию «Финал»: проходят 7")]
    assert lines_in(client, f"{STANDINGS}?q=а") == []
    cut = take(final)
    day = f"{localtime(cut.taken_at):%d.%m.%Y}"
    assert [index for index, _words in lines_in(client)] == [7]
    assert (day in lines_in(client)[0][1], text_of(client, STANDINGS).count("прошёл: Финал")) == (True, 7)
    signed(final)
    assert lines_in(client) == []
    assert lines_in(client, f"{STANDINGS}?after={first.number}.1") == [(7, "Отсечка в стадию «Финал»: проходят 7")]


def test_the_standings_on_paper_have_the_line_too(client: Client) -> None:
    cup(7)
    response = client.get("/t/cup/standings.pdf")
    reader = PdfReader(BytesIO(b"".join(response)))
    assert "Отсечка в стадию «Финал»: проходят 7" in " ".join(reader.pages[0].extract_text().split())


def test_a_correction_after_the_cut_is_told_on_every_page_that_shows_it(client: Client) -> None:
    made = tournament("F")
    first, final = stage_of(made), stage_of(made, "Финал")
    signed(first, extra=EVERYBODY)
    set_cut_size(final, 3)
    take(final)
    told = "После отсечки в стадию «Финал» результаты до неё изменились."
    for who, address in ((client, STANDINGS), (as_("head"), DESK), (as_("head"), CUT), (as_("head"), CUTS)):
        assert told not in text_of(who, address)
    with TestCase.captureOnCommitCallbacks(execute=True):
        signed(first, "black", extra={1: "0.1"})
    for who, address in ((client, STANDINGS), (as_("head"), DESK), (as_("head"), CUT), (as_("head"), CUTS)):
        page = text_of(who, address)
        assert (told in page, "Теперь прошли бы:" in page, "а теперь не прошли бы:" in page) == (True, True, True)
    assert "Журнал поправок" in text_of(as_("head"), CUT)


def test_the_table_is_shown_as_of_any_round(client: Client) -> None:
    made = tournament()
    first, final = stage_of(made), stage_of(made, "Финал", "1.5")
    signed(first, "red")
    signed(first, "black")
    signed(final, "red")
    page = client.get(STANDINGS).content.decode()
    assert re.findall(r'<option value="([^"]*)"', page) == ["", "1.1", "1.2", "2.1"]
    astra = [row for key in ("1.1", "1.2", "2.1", "") for row in rows_of(client, f"{STANDINGS}?after={key}")
             if row[1:2] == ["Астра"]]  # fmt: skip
    assert [row[2:4] for row in astra] == [["3", "1"], ["3", "2"], ["7,5", "3"], ["7,5", "3"]]
    assert "Отборочная, после игры 2" in text_of(client, f"{STANDINGS}?after=1.2")
    assert "жребий" in " ".join(cell for row in rows_of(client, f"{STANDINGS}?after=1.1&q=И") for cell in row)


def test_rounds_are_counted_where_games_have_them(client: Client) -> None:
    stage = stage_of(tournament())
    for number, round_number in ((1, 1), (2, 1), (3, 2)):
        signed(stage, nicknames=[f"{name} {number % 2}" for name in PLAYERS])
        Game.objects.filter(stage=stage, number=number).update(round=round_number)
    page = client.get(STANDINGS).content.decode()
    assert re.findall(r'<option value="([^"]*)"', page) == ["", "1.1", "1.2"]
    assert len(rows_of(client, f"{STANDINGS}?after=1.1")) == 21
    assert "после тура 1" in text_of(client, f"{STANDINGS}?after=1.1")


@pytest.mark.parametrize("after", ["9.9", "1", "x", "1.1.1", "1.-1", "9" * 5000])
def test_a_moment_that_never_was_is_not_found(client: Client, after: str) -> None:
    cup()
    assert client.get(STANDINGS, {"after": after}).status_code == 404


def test_a_game_that_runs_is_no_moment(client: Client) -> None:
    first, _final = cup()
    played(first)
    assert 'value="1.2"' not in client.get(STANDINGS).content.decode()


@pytest.mark.parametrize(("games", "said"), [(1, "Не решён 1 протест."), (2, "Не решены 2 протеста.")])
def test_standings_are_preliminary_while_protests_are_open(client: Client, games: int, said: str) -> None:
    first, _final = cup()
    signed(first)
    assert "Предварительно" not in text_of(client, STANDINGS)
    keys = list(Game.objects.values_list("pk", flat=True))[:games]
    Game.objects.filter(pk__in=keys).update(protest="Тайна протеста")
    page = text_of(client, STANDINGS)
    assert ("Предварительно." in page, said in page, "Тайна" in page) == (True, True, False)


# --- what it costs


@pytest.mark.parametrize("games", [1, 3])
@pytest.mark.parametrize(
    ("username", "address", "queries"),
    [("", STANDINGS, 18), ("organizer", CUTS, 12), ("organizer", CUT, 12), ("organizer", LOT, 11),
     ("organizer", DESK, 15)],
)  # fmt: skip
def test_pages_with_cuts_cost_few_queries(
    games: int, username: str, address: str, queries: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first, final = cup(7)
    for number in range(games - 1):
        signed(first, nicknames=[f"{name} {number}" for name in PLAYERS])
        set_cut_size(stage_of(Tournament.objects.get(slug="cup"), f"Ещё {number}"), 3)
    set_cut_size(Stage.objects.get(pk=final.pk), 3)
    who = as_(username) if username else Client()
    with django_assert_num_queries(queries):
        assert who.get(address).status_code == 200
