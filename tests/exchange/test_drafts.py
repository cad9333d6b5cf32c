"""A file that contradicts itself is kept as a draft: every contradiction named, nothing of it changed or counted."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, connection, transaction
from django.test import Client

from protocols.draft_view import breach_lines, view_of
from protocols.exchange.reading import Contradictory
from protocols.exchange.stored import from_json, to_json
from protocols.models import Draft, Game, Member, SeatResult, Tournament
from protocols.models.written_once import WrittenOnceError
from protocols.services import drafts
from protocols.services.errors import Invalid
from protocols.services.importing import Target, import_file
from protocols.wording.files import contradiction_lines
from tests.protocols.markup import Page
from tests.protocols.test_pages_access import client_of
from tests.protocols.world import World, world

from .files import evening_file, game_data, game_file, raw
from .test_importing import run, spoiled

pytestmark = pytest.mark.django_db


def two_wrongs() -> Any:
    """A game in which seat 9 has a best move though 4 was shot, and a vote of day 3 is missing."""
    data = game_data()
    data["players"][8]["legacy"] = [1, 2, 3]
    data["players"][0]["voting"][2] = None
    return data


LINES = [
    "№9 Умка назвал лучший ход, но в ночь 1 отстрелен №4 Онега (п. 8.3)",
    "День 3, голосование: голосов 6, а за столом 7; нет голоса: №1 Лотос (п. 9.5)",
]


def taken(found: World, data: Any = None) -> Draft:
    """The draft of that file, or of the one with two wrongs."""
    content = raw(data or two_wrongs())
    return drafts.take_draft(content, name="игра.json", tournament=found.tournament, by=found.people["organizer"])


@pytest.fixture
def cup(db: None) -> World:
    """A tournament under the Federation's rules, with its people."""
    return world()


# ---------------------------------------------------------------- each contradiction


def _not_unanimous(data: Any) -> None:
    data["players"][7]["shooting"][0] = 5


def _no_sum(data: Any) -> None:
    data["players"][0]["voting"][2] = None


def _strangers_best_move(data: Any) -> None:
    data["players"][8]["legacy"] = [1, 2, 3]


def _four_fouls(data: Any) -> None:
    data["players"][1]["warnings"].append({"round": 4, "time": "speaking", "speaker": 7})


def _no_revote(data: Any) -> None:
    for player in data["players"]:
        player["voting"][0] = player["voting"][0][0]


def _other_winner(data: Any) -> None:
    data["winner"] = "civ"


def _eleven(data: Any) -> None:
    data["players"].append({"name": "Лишний"})


@pytest.mark.parametrize(
    ("spoil", "line"),
    [
        (_not_unanimous, "Ночь 1: отстрелен №4 Онега, но чёрные стреляли в разных: 5→4, 7→4, 8→5 (уточнение §4)"),
        (_no_sum, LINES[1]),
        (_strangers_best_move, LINES[0]),
        (_four_fouls, "№2 Мираж: по файлу — за столом, по правилам — удалён, 4 фола, день 5 (п. 6.5)"),
        (_no_revote, "День 1: в файле нет голосов (переголосование: №1 Лотос, №3 Норд) (уточнение §3)"),
        (
            _other_winner,
            "В файле — «победа красных», а по ходу игры:"
            " Победа чёрных: чёрных за столом не меньше, чем красных (п. 4.6.1)",
        ),
        (_eleven, "За столом 11 игроков, а играют десять: №11 Лишний (уточнение §1)"),
    ],
    ids=["shot", "votes", "best move", "four fouls", "no revote", "winner", "eleven"],
)
def test_a_contradictory_file_is_taken_in_only_as_a_draft_that_names_it(cup: World, spoil: Any, line: str) -> None:
    data = game_data()
    spoil(data)
    with pytest.raises(Contradictory) as refused:
        import_file(raw(data), name="g.json", target=Target(tournament="cup"))
    draft = taken(cup, data)
    assert line in breach_lines(draft)
    assert breach_lines(draft) == contradiction_lines(refused.value)
    page = client_of("organizer").get(f"/t/cup/drafts/{draft.uuid}/")
    assert line in Page(page.content.decode()).text


def test_a_draft_is_the_file_byte_by_byte_and_no_game(cup: World) -> None:
    games, results, members = Game.objects.count(), SeatResult.objects.count(), Member.objects.count()
    content = b"\xef\xbb\xbf" + json.dumps(two_wrongs(), indent=3).encode() + b"\n\n"
    draft = drafts.take_draft(content, name="a.json", tournament=cup.tournament, by=cup.people["organizer"])
    assert bytes(Draft.objects.get(pk=draft.pk).raw) == content
    assert breach_lines(draft) == LINES
    assert (Game.objects.count(), SeatResult.objects.count(), Member.objects.count()) == (games, results, members)
    response = client_of("head").get(f"/t/cup/drafts/{draft.uuid}/file.json")
    assert response.content == content
    assert response["Content-Disposition"] == "attachment; filename*=UTF-8''a.json"


