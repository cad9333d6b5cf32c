"""`manage.py import_game`: files become signed games through the services, each whole or not at all."""

import io
import json
import subprocess
import sys
from collections import Counter
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError

from protocols.models import Entry, Game, Player, Seat, SeatResult, SignedSheet, Stage, Status, Tournament
from protocols.selectors import record_of
from protocols.services.verify import differences

from .expected import GAMES
from .files import evening_data, evening_file, game_data, game_file, raw

pytestmark = pytest.mark.django_db

EVERYTHING = (User, Tournament, Stage, Game, Seat, Player, Entry, SignedSheet, SeatResult)


def run(*arguments: str | Path) -> tuple[list[str], list[str], bool]:
    """The lines of the command's output and errors, and whether it succeeded."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("import_game", *map(str, arguments), stdout=out, stderr=err)
    except CommandError as error:
        return out.getvalue().splitlines(), [*err.getvalue().splitlines(), str(error)], False
    return out.getvalue().splitlines(), err.getvalue().splitlines(), True


def counts() -> list[int]:
    """How many rows there are of everything."""
    return [model.objects.count() for model in EVERYTHING]


def spoiled(folder: Path, data: Any, name: str = "game.json") -> Path:
    """The data as a file."""
    path = folder / name
    path.write_bytes(raw(data))
    return path


def test_the_four_games_come_in_signed() -> None:
    out, err, is_ok = run(*(game_file(name) for name in GAMES), "--sign")
    assert (len(out), err, is_ok) == (4, [], True)
    assert Tournament.objects.get().regulation == "F"
    games = {(game.source or {})["file"].removesuffix(".json"): game for game in Game.objects.all()}
    assert {name: game.status for name, game in games.items()} == dict.fromkeys(GAMES, Status.SIGNED)
    assert [differences(game) for game in games.values()] == [[], [], [], []]
    for name, expected in GAMES.items():
        record = record_of(games[name])
        assert record.nicknames == dict(enumerate(expected.nicknames.split(), 1))
        exits = {
            seat: f"{p.left.how} {'night' if p.left.moment.is_night else 'day'} {p.left.moment.day}"
            for seat, p in record.state.seats.items()
            if p.left
        }
        assert exits == expected.exits
        sheet = SignedSheet.objects.get(game=games[name]).sheet
        assert sheet.result == expected.winner
        assert sheet.best_move == (expected.best_move or ())
        assert [row.role for row in sheet.rows] == expected.roles.split()
        assert {row.seat: len(row.fouls) for row in sheet.rows if row.fouls} == {
            seat: len(fouls) for seat, fouls in expected.fouls.items()
        }


def test_what_the_file_says_beside_the_play_is_kept() -> None:
    run(game_file("full-black-win"), "--sign")
    game = Game.objects.get()
    assert game.played_on == date(2020, 1, 25)  # in Moscow
    assert game.ended_at == datetime(2020, 1, 25, 21, 49, 22, tzinfo=UTC)
    assert (game.judge, game.judge_name) == (None, "—")
    source = game.source or {}
    assert (source["format"], source["file"]) == ("mafiaratings", "full-black-win.json")
    assert (source["facts"]["rules"], source["facts"]["tournamentId"]) == ("0000000000000", 1)
    assert "Лотос" not in json.dumps(source, ensure_ascii=False)
    assert {entry.author.username for entry in Entry.objects.all()} == {"import"}
    assert User.objects.get(username="import").is_active is False


def test_unsigned_games_wait_for_their_judge() -> None:
    User.objects.create_user("anna", first_name="Анна", last_name="Белова")
    run(game_file("full-black-win"), "--judge", "anna", "--by", "anna", "--tournament", "cup", "--stage", "Финал")
    game = Game.objects.get()
    assert (game.status, game.judge_name, game.stage.name) == (Status.OVER, "Анна Белова", "Финал")
    assert game.tournament.slug == "cup"


def test_a_file_taken_twice_is_there_once() -> None:
    run(game_file("full-black-win"))
    before = counts()
    out, err, is_ok = run(game_file("full-black-win"))
    assert (out, err, is_ok) == ([f"{game_file('full-black-win')}: уже есть: Игры mafiaratings"], [], True)
    assert counts() == before


def test_a_refused_file_leaves_nothing_and_the_others_are_taken(tmp_path: Path) -> None:
    data = game_data()
    data["players"][8]["legacy"] = [1, 2, 3]
    bad = spoiled(tmp_path, data)
    out, err, is_ok = run(bad, game_file("full-black-win"), tmp_path / "absent.json")
    assert [line.partition(": ")[0] for line in out] == [str(game_file("full-black-win"))]
    assert err == [
        f"{bad}: №9 Умка назвал лучший ход, но в ночь 1 отстрелен №4 Онега (п. 8.3)",
        f"{tmp_path / 'absent.json'}: Файл не открывается: такого файла нет",
        "Не приняты 2 файла.",
    ]
    assert is_ok is False
    assert Game.objects.count() == 1


def test_a_file_refused_by_itself_leaves_no_tournament_either(tmp_path: Path) -> None:
    data = game_data()
    data["winner"] = "civ"
    before = counts()
    assert run(spoiled(tmp_path, data))[2] is False
    assert counts() == before


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "Файл пуст"),
        (b"{", "Файл — не JSON (строка 1, столбец 2)"),
        (b"{}", "Файл — JSON, но не запись игры, не игра mafiaratings и не клубный вечер"),
        ("привет".encode("cp1251"), "Файл — не текст в кодировке UTF-8 (байт 0)"),
    ],
    ids=["empty", "no JSON", "another shape", "another encoding"],
)
def test_what_is_no_game_gets_one_line(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(content)
    assert run(path) == ([], [f"{path}: {words}", "Не принят 1 файл."], False)
    assert Game.objects.count() == 0


def test_fifty_megabytes_are_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(50_000_000)
    assert run(path) == ([], [f"{path}: Файл больше 2 МБ", "Не принят 1 файл."], False)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert run(tmp_path) == ([], [f"{tmp_path}: Файл не открывается: это папка", "Не принят 1 файл."], False)


def test_the_exit_code_says_whether_all_were_taken(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text("[]")
    found = subprocess.run(
        [sys.executable, "manage.py", "import_game", str(path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).resolve().parents[2],
    )
    assert found.returncode == 1
    assert (
        f"{path}: Файл — JSON, но не запись игры, не игра mafiaratings и не клубный вечер" in found.stderr.splitlines()
    )


# ---------------------------------------------------------------- evenings


@pytest.mark.parametrize(("name", "better"), [("2013-12-07", {"Ёлка": 7}), ("2013-12-21", {})])
def test_an_evening_gives_edition_a_totals(name: str, better: dict[str, int]) -> None:
    assert run(evening_file(name), "--sign")[2] is True
    tournament = Tournament.objects.get()
    assert (tournament.title, tournament.slug, tournament.regulation) == (f"Вечер {name}", f"evening-{name}", "A")
    totals: Counter[str] = Counter()
    for row in SeatResult.objects.filter(in_force=True).select_related("player"):
        totals[row.player.nickname] += row.win + row.penalty + row.extra + row.best_move
    club = {row["nick"]: int(row["total"]) * 1000 for row in evening_data(name)["computed_totals"]}
    assert totals == {**club, **{nickname: points * 1000 for nickname, points in better.items()}}
    games = list(Game.objects.all())
    assert {(game.results_only, game.status, game.judge_name) for game in games} == {(True, Status.SIGNED, "Судья")}
    assert [game.played_on.isoformat() for game in games] == [name] * len(games)
    assert [differences(game) for game in games] == [[]] * len(games)


def test_an_evening_over_the_caps_is_refused_and_leaves_nothing() -> None:
    before = counts()
    out, err, is_ok = run(evening_file("2014-03-16"), "--sign")
    assert (out, len(err), is_ok) == ([], 24, False)
    assert err[3] == (
        f"{evening_file('2014-03-16')}: Игра 1. Сумма доп. баллов 7,5, допустимо не больше 2:"
        " №1 Умка, №2 Жасмин, №7 Хмель (п. 8.4.3)"
    )
    assert counts() == before


def test_an_evening_is_a_stage_of_the_tournament_that_is_named() -> None:
    run(evening_file("2013-12-07"), evening_file("2013-12-21"), "--tournament", "season", "--sign")
    assert [stage.name for stage in Tournament.objects.get().stages.all()] == ["Вечер 2013-12-07", "Вечер 2013-12-21"]
    assert [(game.stage.number, game.number) for game in Game.objects.all()] == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)]


def test_a_tournament_keeps_its_regulation() -> None:
    run(evening_file("2013-12-07"), "--tournament", "season")
    _, err, is_ok = run(evening_file("2013-12-21"), "--tournament", "season", "--regulation", "F")
    assert err[0] == f"{evening_file('2013-12-21')}: Турнир «Вечер 2013-12-07» идёт по другому регламенту: Редакция А."
    assert is_ok is False


def test_an_unknown_login_is_named() -> None:
    assert run(game_file("full-black-win"), "--by", "nobody") == ([], ["Пользователя «nobody» нет."], False)
