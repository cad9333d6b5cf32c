"""A seating on paper, read back: for the wall, the tables and the pocket, and the blank protocols of its rounds."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pypdf import PdfReader
from pytest_django import Settings

from protocols.models import Stage
from protocols.schedule import Schedule, schedule_of
from protocols.seating_paper import Asked, draw, paper_of, whole
from protocols.seating_print import POINTS, fitted
from protocols.seating_screen import TURN, screen_of
from protocols.services import seating_people, seating_rounds
from protocols.services.prepare import add_stage, hand_over, seat_players

from .sheets import heads_of
from .test_pages_access import client_of
from .world import World, world

LONGEST, ONE_WORD = "Съешь ещё этих мягких французских булок!", "Щ" * 40
NAMES = [LONGEST, ONE_WORD, "Кот 😼🔥", "А, Б; В", "№1 й ё", *(f"Игрок {number:02d}" for number in range(6, 21))]
A4, A3 = (842, 595), (1191, 842)  # points, landscape


@pytest.fixture
def cup(db: None, settings: Settings, tmp_path: Path) -> World:
    """The tournament with twenty participants, and a media folder of its own."""
    settings.MEDIA_ROOT = tmp_path
    made = world()
    assert seating_people.register(made.tournament, NAMES, confirm_new=True).is_written
    made.tournament.time_zone = "Asia/Vladivostok"
    made.tournament.save()
    return made


@pytest.fixture
def stage(cup: World) -> Stage:
    """Three rounds of two tables, published."""
    made = add_stage(cup.tournament, name="Второй круг")
    known = dict(cup.tournament.participants.values_list("player__nickname", "player_id"))
    keys = [known[name] for name in NAMES]
    plan = [[keys[n:10] + keys[:n], keys[10 + n :] + keys[10 : 10 + n]] for n in range(3)]
    starts = datetime(2026, 10, 10, 2, 0, tzinfo=UTC)
    seating_rounds.seat_rounds(made, plan, starts_at=starts, minutes=75, confirmed=True)
    hand_over(made.games.get(round=1, table_number=1), cup.people["judge"])
    seating_rounds.open_seating(made, is_public=True)
    return made


def pages_of(path: str, client: Client | None = None) -> list[str]:
    """The text of every page of a paper, on one line."""
    answer = (client or Client()).get(path)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    return [" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(content(answer))).pages]


def content(answer: Any) -> bytes:
    """The bytes of an answer, streamed or not."""
    return b"".join(answer)


def size_of(path: str) -> set[tuple[int, int]]:
    """The sizes of a paper's pages, points."""
    reader = PdfReader(io.BytesIO(content(Client().get(path))))
    return {(round(page.mediabox.width), round(page.mediabox.height)) for page in reader.pages}


def squeezed(text: str) -> str:
    """The text without spaces: a name may be broken into lines anywhere."""
    return "".join(text.split())


def test_the_wall_has_a_sheet_a_round_with_every_name_whole(cup: World, stage: Stage) -> None:
    pages = pages_of("/t/cup/seating/paper/wall.pdf?stage=2")
    assert len(pages) == 3
    for number, page in enumerate(pages, start=1):
        assert [name for name in NAMES if squeezed(name) not in squeezed(page)] == []
        assert f"Тур {number}" in page
    assert "10 октября, 12:00" in pages[0]  # in Vladivostok
    assert "Соколова" in pages[0]
    assert "Время турнира: Владивосток, UTC+10." in pages[0]


def test_the_wall_comes_on_a4_and_a3(cup: World, stage: Stage) -> None:
    path = "/t/cup/seating/paper/wall.pdf?stage=2"
    assert (size_of(path), size_of(f"{path}&size=a3")) == ({A4}, {A3})
    assert Client().get(f"{path}&size=a2").status_code == 404


def test_one_round_is_one_sheet(cup: World, stage: Stage) -> None:
    assert ["Тур 2" in page for page in pages_of("/t/cup/seating/paper/wall.pdf?stage=2&round=2")] == [True]
    for wrong in ("stage=2&round=9", "stage=9", "stage=x", "stage=2&round=-1", "stage=²"):
        assert Client().get(f"/t/cup/seating/paper/wall.pdf?{wrong}").status_code == 404