def test_the_same_file_is_an_open_draft_once(cup: World) -> None:
    assert taken(cup) == taken(cup)
    drafts.discard(taken(cup), by=cup.people["organizer"], reason="не наша игра")
    assert taken(cup).is_open
    assert Draft.objects.count() == 2


def test_what_contradicts_nothing_and_what_is_no_such_game_is_no_draft(cup: World) -> None:
    with pytest.raises(Invalid) as consistent:
        taken(cup, game_data())
    assert consistent.value.messages == ["Противоречий в файле нет: его можно принять как игру."]
    with pytest.raises(Invalid) as evening:
        drafts.take_draft(
            evening_file("2013-12-07").read_bytes(), name="e", tournament=cup.tournament, by=cup.people["organizer"]
        )
    assert evening.value.messages == [
        "Черновиком принимается только игра mafiaratings; этот файл сначала нужно исправить."
    ]
    assert Draft.objects.count() == 0


def test_what_was_found_is_stored_whole(cup: World) -> None:
    data = two_wrongs()
    data["winner"] = "civ"
    data["players"][3]["nominating"] = [None, 8]
    data["players"][1]["warnings"].append({"round": 7, "time": "shooting"})
    with pytest.raises(Contradictory) as error:
        import_file(raw(data), name="g.json", target=Target(tournament="cup"))
    for breach in error.value.breaches:
        stored = json.loads(json.dumps(to_json(breach)))
        assert to_json(from_json(stored)) == stored
    assert breach_lines(taken(cup, data)) == contradiction_lines(error.value)


def test_a_draft_is_written_once(cup: World) -> None:
    draft = taken(cup)
    draft.raw = b"{}"
    with pytest.raises(WrittenOnceError):
        draft.save()
    with pytest.raises(WrittenOnceError):
        draft.delete()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE protocols_draft SET contradictions = '[]'")


# ---------------------------------------------------------------- the page


def test_each_contradiction_is_marked_where_it_stands(cup: World) -> None:
    view = view_of(taken(cup))
    assert [line.words for line in view.lines] == LINES
    assert {row.seat: row.marks for row in view.rows if row.marks} == {9: (1,), 1: (2,)}
    assert {part.title: part.marks for part in view.parts if part.marks} == {"Ночь 1": (1,), "День 3": (2,)}
    assert view.elsewhere == ()


def test_the_page_shows_the_game_as_the_file_tells_it(cup: World) -> None:
    view = view_of(taken(cup))
    assert [row.nickname for row in view.rows] == [player["name"] for player in game_data()["players"]]
    assert [row.role for row in view.rows] == list("ККККДШЧЧКК")
    assert (view.rows[3].exit, view.rows[3].best_move) == ("отстрел, ночь 1", "3, 5, 6")
    assert (view.rows[0].fouls, view.rows[0].exit) == ("3: день 4, день 4, день 4", "выведен голосованием, день 5")
    assert view.winner == "победа чёрных"
    assert [part.title for part in view.parts] == [
        "День 1", "Ночь 1", "День 2", "Ночь 2", "День 3", "Ночь 3", "День 4", "Ночь 4", "День 5"
    ]  # fmt: skip
    days = {part.title: dict(part.facts) for part in view.parts}
    assert days["День 1"] == {
        "Выставления": "2→1, 10→3",
        "Голосование": "№1 — 5 (2, 3, 4, 5, 6); №3 — 5 (1, 7, 8, 9, 10)",
        "Переголосование": "№1 — 5 (2, 3, 4, 5, 6); №3 — 5 (1, 7, 8, 9, 10)",
    }
    assert days["Ночь 1"] == {
        "Выстрелы": "5→4, 7→4, 8→4",
        "Проверка дона": "3",
        "Проверка шерифа": "9",
        "Стол покинули": "№4",
    }
    assert days["День 3"]["Голосование"] == "№7 — 1 (8); №8 — 5 (2, 3, 7, 9, 10)"


def test_an_eleventh_player_is_shown_too(cup: World) -> None:
    data = game_data()
    data["players"].append({"name": "Лишний"})
    view = view_of(taken(cup, data))
    assert (len(view.rows), view.rows[10].nickname, view.elsewhere) == (11, "Лишний", (1,))


CAST = ("judge", "other", "head", "organizer", "foreign", "plain", "anonymous")
READ = {
    "/t/cup/drafts/": (403, 403, 200, 200, 403, 403, 302),
    "/t/cup/drafts/{uuid}/": (403, 403, 200, 200, 403, 403, 302),
    "/t/cup/drafts/{uuid}/file.json": (403, 403, 200, 200, 403, 403, 302),
    "/t/elsewhere/drafts/{uuid}/": (403, 403, 403, 403, 404, 403, 302),
}
SENT = {
    "/t/cup/drafts/{uuid}/discard/": (403, 403, 403, 422, 403, 403, 401),
    "/t/cup/drafts/{uuid}/correct/": (403, 403, 403, 422, 403, 403, 401),
}


