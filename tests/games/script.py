"""A case file as statements: what its lines say, before anything is played."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
CLAUSE = r"(?:A \d[\d.]*\d|B-[STP]\d+|§\d|ФИИМ)"
HEAD = re.compile(rf"# ((?:{CLAUSE}(?:, )?)+): (.+)")
ALWAYS_EXPECT, THEN = "expect", "then"
DAY_OR_NIGHT = re.compile(r"(day|night) \d+")


@dataclass(frozen=True)
class Statement:
    """One thing that a case does or expects, with the number of its line."""

    line: int
    text: str
    is_expected: bool = False


@dataclass(frozen=True)
class Case:
    """A case file: the clauses of its heads, and its statements in order."""

    path: Path
    clauses: tuple[str, ...]
    titles: tuple[str, ...]
    statements: tuple[Statement, ...]


class Unreadable(Exception):
    """A line that no rule of the language reads."""


def case_files(folder: str = ".") -> list[Path]:
    """The case files of that folder, by name."""
    return sorted((HERE / folder).glob("*.txt"))


def read_case(path: Path) -> Case:
    """The case as written. Raises Unreadable where it has no head."""
    clauses: list[str] = []
    titles: list[str] = []
    statements: list[Statement] = []
    expected = False
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        head = HEAD.fullmatch(raw)
        if head:
            clauses += head[1].split(", ")
            titles.append(head[2])
            continue
        line = "" if raw.startswith("#") else raw.split("  # ")[0].rstrip()
        if not line.strip():
            continue
        is_continued = line[0].isspace()
        line = " ".join(line.split())
        word = line.split()[0]
        if not is_continued:
            expected = word == ALWAYS_EXPECT
        if word in (ALWAYS_EXPECT, THEN):
            line = line.removeprefix(word).strip()
        opening = DAY_OR_NIGHT.match(line)
        if opening and not expected:
            statements.append(Statement(number, opening[0]))
            line = line[opening.end() :].strip(" ·")
        statements += [
            Statement(number, part.strip(), expected) for part in re.split(r"\s·\s", line) if part.strip()
        ]  # fmt: skip
    if not clauses:
        raise Unreadable(f"{path.name}: the first line names the clause, as «# A 7.1: …»")
    return Case(path, tuple(clauses), tuple(titles), tuple(statements))