def test_a_cancelled_round_is_told_on_the_wall_and_has_no_cards(cup: World, stage: Stage) -> None:
    seating_rounds.cancel_round(stage.rounds.get(number=2), reason="Погас свет", by=cup.people["organizer"])
    wall = pages_of("/t/cup/seating/paper/wall.pdf?stage=2")
    assert ["Тур отменён Погас свет" in page for page in wall] == [False, True, False]
    cards = " ".join(pages_of("/t/cup/seating/paper/cards.pdf?stage=2"))
    assert [cards.count(f"Тур {number} ·") for number in (1, 2, 3)] == [2, 0, 2]
    slips = " ".join(pages_of("/t/cup/seating/paper/slips.pdf?stage=2"))
    assert slips.count("отменён: Погас свет") == 20


def test_each_table_and_round_has_a_card_and_each_table_a_sheet(cup: World, stage: Stage) -> None:
    cards = pages_of("/t/cup/seating/paper/cards.pdf?stage=2")
    assert [page.count("Стол ") for page in cards] == [4, 2]
    assert squeezed(ONE_WORD) in squeezed(cards[0])
    tables = pages_of("/t/cup/seating/paper/tables.pdf?stage=2")
    assert [page.split(" Кубок")[0] for page in tables] == ["Стол 1", "Стол 2"]
    assert [name for name in NAMES[:10] if squeezed(name) not in squeezed(tables[0])] == []
    assert [page.count("Стол") for page in pages_of("/t/cup/seating/paper/seats.pdf?stage=2")] == [10, 10]


def test_slips_tell_each_player_round_time_table_and_seat(cup: World, stage: Stage) -> None:
    pages = pages_of("/t/cup/seating/paper/slips.pdf?stage=2")
    assert len(pages) == 2  # ten to a sheet
    known = dict(cup.tournament.participants.values_list("player__nickname", "player_id"))
    [slip] = pages_of(f"/t/cup/seating/paper/slips.pdf?person={known['Игрок 20']}")
    head, _columns, rows = slip.partition("Тур Время Стол Место Судья ")
    assert head == "Игрок 20 Кубок · Второй круг "
    assert rows == "1 10.10 12:00 2 10 2 10.10 13:15 2 9 3 10.10 14:30 2 8 Владивосток, UTC+10"
    assert Client().get("/t/cup/seating/paper/slips.pdf?person=999999").status_code == 404


def test_judges_have_slips_too(cup: World, stage: Stage) -> None:
    [page] = pages_of("/t/cup/seating/paper/judges.pdf?stage=2")
    assert page.startswith("Соколова Кубок · Второй круг Тур Время Стол 1 10.10 12:00 1")


def test_papers_show_who_sits_there_now(cup: World, stage: Stage) -> None:
    before = pages_of("/t/cup/seating/paper/wall.pdf?stage=2&round=2")
    assert seat_players(stage.games.get(round=2, table_number=2), {3: "Замена"}, confirm_new=True).is_written
    after = pages_of("/t/cup/seating/paper/wall.pdf?stage=2&round=2")
    assert ("Замена" in before[0], "Замена" in after[0]) == (False, True)


def test_the_blank_protocols_of_a_round_are_one_file_of_two_sides_each(cup: World, stage: Stage) -> None:
    path = "/t/cup/seating/paper/blanks.pdf?stage=2&round=2"
    answer = client_of("organizer").get(path)
    data = content(answer)
    assert heads_of(data) == [
        f"Кубок · Второй круг · 10.10.2026 · стол № {table} · игра № 2" for table in (1, 2)
    ]  # fmt: skip
    assert len(PdfReader(io.BytesIO(data)).pages) == 4
    assert client_of("head").get(path).status_code == 200
    assert [client_of(who).get(path).status_code for who in ("judge", "plain")] == [403, 403]
    assert Client().get(path).status_code == 403


