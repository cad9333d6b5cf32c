"""The archived evenings of a club: imported, signed, and read back from the standings page in edition A's totals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.test import Client

from protocols.services.importing import Target, import_file

from .test_pages import rows_of

DATA = Path(__file__).resolve().parents[1] / "data" / "evenings"


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "derived"), [("2013-12-07", {"Ёлка": "7"}), ("2013-12-21", {})])
def test_an_evening_stands_with_edition_a_totals(client: Client, name: str, derived: dict[str, str]) -> None:
    # the club wrote no −1 for the four fouls that Ёлка had on 2013-12-07
    path = DATA / f"{name}.json"
    import_file(path.read_bytes(), name=path.name, target=Target(tournament="cup"), sign=True)
    totals = json.loads(path.read_text(encoding="utf-8"))["computed_totals"]
    expected = {row["nick"]: (row["total"], str(row["games"]), str(row["wins"])) for row in totals}
    for nickname, total in derived.items():
        expected[nickname] = (total, *expected[nickname][1:])
    assert {row[1]: (row[2], row[3], row[4]) for row in rows_of(client)[1:]} == expected
