"""Every case file holds, every clause has one, and every code that the core can produce is met in one of them."""

import ast
from pathlib import Path

import pytest

from protocols.rules.articles import ARTICLES
from tests.games.runner import play
from tests.games.script import case_files, read_case

CASES = case_files()
STANDINGS = case_files("standings")  # played in tests/scoring/test_cases.py
CORE = Path(__file__).resolve().parents[2] / "protocols" / "rules"
CLAUSES = {
    *(f"A 6.{n}" for n in (3, 4, 5)),
    *(f"A 6.6.{n}" for n in range(1, 8)),
    *(f"A 6.7.{n}" for n in range(1, 6)),
    *(f"A 6.8.{n}" for n in range(1, 5)),
    *(f"A 7.{n}" for n in range(1, 8)),
    *("A 8.2", "A 8.2.1", "A 8.2.2", "A 8.2.3", "A 8.2.4", "A 8.3", "A 8.3.1"),
    *("A 8.4", "A 8.4.1", "A 8.4.2", "A 8.4.3", "A 8.4.4"),
    *("A 8.5", "A 8.5.1", "A 8.5.2", "A 8.5.3", "A 8.5.4", "A 8.6", "A 8.7.1", "A 8.7.4"),
    *("A 9.4", "A 9.4.1", "A 9.5", "A 9.6", "A 9.7", "A 9.8"),
    *(f"B-S{n}" for n in range(1, 8)),
    *("B-T2", "B-P6", "B-P7", "B-P8", "B-P9"),
    *(f"§{n}" for n in range(1, 7)),
    "ФИИМ",
}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    play(read_case(path))


def test_every_clause_has_a_case() -> None:
    covered = {clause for path in (*CASES, *STANDINGS) for clause in read_case(path).clauses}
    assert CLAUSES - covered == set()


def test_a_case_is_headed_by_clauses_that_are_printed() -> None:
    known = {*ARTICLES, *(f"§{n}" for n in range(1, 10)), "ФИИМ"}
    unknown = {clause for path in (*CASES, *STANDINGS) for clause in read_case(path).clauses} - known
    assert unknown == set()


def test_a_case_is_named_by_its_first_clause() -> None:
    misnamed = []
    for path in CASES:
        first = read_case(path).clauses[0]
        prefix = "F" if first == "ФИИМ" else first.replace("A ", "A-").replace("§", "section-")
        if not path.name.startswith(f"{prefix}-"):
            misnamed.append(path.name)
    assert misnamed == []


def codes_of_the_core() -> set[str]:
    """Every code of a refusal, a notice, a contradiction or a problem that stands in the core's source."""
    makers = {"refusal": 0, "Refusal": 0, "tell": 0, "Notice": 0, "contradict": 0, "Contradiction": 0, "Problem": 0}
    codes = {"removed_fouls", "removed_disqualified"}
    for path in CORE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if name in makers and node.args:
                    first = node.args[makers[name]]
                    codes |= {
                        n.value for n in ast.walk(first) if isinstance(n, ast.Constant) and isinstance(n.value, str)
                    }
    return codes


def test_every_code_of_the_core_is_met_in_a_case() -> None:
    seen: set[str] = set()
    for path in CASES:
        seen |= play(read_case(path)).seen
    assert codes_of_the_core() - seen == set()
