"""What is drawn once and kept says of each game and person what is theirs, and a light compression loses nothing."""

from __future__ import annotations

import gzip
from uuid import UUID

import pytest

from mafia_site.logins import SessionStore
from protocols.board.drawing import Pen, addresses_of
from protocols.views.compressed import MOST_MASKED, masked

ONE, OTHER = (addresses_of(UUID(int=number)) for number in (1, 2))
ANSWER = "Говорит №7 Игрок".encode() * 400


def test_a_frame_that_games_share_leads_to_the_pages_of_each() -> None:
    drawn = [Pen(urls, True, "ru").frame("_board_undo", "фол №4", hidden="…") for urls in (ONE, OTHER, ONE)]
    assert drawn[0] == drawn[2] == drawn[1].replace(OTHER.entries, ONE.entries)
    assert (drawn[0].count(ONE.entries), drawn[1].count(OTHER.entries)) == (2, 2)


def test_the_places_of_a_frame_are_filled_anew_each_time() -> None:
    pen = Pen(ONE, True, "ru")
    first, second = (pen.frame("_board_undo", "фол №4", hidden=f"<{number}>") for number in (1, 2))
    assert second == first.replace("<1>", "<2>")
    assert first.count("<1>") == 1


def test_whoever_only_watches_gets_a_row_without_controls() -> None:
    head = [
        Pen(ONE, writes, "ru").frame("_board_head", False, title="Стол 1", where="День 1") for writes in (True, False)
    ]
    assert ['data-opens="menu"' in drawn for drawn in head] == [True, False]


def test_a_masked_answer_is_the_answer_in_one_of_many_lengths() -> None:
    zipped = gzip.compress(ANSWER, compresslevel=1, mtime=0)
    answers = [masked(zipped) for _ in range(50)]
    assert {gzip.decompress(answer) for answer in answers} == {ANSWER}
    lengths = {len(answer) - len(zipped) for answer in answers}
    assert len(lengths) > 10
    assert max(lengths) <= MOST_MASKED


@pytest.mark.django_db
def test_a_session_is_what_this_site_signed_each_time_a_copy() -> None:
    store = SessionStore()
    signed = store.encode({"kept": {"a": "b"}})
    store.decode(signed)["kept"].clear()
    assert store.decode(signed) == {"kept": {"a": "b"}}
    assert store.decode(signed[:-1] + ("A" if signed[-1] != "A" else "B")) == {}
