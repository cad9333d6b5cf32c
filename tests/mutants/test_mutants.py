"""The tool that looks for holes finds one that was left on purpose, and nothing where there is none."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from .__main__ import NUMBER, ROOT, RULES, SEED
from .changes import Mutant, compiled, mutants_of, sample
from .report import Found, reasons_of, written
from .running import Outcome

FEE = '''"""Entry fees."""


def fee(age: int, member: bool) -> int:
    """What a person pays."""
    if age < 7:
        return 0
    return 100 if member else 150


def rounds(players: int) -> int:
    """How often they play."""
    played = 0
    while players > 1:
        players -= 1
        played += 1
    return played
'''
TESTS = """
from planted.fee import fee, rounds


def test_children_pay_nothing():
    assert fee(6, False) == 0
    assert fee(7, False) == 150


def test_everybody_meets_everybody():
    assert rounds(4) == 3
"""
RUN = """
import json, sys
from pathlib import Path
from tests.mutants.changes import mutants_of
from tests.mutants.running import Run, Target, baseline, outcomes
folder = Path(sys.argv[1])
sys.path.insert(0, str(folder))
run = Run(("--noconftest", "-p", "no:django", f"--rootdir={folder}", str(folder / "test_fee.py")))
target = Target("planted", folder / "planted", (run,))
baseline(target)
found = outcomes(target, mutants_of(target.files), seconds=1)
print("\\n" + json.dumps([(mutant.key, outcome) for mutant, outcome in found]))
"""


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A package with a test that never asks what a member pays."""
    (tmp_path / "planted").mkdir()
    (tmp_path / "planted" / "__init__.py").touch()
    (tmp_path / "planted" / "fee.py").write_text(FEE)
    (tmp_path / "test_fee.py").write_text(TESTS)
    return tmp_path


def run(folder: Path) -> dict[str, str]:
    """What becomes of every mutant of the planted package."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(folder)], cwd=ROOT, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = dict(json.loads(done.stdout.splitlines()[-1]))
    return found


def test_a_planted_hole_is_found_and_what_never_ends_is_killed(planted: Path) -> None:
    found = run(planted)
    assert {key for key, outcome in found.items() if outcome == "survived"} == {
        "fee.py · fee · return 100 if member else 150 → return 100 if False else 150",
        "fee.py · fee · return 100 if member else 150 → return 101 if member else 150",
        "fee.py · fee · return 100 if member else 150 → return 99 if member else 150",
    }
    assert found["fee.py · rounds · players -= 1 → pass"] == "out of time"
    assert Counter(found.values())["killed"] >= 20
    (planted / "test_fee.py").write_text(TESTS + "\n\ndef test_members_pay_less():\n    assert fee(7, True) == 100\n")
    assert "survived" not in run(planted).values()
    assert (planted / "planted" / "fee.py").read_text() == FEE


def test_a_sample_is_the_same_for_a_seed_and_another_for_another() -> None:
    mutants = mutants_of(RULES.files)
    chosen = sample(mutants, NUMBER, SEED)
    assert len(chosen) == NUMBER
    assert chosen == sample(mutants_of(reversed(RULES.files)), NUMBER, SEED)
    assert len(set(chosen) & set(sample(mutants, NUMBER, SEED + 1))) < NUMBER / 2
    assert len({mutant.key for mutant in mutants}) == len(mutants)


def test_an_edit_moves_no_other_mutant_in_or_out_of_the_sample(planted: Path) -> None:
    file = planted / "planted" / "fee.py"
    before = {mutant.key for mutant in sample(mutants_of([file]), 10, SEED)}
    file.write_text(FEE.replace('"""Entry fees."""\n', '"""Entry fees."""\n\nLIMIT = max(3, 4)\n'))
    after = {mutant.key for mutant in sample(mutants_of([file]), 10, SEED)}
    assert all("LIMIT" in key for key in after - before)
    assert len(before - after) == len(after - before)


def test_a_mutant_differs_from_its_module_in_the_one_change(planted: Path) -> None:
    file = planted / "planted" / "fee.py"
    by_change = {mutant.change: mutant for mutant in mutants_of([file])}
    scope: dict[str, object] = {}
    exec(compiled(by_change["age < 7 → age <= 7"], file), scope)
    fee = scope["fee"]
    assert callable(fee)
    assert [fee(6, False), fee(7, False), fee(8, False)] == [0, 0, 150]


def test_annotations_docstrings_and_printed_sentences_are_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "words.py"
    file.write_text('"""Words."""\nfrom x import y\nclause: str = "7.1"\nsaid: str = "A sentence."\n__all__ = ["y"]\n')
    assert [mutant.change for mutant in mutants_of([file])] == ["clause: str = '7.1' → clause: str = '7.1*'"]


def test_the_report_names_each_survivor_with_its_reason() -> None:
    mutant = Mutant("voting.py", 7, "count", "a < b → a <= b", 1, 0, 0)
    other = Mutant("voting.py", 9, "count", "a < b → a <= b", 2, 3, 0)
    found = Found(1, [mutant, other], [(mutant, Outcome.SURVIVED), (other, Outcome.OUT_OF_TIME)])
    lines = written(found, {"voting.py · count · a < b → a <= b": "They are never equal."}).splitlines()
    assert "- Killed: **1** (50.0%), 1 of them because they never end." in lines
    assert lines[-5:] == [
        "**`voting.py:7`** in `count`",
        "",
        "- was: `a < b`",
        "- became: `a <= b`",
        "- They are never equal.",
    ]


def test_reasons_are_read_by_the_names_of_mutants(tmp_path: Path) -> None:
    file = tmp_path / "reasons.toml"
    file.write_text('"voting.py · count · a < b → a <= b" = """\nThey are\nnever equal."""\n')
    assert reasons_of(file) == {"voting.py · count · a < b → a <= b": "They are never equal."}
