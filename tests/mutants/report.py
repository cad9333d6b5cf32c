"""The report of a run, and the reasons that people gave for what survives."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .changes import Mutant
from .running import Outcome


@dataclass(frozen=True)
class Found:
    """What a run found: all mutants there are, and what became of those that were chosen."""

    seed: int
    everything: Sequence[Mutant]
    outcomes: Sequence[tuple[Mutant, Outcome]]

    @property
    def survivors(self) -> list[Mutant]:
        """Those that no test noticed."""
        return [mutant for mutant, outcome in self.outcomes if outcome == Outcome.SURVIVED]

    @property
    def killed(self) -> int:
        """How many a test noticed, or never ended."""
        return len(self.outcomes) - len(self.survivors)


def reasons_of(path: Path) -> dict[str, str]:
    """Name of a mutant → why no test kills it."""
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    return {key: " ".join(reason.split()) for key, reason in found.items()}


def written(found: Found, reasons: Mapping[str, str]) -> str:
    """The report, in Markdown."""
    return "\n".join(_lines(found, reasons)) + "\n"


def _lines(found: Found, reasons: Mapping[str, str]) -> Iterator[str]:
    chosen, late = len(found.outcomes), sum(outcome == Outcome.OUT_OF_TIME for _, outcome in found.outcomes)
    yield "# Mutants of the rules"
    yield ""
    yield "Written by `make mutants`; the reasons stand in `tests/mutants/reasons.toml`."
    yield ""
    yield "A mutant is `protocols/rules` with one small change: another comparison, another number, another clause, a"
    yield "condition that always holds, a statement taken away. It is killed when a test fails, or when the tests never"
    yield "end. Run against it are the tests of the rules, not those of pages, files and people."
    yield ""
    yield f"- Seed {found.seed}: {chosen} mutants out of {len(found.everything):,}."
    yield f"- Killed: **{found.killed}** ({found.killed / max(chosen, 1):.1%}), {late} of them because they never end."
    yield f"- Survived: {len(found.survivors)}."
    yield ""
    yield "| module | mutants | taken | killed |"
    yield "|---|---:|---:|---:|"
    possible = Counter(mutant.file for mutant in found.everything)
    taken = Counter(mutant.file for mutant, _ in found.outcomes)
    alive = Counter(mutant.file for mutant in found.survivors)
    for file in sorted(possible):
        yield f"| `{file}` | {possible[file]} | {taken[file]} | {taken[file] - alive[file]} |"
    if found.survivors:
        yield ""
        yield "## Survivors"
    for mutant in found.survivors:
        yield ""
        yield f"**`{mutant.file}:{mutant.line}`** in `{mutant.function or 'the module'}`"
        yield ""
        before, _, after = mutant.change.partition(" → ")
        yield f"- was: `{before}`"
        yield f"- became: `{after}`"
        yield f"- {reasons.get(mutant.key, '**no reason yet**')}"
