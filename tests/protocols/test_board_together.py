"""One tap that writes two entries: both or neither, each taken back by itself."""

from __future__ import annotations

import pytest
from django.test import Client

from protocols.models import Game
from protocols.rules import entries as e
from protocols.rules.terms import Moment, Phase
from protocols.selectors import record_of

from .markup import Form
from .tables import LETTERS, NIGHT_ZERO, ROLES, Table, board, game_now, kinds, later, page_of, speech, table, tap

pytestmark = pytest.mark.django_db
SECOND = Moment(1, Phase.SPEECHES, 0, 2)
TALLY = Moment(1, Phase.BALLOT, 0, 1)


@pytest.fixture
def cup() -> Table:
    """The last tally of a vote is due: seat 5 has four hands of ten."""
    cup = table("F")
    later(
        cup.game, ROLES, NIGHT_ZERO, speech(1), e.Nomination(moment=speech(1).moment, seat=1, target=5), speech(2),
        e.Nomination(moment=SECOND, seat=2, target=9), e.Vote(moment=TALLY, target=5, count=4),
    )  # fmt: skip
    return cup


@pytest.fixture
def judge(client: Client, cup: Table) -> Client:
    """The table's judge."""
    client.force_login(cup.people["judge"])
    return client


def next_action(judge: Client, game: Game) -> Form:
    """The form of the one next action."""
    page = board(judge, game)
    return next(form for form in page.of_kind("turn") if ("first-kind", "vote") in form.fields)


def test_what_is_left_for_the_last_candidate_is_written_with_what_follows(judge: Client, cup: Table) -> None:
    answer = tap(judge, cup.game, next_action(judge, cup.game))
    assert answer.status_code == 200
    state = record_of(game_now(cup.game)).state
    assert kinds(cup.game)[-3:] == ["vote", "vote", "turn"]
    assert (state.days[1].ballots[0].tallies[9].count, state.moment) == (6, Moment(1, Phase.LAST_WORDS, 0, 1))


def test_a_resend_of_both_is_known(judge: Client, cup: Table) -> None:
    form = next_action(judge, cup.game)
    assert [tap(judge, cup.game, form).status_code for _ in range(2)] == [200, 200]
    assert kinds(cup.game)[-3:] == ["vote", "vote", "turn"]


def test_undo_takes_back_the_later_one_and_then_the_other(judge: Client, cup: Table) -> None:
    tap(judge, cup.game, next_action(judge, cup.game))
    for expected in (Moment(1, Phase.BALLOT, 0, 2), TALLY):
        undo = next(form for form in board(judge, cup.game).of_kind("strike") if ("step", "1") in form.fields)
        tap(judge, cup.game, undo)
        assert record_of(game_now(cup.game)).state.moment == expected


@pytest.mark.parametrize("wrong", [{"first-count": "5"}, {"first-count": "x"}, {"first-kind": "nothing"}], ids=str)
def test_where_one_is_refused_or_makes_no_sense_neither_is_written(
    judge: Client, cup: Table, wrong: dict[str, str]
) -> None:
    before = kinds(cup.game)
    assert tap(judge, cup.game, next_action(judge, cup.game), wrong).status_code == 422
    assert kinds(cup.game) == before


def test_where_somebody_was_faster_both_are_offered_again(judge: Client, cup: Table) -> None:
    form = next_action(judge, cup.game)
    later(cup.game, e.Foul(moment=TALLY, seat=3))
    answer = tap(judge, cup.game, form)
    assert answer.status_code == 409
    again = next(one for one in page_of(answer).of_kind("turn") if ("first-kind", "vote") in one.fields)
    assert tap(judge, cup.game, again).status_code == 200
    assert kinds(cup.game)[-3:] == ["foul", "vote", "turn"]


def test_the_roles_are_written_and_the_game_begins(client: Client) -> None:
    cup = table("F")
    client.force_login(cup.people["judge"])
    form = board(client, cup.game, "?open=roles").of_kind("roles")[0]
    letters = {f"role_{seat}": letter for seat, letter in enumerate(LETTERS, 1)}
    tap(client, cup.game, form, letters | {"then-kind": "turn"})
    assert kinds(cup.game) == ["roles", "turn"]
    assert record_of(game_now(cup.game)).state.moment == Moment(0, Phase.NIGHT)