def test_drafts_are_read_by_who_oversees_and_settled_by_the_organizer(cup: World) -> None:
    uuid = taken(cup).uuid
    clients = {name: client_of(name) for name in CAST}
    read = {
        address: tuple(clients[name].get(address.format(uuid=uuid)).status_code for name in CAST) for address in READ
    }
    assert read == READ
    sent = {
        address: tuple(clients[name].post(address.format(uuid=uuid)).status_code for name in CAST) for address in SENT
    }
    assert sent == SENT


def test_the_desk_lists_open_drafts(cup: World) -> None:
    draft = taken(cup)
    desk = client_of("organizer").get("/t/cup/desk/").content.decode()
    assert f"/t/cup/drafts/{draft.uuid}/" in desk
    drafts.discard(draft, by=cup.people["organizer"], reason="дубль")
    assert "/t/cup/drafts/" not in client_of("organizer").get("/t/cup/desk/").content.decode()


def test_a_draft_counts_nowhere(cup: World) -> None:
    before = Client().get("/t/cup/standings/").content
    page = Client().get("/t/cup/").content
    taken(cup)
    assert Page(Client().get("/t/cup/standings/").content.decode()).text == Page(before.decode()).text
    assert Page(Client().get("/t/cup/").content.decode()).text == Page(page.decode()).text


# ---------------------------------------------------------------- what becomes of it


def test_a_discarded_draft_stays_readable_with_its_reason(cup: World) -> None:
    draft = taken(cup)
    organizer = client_of("organizer")
    response = organizer.post(f"/t/cup/drafts/{draft.uuid}/discard/", {"reason": "Протокол потерян"})
    assert (response.status_code, response["Location"]) == (302, "/t/cup/drafts/")
    draft.refresh_from_db()
    assert (draft.is_open, draft.discard_reason, draft.discarded_by) == (
        False,
        "Протокол потерян",
        cup.people["organizer"],
    )
    text = Page(organizer.get(f"/t/cup/drafts/{draft.uuid}/").content.decode()).text
    assert "Причина: Протокол потерян" in text
    assert LINES[0] in text
    with pytest.raises(Invalid):
        drafts.discard(draft, by=cup.people["organizer"], reason="ещё раз")


def test_a_corrected_file_becomes_the_game_and_the_draft_points_to_it(cup: World) -> None:
    draft = taken(cup)
    file = SimpleUploadedFile("ok.json", game_file("full-black-win").read_bytes())
    response = client_of("organizer").post(
        f"/t/cup/drafts/{draft.uuid}/correct/", {"file": file, "stage": cup.stage.name}
    )
    draft.refresh_from_db()
    assert draft.game is not None
    assert (response.status_code, response["Location"]) == (302, f"/games/{draft.game.uuid}/")
    assert (draft.game.stage, draft.is_open) == (cup.stage, False)
    assert bytes(draft.raw) == raw(two_wrongs())


def test_a_file_that_is_still_wrong_is_not_taken(cup: World) -> None:
    draft = taken(cup)
    data = two_wrongs()
    del data["players"][8]["legacy"]
    file = SimpleUploadedFile("better.json", raw(data))
    response = client_of("organizer").post(f"/t/cup/drafts/{draft.uuid}/correct/", {"file": file})
    assert response.status_code == 422
    assert LINES[1] in Page(response.content.decode()).first("message--error")
    draft.refresh_from_db()
    assert draft.is_open


# ---------------------------------------------------------------- the ways in


def test_the_upload_page_refuses_it_or_keeps_it_as_a_draft(cup: World) -> None:
    organizer = client_of("organizer")
    response = organizer.post("/t/cup/upload/", {"file": SimpleUploadedFile("g.json", raw(two_wrongs()))})
    assert response.status_code == 422
    assert Draft.objects.count() == 0
    kept = {"file": SimpleUploadedFile("g.json", raw(two_wrongs())), "as_draft": "on"}
    response = organizer.post("/t/cup/upload/", kept)
    draft = Draft.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"/t/cup/drafts/{draft.uuid}/")
    assert (draft.name, draft.taken_by) == ("g.json", cup.people["organizer"])


def test_the_command_keeps_a_draft_only_where_it_is_asked_to(tmp_path: Path) -> None:
    path = spoiled(tmp_path, two_wrongs())
    assert run(path)[2] is False
    assert (Draft.objects.count(), Tournament.objects.count()) == (0, 0)
    out, err, is_ok = run(path, "--draft")
    draft = Draft.objects.get()
    place = f"/t/mafiaratings/drafts/{draft.uuid}/"
    assert out == [f"{path}: сохранён черновиком: {place}", *(f"{path}: {line}" for line in LINES)]
    assert (err, is_ok, Game.objects.count()) == ([], True, 0)
    assert (draft.tournament.slug, draft.regulation, draft.taken_by) == (
        "mafiaratings",
        "F",
        User.objects.get(username="import"),
    )


def test_the_command_takes_what_contradicts_nothing_as_ever() -> None:
    assert run(game_file("full-black-win"), "--draft")[2] is True
    assert (Draft.objects.count(), Game.objects.count()) == (0, 1)
