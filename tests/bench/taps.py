"""Taps: queries of one, and how long twenty judges wait, each at their own game, beside a bare Django view.

Both servers run gunicorn with the project's configuration on a database of the same kind with the same options, and
are tapped in turn: bare, ours, bare, ours (aim at 3 taps a second: p95 at most 2×, no error; at most 8 queries).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from . import places
from .judges import JUDGES
from .server import served
from .tables import Sample, ms, percentile, show, times, verdict

RATES = (1, 3)  # taps a second and judge
SPELL = 4  # seconds
TURNS = 4  # spells of each server at each rate
AIM, AIM_QUERIES = 2.0, 8
BARE_WSGI = "tests.bench.bare.wsgi"
MAKE_TABLES = """
import django; django.setup()
from tests.bench.bare.models import Table
print(*(Table.objects.create().pk for _ in range({count})))
"""
AROUND = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")


def measure() -> None:
    """Prints the queries of a tap, then the times on each database."""
    rows: list[tuple[object, ...]] = []
    work: list[tuple[object, ...]] = []
    notes: list[str] = []
    for database in places.databases():
        with ExitStack() as stack:
            ours = stack.enter_context(places.place(database))
            bare = stack.enter_context(places.place(database, places.BARE))
            plans = json.loads(places.run(ours, "-m", "tests.bench.judges", "prepare"))
            port, bare_port = stack.enter_context(served(ours)), stack.enter_context(served(bare, BARE_WSGI))
            tables = places.run(bare, "-c", MAKE_TABLES.format(count=JUDGES)).split()
            spells = _spells(
                ours=[{**plan, "port": port} for plan in plans],
                bare=[
                    {"port": bare_port, "path": f"/tables/{table}/marks/", "taps": [{"seat": "5"}] * 1000}
                    for table in tables
                ],
            )
            rows += _rows(database, spells)
            notes += _faults(database, spells, ours)
            found = json.loads(places.run(ours, "-m", "tests.bench.judges", "queries"))
            floor = Sample(tuple(json.loads(places.run(bare, "-m", "tests.bench.bare.client"))))
            spent = Sample(tuple(found["spent"]))
            for name, sample in (("floor: a bare Django view", floor), ("ours", spent)):
                ratio = times(sample.median / floor.median)
                label = f"{database}: {name}"
                work.append((label, len(sample.values), ms(sample.median), sample.spread, ratio))
        _show_queries(database, found["statements"])
    show("Processor time of one tap, in one process, ms", ("", "n", "median", "p10–p90", "to floor"), work)
    load = " ".join(Path("/proc/loadavg").read_text().split()[:2]) if Path("/proc/loadavg").exists() else "unknown"
    show(
        f"Taps of {JUDGES} judges, each at their own game, ms from the instant the tap was due to its answer",
        ("", "n", "errors", "p50", "p95", "p95 from sending", "most", "p95 to floor", "aim"),
        rows,
        *notes,
        f"{os.cpu_count()} processors, load average after it {load}.",
    )


def _spells(**servers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    spells = [
        {"server": server, "rate": rate, "seconds": SPELL, "seed": f"{rate} {turn}"}
        for rate in RATES
        for turn in range(TURNS)
        for server in ("bare", "ours")
    ]
    plan = {"servers": servers, "spells": spells}
    done: list[dict[str, Any]] = json.loads(
        places.run(dict(os.environ), "-m", "tests.bench.load", given=json.dumps(plan))
    )
    return done


def _taps(spells: list[dict[str, Any]], server: str, rate: int | None = None) -> list[dict[str, Any]]:
    return [
        tap for spell in spells if spell["server"] == server and rate in (None, spell["rate"]) for tap in spell["taps"]
    ]


def _rows(database: str, spells: list[dict[str, Any]]) -> Iterator[tuple[object, ...]]:
    for rate in RATES:
        floor = 0.0
        for server, name in (("bare", "floor: a bare Django view"), ("ours", "ours")):
            taps = _taps(spells, server, rate)
            waits = [tap["answered"] - tap["due"] for tap in taps]
            sent = [tap["answered"] - tap["sent"] for tap in taps]
            errors = sum(tap["status"] != 200 for tap in taps)
            p95 = percentile(waits, 0.95)
            floor = floor or p95
            aim = ""
            if server == "ours":
                aim = f"≤ {AIM:.0f}×: {verdict(p95 / floor, AIM)}" if rate == RATES[-1] else ""
            label = f"{database}, {rate}/s: {name}"
            figures = (percentile(waits, 0.5), p95, percentile(sent, 0.95), max(waits))
            yield (label, len(taps), errors, *map(ms, figures), times(p95 / floor), aim)


def _faults(database: str, spells: list[dict[str, Any]], env: dict[str, str]) -> Iterator[str]:
    taps = _taps(spells, "ours")
    answered = [
        [tap["uuid"] for tap in taps if tap["judge"] == judge and tap["status"] == 200] for judge in range(JUDGES)
    ]
    wrong = json.loads(places.run(env, "-m", "tests.bench.judges", "verify", given=json.dumps(answered)))
    count = sum(map(len, answered))
    yield f"{database}: {count:,} answered entries, each stored exactly once: {'no' if wrong else 'yes'}."
    yield from (f"  {words}" for words in wrong[:10])
    for tap in [tap for tap in _taps(spells, "bare") + taps if tap["status"] != 200][:5]:
        yield f"  answered {tap['status']}: {tap['fields']} {' '.join(tap['content'].split())[-300:]}"


def _show_queries(database: str, found: dict[str, list[str]]) -> None:
    kinds = sorted(found, key=lambda kind: (-len(found[kind]), kind))
    most = max(len(statements) for statements in found.values())
    show(
        f"Queries of one tap, {database}",
        ("kind", "statements", "of them BEGIN, COMMIT and savepoints"),
        [
            (
                kind,
                len(found[kind]),
                sum(s.split()[0] in ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE") for s in found[kind]),
            )
            for kind in kinds
        ],
        f"Aim: ≤ {AIM_QUERIES}: {verdict(most, AIM_QUERIES)}.",
        *[f"  {number}. {sql[:110]}" for number, sql in enumerate(found.get("foul", []), start=1)],
    )
