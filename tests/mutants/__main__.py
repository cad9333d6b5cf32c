"""`python -m tests.mutants`: a seeded sample of the mutants of the rules, and docs/mutants.md.

It fails where fewer than nine in ten are killed, or where a survivor has no reason in reasons.toml.
`--only TEXT` runs the mutants whose name holds the text instead, and prints what the tests say to each.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from .changes import Mutant, mutants_of, sample
from .report import Found, reasons_of, written
from .running import Broken, Outcome, Run, Target, baseline, outcomes

ROOT = Path(__file__).resolve().parents[2]
NUMBER, SEED = 400, 2024
LEAST = 0.9  # the share to be killed
# The tests of the rules, the telling ones first. Random games and pages took ten times as long and killed no more.
RUNS = (
    Run(
        (
            *("--noconftest", "-p", "no:django", "-m", "not hypothesis"),
            "tests/protocols/test_agenda.py",
            "tests/protocols/test_differences.py",
            "tests/protocols/test_fold.py",
            "tests/protocols/test_insertion.py",
            "tests/protocols/test_moments.py",
            "tests/protocols/test_points.py",
            "tests/protocols/test_regulations.py",
            "tests/protocols/test_sheet.py",
            "tests/exchange/test_the_four_games.py",
            "tests/protocols/test_cases.py",
            "tests/protocols/test_cautions.py",
            "tests/protocols/test_invariants.py",
            "tests/scoring/test_cases.py",
            "tests/scoring/test_own_regulations.py",
        )
    ),
    Run(
        ("tests/storage/test_cautions.py", "tests/storage/test_invariants.py"),
        frozenset({"cautions.py", "course.py", "invariants.py", "invariants_of_votes.py"}),
    ),
)
RULES = Target("protocols.rules", ROOT / "protocols" / "rules", RUNS)
REPORT, REASONS = ROOT / "docs" / "mutants.md", Path(__file__).with_name("reasons.toml")


def main() -> None:
    """Runs the sample, writes the report, and says what is missing."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--number", type=int, default=NUMBER)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--processes", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--only", metavar="TEXT", default="")
    options = parser.parse_args()
    os.chdir(ROOT)
    everything = mutants_of(RULES.files)
    if options.only:
        _run([mutant for mutant in everything if options.only in mutant.key], options.processes, show=True)
        return
    chosen = sample(everything, options.number, options.seed)
    started = time.monotonic()
    found = Found(options.seed, everything, _run(chosen, options.processes))
    print(f"{found.killed} of {len(chosen)} killed in {(time.monotonic() - started) / 60:.0f} min.")
    reasons = reasons_of(REASONS)
    if (options.number, options.seed) == (NUMBER, SEED):
        REPORT.parent.mkdir(exist_ok=True)
        REPORT.write_text(written(found, reasons), encoding="utf-8")
        print(f"Written: {REPORT.relative_to(ROOT)}")
    without = [mutant.key for mutant in found.survivors if mutant.key not in reasons]
    for key in without:
        print(f"No reason in {REASONS.relative_to(ROOT)}: {key}")
    for key in sorted(reasons.keys() - {mutant.key for mutant in found.survivors}):
        print(f"A reason for none of the survivors: {key}")
    if found.killed < LEAST * len(chosen):
        sys.exit(f"Fewer than {LEAST:.0%} are killed.")
    if without:
        sys.exit(f"{len(without)} survivors have no reason.")


def _run(mutants: list[Mutant], processes: int, *, show: bool = False) -> list[tuple[Mutant, Outcome]]:
    try:
        needed = baseline(RULES)
        seconds = int(20 + 4 * needed)
        print(f"The tests take {needed:.1f} s of processor; a mutant gets {seconds}.", flush=True)
        done = []
        for mutant, outcome in outcomes(RULES, mutants, seconds=seconds, processes=processes, show=show):
            done.append((mutant, outcome))
            if show or outcome == Outcome.SURVIVED or len(done) % 50 == 0:
                print(f"{len(done)}/{len(mutants)} {outcome}: {mutant.file}:{mutant.line} {mutant.key}", flush=True)
    except Broken as error:
        sys.exit(f"{error}\nThe tests must pass before they can kill.")
    order = {mutant: at for at, mutant in enumerate(mutants)}
    return sorted(done, key=lambda one: order[one[0]])


if __name__ == "__main__":
    main()
