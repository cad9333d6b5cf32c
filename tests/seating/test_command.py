"""`manage.py draw_seating`: what it prints, what it refuses, and that it draws the same again."""

import io
import os
import re
import signal
import threading
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command

from protocols.seating.advice import Code
from protocols.seating.draw import draw, for_steps
from protocols.seating.terms import Request
from protocols.wording.seating import FAULTS


def output(*arguments: object) -> str:
    out = io.StringIO()
    call_command("draw_seating", *map(str, arguments), stdout=out)
    return out.getvalue()


def test_it_prints_every_round_table_and_seat_and_who_sits_out() -> None:
    text = output("--players", 25, "--games", 4, "--seed", 5, "--steps", 10, 10)
    plan = draw(Request(25, 4, 2), Random(5).random, for_steps(10, 10)).plan
    games = [[int(number) - 1 for number in line.split(": ")[1].split()] for line in re.findall("  стол .*", text)]
    assert [tuple(game) for game in games] == list(plan.games())
    benches = [
        [int(number) - 1 for number in line.split(": ")[1].split()] for line in re.findall("  пропускают: .*", text)
    ]
    assert benches == [plan.sitting_out(number) for number in range(5)]


def test_it_prints_how_good_the_seating_is_beside_the_bounds() -> None:
    lines = output("--players", 50, "--games", 10, "--seed", 1, "--steps", 0, 0).splitlines()
    assert "Встречи: 367,3, нижняя граница 367,3" in lines
    assert "  границы: целые числа 167,3, Уэлч 367,3, общие игроки двух игр 367,3" in lines
    assert "  пар по числу встреч: 0: 100, 2: 1125" in lines
    assert "Места: 0,0, наименьшее возможное 0,0" in lines
    assert lines[-1] == "Повторить: --seed 1 --steps 0 0"


def test_what_it_says_draws_the_same_again() -> None:
    first = output("--players", 30, "--games", 5, "--seconds", 0.2)
    again = first.splitlines()[-1].split(": ")[1].split()
    assert output("--players", 30, "--games", 5, *again) == first


def test_an_interrupt_ends_at_the_best_so_far() -> None:
    usual = signal.getsignal(signal.SIGINT)
    interrupt = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    interrupt.start()
    text = output("--players", 30, "--games", 12, "--seed", 4, "--seconds", 3600)
    again = re.fullmatch(r"Повторить: --seed 4 --steps (\d+) (\d+)", text.splitlines()[-1])
    assert again is not None
    assert output("--players", 30, "--games", 12, "--seed", 4, "--steps", *again.groups()) == text
    assert signal.getsignal(signal.SIGINT) is usual


def test_matrices_are_printed_when_asked_for() -> None:
    lines = output("--players", 10, "--games", 1, "--seed", 1, "--steps", 0, 0, "--matrices").splitlines()
    start = lines.index("Встречи игроков") + 1
    assert lines[start] == "  1 |  0" + "  1" * 9


def test_a_size_that_does_not_work_is_refused_with_what_would() -> None:
    with pytest.raises(CommandError) as caught:
        output("--players", 33, "--games", 12)
    lines = str(caught.value).splitlines()
    assert lines[0] == "Игроки (33) × игры (12) — не кратно десяти: останется лишних мест: 6."
    assert lines[2] == "  игроков 33, игр у каждого 10: всего игр 33, туров 11; 11 × 3 стола; каждый пропускает 1 тур"
    assert len(lines) == 6


def test_groups_of_a_file_are_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "apart"
    path.write_text("# команды\n1 2\n3, 4: 2  # пара\n\n", encoding="utf-8")
    matrix = output("--players", 20, "--games", 5, "--seed", 1, "--steps", 60, 0, "--apart", path, "--matrices")
    rows = [[int(word) for word in line.split("|")[1].split()] for line in matrix.splitlines() if " | " in line]
    assert rows[0][1] == 0
    assert rows[2][3] <= 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1 2\nодин два", "Строка 2 файла %s — не перечень игроков: один два"),
        ("1 2: часто", "Строка 1 файла %s — не перечень игроков: 1 2: часто"),
        ("1 21", "Игрока 21 нет: всего игроков 20."),
        (
            "1 2 3",
            "При стольких играх из этих игроков — 3 (1, 2, 3) — кто-то встретится не менее 2 раз, а задано не более 0.",
        ),
    ],
)
def test_a_file_that_can_not_be_followed_is_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "apart"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CommandError) as caught:
        output("--players", 20, "--games", 5, "--apart", path)
    assert str(caught.value) == (says % path if "%s" in says else says)


def test_every_fault_has_its_words() -> None:
    assert set(FAULTS) == set(Code)