def test_what_takes_long_is_drawn_apart_and_tells_how_far_it_is(
    cup: World, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocols.seating_paper.AT_ONCE", 10)
    path = "/t/cup/seating/paper/wall.pdf?stage=2"
    sent = Client().get(path)
    assert (sent.status_code, sent["Location"]) == (302, "/t/cup/seating/paper/wall/?stage=2")
    waiting = Client().get(sent["Location"]).content.decode()
    assert ("Готово частей: 0 из 3." in waiting, 'value="0"' in waiting) == (True, True)
    call_command("draw_seating_paper", "cup", "wall", stage=2, public=True)
    assert f'href="{path}"' in Client().get(sent["Location"]).content.decode()
    assert len(pages_of(path)) == 3


def test_a_part_that_is_drawn_is_kept_until_its_content_changes(cup: World, stage: Stage) -> None:
    def paper() -> list[Path]:
        return [part.path for part in paper_of(schedule(), Asked("wall")).parts]

    def schedule() -> Schedule:
        return schedule_of(cup.tournament, is_public=True)

    draw(paper_of(schedule(), Asked("wall")))
    before, times = paper(), [path.stat().st_mtime_ns for path in paper()]
    assert len(whole(paper_of(schedule(), Asked("wall")))) > 1000
    assert [path.stat().st_mtime_ns for path in before] == times
    assert seat_players(stage.games.get(round=2, table_number=2), {3: "Замена"}, confirm_new=True).is_written
    assert [path in before for path in paper()] == [True, False, True]


def test_the_command_names_what_there_is_not(cup: World, stage: Stage) -> None:
    for arguments, options in ((("nowhere", "wall"), {}), (("cup", "wall"), {"stage": 9})):
        with pytest.raises(CommandError):
            call_command("draw_seating_paper", *arguments, **options)


def test_a_draft_says_on_paper_that_it_is_one(cup: World, stage: Stage) -> None:
    seating_rounds.open_seating(stage, is_public=False)
    [page] = pages_of("/t/cup/seating/paper/wall.pdf?stage=2&round=1", client_of("organizer"))
    assert "Рассадка ещё не опубликована." in page
    seating_rounds.open_seating(stage, is_public=True)
    [page] = pages_of("/t/cup/seating/paper/wall.pdf?stage=2&round=1", client_of("organizer"))
    assert "Рассадка ещё не опубликована." not in page


def test_letters_are_as_large_as_fit_and_words_stay_whole() -> None:
    assert fitted("Ёж", 60, 14).size == "p32"
    assert fitted("Игрок с именем подлиннее", 60, 14).size == "p16"  # on two lines
    assert fitted(ONE_WORD, 60, 14).size == "p11"  # it stands in no size on one line
    style = (Path(__file__).resolve().parents[2] / "static/css/seating_print.css").read_text(encoding="utf-8")
    assert [points for points in POINTS if f".p{points} {{\n  font-size: {points}pt;" not in style] == []


def test_a_hall_of_many_tables_is_shown_in_turn(cup: World, stage: Stage) -> None:
    [first, *_rest] = schedule_of(cup.tournament, is_public=True).rounds
    many = type(first)(first.stage, 1, None, "", tuple(first.tables) * 20)
    shown = [screen_of(many, part * TURN) for part in range(4)]
    assert [(len(screen.tables), screen.columns, screen.rows, screen.part) for screen in shown] == [
        (14, 5, 3, 1), (13, 5, 3, 2), (13, 5, 3, 3), (14, 5, 3, 1),
    ]  # fmt: skip


def test_the_screen_shows_the_next_round_or_the_one_asked_for(cup: World, stage: Stage) -> None:
    page = Client().get("/t/cup/seating/screen/").content.decode()
    assert ("Тур 1 · 12:00" in page, page.count('class="hall__seat"')) == (True, 20)
    stage.games.filter(round=1).update(revision=1)
    assert "Тур 2 · 13:15" in Client().get("/t/cup/seating/screen/").content.decode()
    assert "Тур 3 · 14:30" in Client().get("/t/cup/seating/screen/?stage=2&round=3").content.decode()
