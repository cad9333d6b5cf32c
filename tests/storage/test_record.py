"""Writing one entry: known, stale, refused, late, and everything that must not happen beside it."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from protocols import access
from protocols.models import Entry, Foul, Game, Stage, Status, Strike, Tournament
from protocols.rules import entries as e
from protocols.rules.outcome import outcome
from protocols.rules.terms import SETUP, Moment, Penalty, Phase, Result
from protocols.selectors import record_of
from protocols.services.errors import Invalid
from protocols.services.prepare import create_game
from protocols.services.record import record
from protocols.services.sign import seal

from .conftest import NICKNAMES, Cast
from .play import BEGUN, CLAIM, NIGHT_ZERO, OATH, ROLES, WON_BY_RED, foul, nominate, speech, vote, written


def test_an_entry_stands_in_the_record_with_who_wrote_it_and_when(game: Game, cast: Cast) -> None:
    written(game, cast.judge, BEGUN)
    uuid, at = uuid4(), timezone.now() - timedelta(seconds=40)
    before = timezone.now()
    answer = record(foul(3, clause="6.6.1"), game=game, revision=3, by=cast.judge, uuid=uuid, device_time=at)
    assert (answer.kind, answer.entry, answer.revision) == ("written", 4, 4)
    assert len(answer.state.seats[3].fouls) == 1
    row = Foul.objects.get()
    assert (row.game, row.revision, row.uuid, row.author, row.device_time) == (game, 4, uuid, cast.judge, at)
    assert before <= row.recorded_at <= timezone.now()
    assert row.value() == replace(foul(3, clause="6.6.1"), revision=4)
    game.refresh_from_db()
    assert (game.revision, game.status) == (4, Status.RUNNING)


def test_what_is_answered_is_what_is_read_again(game: Game, cast: Cast) -> None:
    for answer in written(game, cast.judge, [*BEGUN, foul(3), nominate(1, 5), foul(3), speech(2)]):
        assert answer.record.values == record_of(game).values[: answer.revision]
    assert answer.state == record_of(game).state
    assert [row.hash for row in answer.record.rows] == [row.hash for row in record_of(game).rows]


def test_a_resent_entry_gets_its_answer_and_is_written_once(game: Game, cast: Cast) -> None:
    written(game, cast.judge, BEGUN)
    uuid = uuid4()
    first = record(foul(3), game=game, revision=3, by=cast.judge, uuid=uuid)
    written(game, cast.judge, [foul(4)])
    for revision in (3, 4, 5):
        again = record(foul(3), game=game, revision=revision, by=cast.judge, uuid=uuid)
        assert (again.kind, again.entry, again.revision) == ("known", first.entry, 5)
    assert Foul.objects.filter(seat=3).count() == 1


def test_a_resent_entry_is_known_after_the_protocol_is_signed(game: Game, cast: Cast) -> None:
    written(game, cast.judge, BEGUN)
    uuid = uuid4()
    record(OATH, game=game, revision=3, by=cast.judge, uuid=uuid)
    seal(game, revision=4, by=cast.judge)
    again = record(OATH, game=game, revision=3, by=cast.judge, uuid=uuid)
    assert (again.kind, again.entry) == ("known", 4)


def test_a_second_tap_finds_its_revision_taken(game: Game, cast: Cast) -> None:
    written(game, cast.judge, BEGUN)
    record(foul(3), game=game, revision=3, by=cast.judge, uuid=uuid4())
    second = record(foul(3), game=game, revision=3, by=cast.judge, uuid=uuid4())
    assert (second.kind, second.revision, len(second.state.seats[3].fouls)) == ("stale", 4, 1)
    ahead = record(foul(3), game=game, revision=9, by=cast.judge, uuid=uuid4())
    assert (ahead.kind, ahead.revision) == ("stale", 4)
    assert Entry.objects.count() == 4


def test_somebody_faster_between_reading_and_claiming_leaves_one_entry(game: Game, cast: Cast) -> None:
    written(game, cast.judge, BEGUN)
    stale_game = Game.objects.get(pk=game.pk)  # fetched before the other device wrote
    record(foul(3), game=game, revision=3, by=cast.judge, uuid=uuid4())
    late = record(foul(4), game=stale_game, revision=3, by=cast.judge, uuid=uuid4())
    assert (late.kind, late.revision, stale_game.revision) == ("stale", 4, 4)


def test_what_the_rules_refuse_is_not_written_and_names_its_clause(game: Game, cast: Cast) -> None:
    written(game, cast.judge, [*BEGUN, nominate(1, 5)])
    answer = record(nominate(1, 6), game=game, revision=4, by=cast.judge, uuid=uuid4())
    assert answer.kind == "refused"
    assert answer.refusal is not None
    assert (answer.refusal.code, answer.refusal.params["target"]) == ("has_nominated", 5)
    assert (answer.revision, Entry.objects.count()) == (4, 4)
    game.refresh_from_db()
    assert game.revision == 4


@pytest.mark.parametrize(
    "value",
    [
        nominate(1, 11),
        e.Turn(moment=Moment(0, Phase.NIGHT), seat=0),
        e.Vote(moment=Moment(1, Phase.BALLOT, 0, 1), target=5, count=2, voters=(1, 99)),
        e.RaiseAll(moment=Moment(1, Phase.RAISE_ALL), count=1, voters=(11,)),
        e.Shot(moment=Moment(1, Phase.NIGHT), target=None, shots=((5, 44),)),
        e.BestMove(moment=Moment(1, Phase.BEST_MOVE), seats=(1, 2, 12)),
    ],
    ids=lambda value: value.kind,
)
def test_there_are_ten_seats(game: Game, cast: Cast, value: e.Entry) -> None:
    answer = record(value, game=game, revision=0, by=cast.judge, uuid=uuid4())
    assert answer.kind == "refused"
    assert answer.refusal is not None
    assert (answer.refusal.code, Entry.objects.count()) == ("no_such_seat", 0)


@pytest.mark.parametrize(
    "value",
    [
        foul(3, minute=70_000),
        e.Turn(moment=Moment(2_000_000_000, Phase.NIGHT)),
        e.Turn(moment=Moment(-1, Phase.NIGHT)),
        foul(3, text="x" * 1001),
        foul(3, clause="6" * 13),
        e.GameOver(moment=SETUP, result=Result.RED, time="поздно"),
        e.GameOver(moment=SETUP, result=Result.RED, time="25:00"),
        e.GameOver(moment=SETUP, result=Result.RED, time="0001-01-01T00:00"),
        e.GameOver(moment=SETUP, result=Result.RED, time="9999-12-31T23:59-14:00"),
        e.BestMove(moment=Moment(1, Phase.BEST_MOVE), seats=(1, 2, 3), hits=40),
    ],
    ids=lambda value: value.kind,
)
def test_what_no_column_holds_is_invalid(game: Game, cast: Cast, value: e.Entry) -> None:
    with pytest.raises(Invalid):
        record(value, game=game, revision=0, by=cast.judge, uuid=uuid4())
    assert Entry.objects.count() == 0


def test_text_is_stored_composed_and_without_control_characters(game: Game, cast: Cast) -> None:
    written(game, cast.judge, [*BEGUN, foul(3, penalty=Penalty.WARNING, text=" \x00Шёпот\u0007\nи жест\ud800 ")])
    assert Foul.objects.get().text == "Шёпот\nи жест"


@pytest.mark.parametrize("reason", ["\u200b", " \u202e\u200d ", "\u2060\ufeff"])
def test_a_reason_is_to_be_seen(game: Game, cast: Cast, reason: str) -> None:
    over = e.GameOver(moment=SETUP, result=Result.ANNULLED, text=reason)
    answer = record(over, game=game, revision=0, by=cast.judge, uuid=uuid4())
    assert answer.refusal is not None
    assert answer.refusal.code == "reason_needed"


def test_the_number_of_an_entry_of_another_game_is_invalid(game: Game, stage: Stage, cast: Cast) -> None:
    other = create_game(stage, played_on=game.played_on, judge=cast.other_judge)
    uuid = uuid4()
    record(ROLES, game=other, revision=0, by=cast.other_judge, uuid=uuid)
    with pytest.raises(Invalid):
        record(ROLES, game=game, revision=0, by=cast.judge, uuid=uuid)
    game.refresh_from_db()
    assert (game.revision, game.entries.count()) == (0, 0)


def test_a_signed_game_takes_nothing(game: Game, cast: Cast) -> None:
    written(game, cast.judge, WON_BY_RED)
    seal(game, revision=4, by=cast.judge)
    for value in (foul(3), e.Strike(moment=SETUP, of=4), ROLES):
        answer = record(value, game=game, revision=4, by=cast.head_judge, uuid=uuid4())
        assert answer.kind == "refused"
        assert answer.refusal is not None
        assert (answer.refusal.code, answer.refusal.clause) == ("signed", "A 9.9")
    assert Entry.objects.count() == 4


def test_edition_b_has_a_clause_of_its_own_for_the_signature(game: Game, cast: Cast) -> None:
    Tournament.objects.filter(pk=game.tournament_id).update(regulation="B")
    game = Game.objects.select_related("tournament").get(pk=game.pk)
    written(game, cast.judge, WON_BY_RED)
    seal(game, revision=4, by=cast.judge)
    answer = record(foul(3), game=game, revision=4, by=cast.judge, uuid=uuid4())
    assert answer.refusal is not None
    assert (answer.refusal.code, answer.refusal.clause) == ("signed", "B-P10")


def test_a_game_signed_between_reading_and_claiming_takes_nothing(game: Game, cast: Cast) -> None:
    written(game, cast.judge, WON_BY_RED)
    fetched = Game.objects.get(pk=game.pk)
    seal(game, revision=4, by=cast.judge)
    answer = record(foul(3), game=fetched, revision=4, by=cast.judge, uuid=uuid4())
    assert answer.kind == "refused"
    assert answer.refusal is not None
    assert (answer.refusal.code, Entry.objects.count(), fetched.is_closed) == ("signed", 4, True)


# ---------------------------------------------------------------- late entries and strikes


def test_a_strike_takes_an_entry_out_and_a_strike_of_it_brings_it_back(game: Game, cast: Cast) -> None:
    written(game, cast.judge, [*BEGUN, foul(3)])
    moment = record_of(game).state.moment
    (struck,) = written(game, cast.judge, [e.Strike(moment=moment, of=4, text="Не тот")])
    assert struck.state.seats[3].fouls == []
    (back,) = written(game, cast.judge, [e.Strike(moment=moment, of=5)])
    assert [f.revision for f in back.state.seats[3].fouls] == [4]
    assert [row.of for row in Strike.objects.order_by("revision")] == [4, 5]
    assert Entry.objects.count() == 6


def test_nothing_is_struck_twice(game: Game, cast: Cast) -> None:
    written(game, cast.judge, [*BEGUN, foul(3)])
    strike = e.Strike(moment=record_of(game).state.moment, of=4)
    written(game, cast.judge, [strike])
    answer = record(strike, game=game, revision=5, by=cast.judge, uuid=uuid4())
    assert answer.kind == "refused"
    assert answer.refusal is not None
    assert answer.refusal.code == "already_struck"


def test_a_strike_by_which_others_fall_asks_first(game: Game, cast: Cast) -> None:
    written(game, cast.judge, [*BEGUN, nominate(1, 5), speech(2), nominate(2, 6)])
    written(game, cast.judge, [e.Turn(moment=Moment(1, Phase.BALLOT)), vote(5, 4, 1), vote(6, 6, 2)])
    strike, uuid = e.Strike(moment=record_of(game).state.moment, of=4), uuid4()
    asked = record(strike, game=game, revision=9, by=cast.judge, uuid=uuid)
    assert asked.kind == "confirm"
    assert [entry.revision for entry, _ in asked.fallen] == [7, 8, 9]
    assert asked.after is not None
    assert (asked.state.seats[6].left is not None, asked.after.seats[6].left) == (True, None)
    assert Entry.objects.count() == 9
    confirmed = record(strike, game=game, revision=9, by=cast.judge, uuid=uuid, confirmed=True)
    assert (confirmed.kind, confirmed.entry) == ("written", 10)
    assert confirmed.state.seats[6].left is None
    assert confirmed.state == record_of(game).state


def test_a_forgotten_foul_is_written_at_its_own_moment(game: Game, cast: Cast) -> None:
    written(game, cast.judge, [*BEGUN, speech(2), speech(3)])
    (late,) = written(game, cast.judge, [foul(9, minute=1, clause="6.6.3")])
    assert late.state.seats[9].fouls[0].moment == Moment(1, Phase.SPEECHES, 0, 1)
    assert late.state == record_of(game).state


def test_a_late_entry_comes_right_after_the_one_it_follows(game: Game, cast: Cast) -> None:
    written(game, cast.judge, [*BEGUN, nominate(1, 5), e.Withdrawal(moment=speech(1).moment, seat=1)])
    written(game, cast.judge, [nominate(1, 6)])
    answer = record(foul(3), game=game, revision=6, by=cast.judge, uuid=uuid4(), follows=4)
    assert answer.kind == "written"
    in_play = sorted(answer.record.values, key=lambda value: value.order)
    assert [value.revision for value in in_play] == [1, 2, 3, 4, 7, 5, 6]


@pytest.mark.parametrize("follows", [2, 99])
def test_a_late_entry_follows_one_of_its_own_moment(game: Game, cast: Cast, follows: int) -> None:
    written(game, cast.judge, BEGUN)
    with pytest.raises(Invalid):
        record(foul(3), game=game, revision=3, by=cast.judge, uuid=uuid4(), follows=follows)


def test_roles_may_come_when_the_game_is_over(game: Game, cast: Cast) -> None:
    declared = e.GameOver(moment=Moment(1, Phase.SPEECHES, 0, 1), result=Result.BLACK, clause="6.8.1")
    written(game, cast.judge, [NIGHT_ZERO, speech(1), declared])
    (answer,) = written(game, cast.judge, [ROLES])
    assert answer.state.roles_known


# ---------------------------------------------------------------- who may remove from the tournament (A 6.3)


def test_only_the_head_judge_removes_from_the_tournament(game: Game, cast: Cast) -> None:
    written(game, cast.judge, BEGUN)
    removal = foul(3, penalty=Penalty.DISQUALIFYING, clause="6.7.4", from_tournament=True)
    answer = record(removal, game=game, revision=3, by=cast.judge, uuid=uuid4())
    assert answer.kind == "refused"
    assert answer.refusal is not None
    assert (answer.refusal.code, answer.refusal.clause) == ("head_judge_only", "A 6.3")
    (taken,) = written(game, cast.head_judge, [removal])
    assert taken.state.seats[3].from_tournament


def test_peeking_removes_from_the_tournament_whoever_writes_it(game: Game, cast: Cast) -> None:
    peeked = foul(3, penalty=Penalty.TEAM_DEFEAT, clause="6.8.3", from_tournament=True)
    answers = written(game, cast.judge, [*BEGUN, peeked])
    assert answers[-1].state.seats[3].from_tournament


# ---------------------------------------------------------------- where the game stands, and since when


def test_a_game_is_prepared_running_and_over(game: Game, cast: Cast) -> None:
    statuses = []
    for value in WON_BY_RED:
        written(game, cast.judge, [value])
        stored = Game.objects.get(pk=game.pk)
        statuses.append((stored.status, stored.ended_at is not None))
    assert statuses == [("prepared", False), ("running", False), ("running", False), ("over", True)]
    assert Game.objects.get(pk=game.pk).ended_at == Entry.objects.get(revision=4).recorded_at


def test_striking_the_end_takes_the_game_up_again(game: Game, cast: Cast) -> None:
    written(game, cast.judge, WON_BY_RED)
    ended_at = game.ended_at
    written(game, cast.judge, [e.Strike(moment=OATH.moment, of=4)])
    stored = Game.objects.get(pk=game.pk)
    assert (stored.status, stored.ended_at) == (Status.RUNNING, None)
    written(game, cast.judge, [OATH])  # put right: the same mark anew doesn't restart the time for protests
    stored = Game.objects.get(pk=game.pk)
    assert (stored.status, stored.ended_at) == (Status.OVER, ended_at)


def test_corrections_after_the_end_dont_restart_the_time(game: Game, cast: Cast) -> None:
    written(game, cast.judge, WON_BY_RED)
    ended_at = game.ended_at
    written(game, cast.judge, [foul(2, clause="6.6.1"), e.SeatCorrection(moment=SETUP, seat=1, target=2)])
    assert Game.objects.get(pk=game.pk).ended_at == ended_at


def test_an_end_known_later_is_dated_when_it_came(game: Game, cast: Cast) -> None:
    written(game, cast.judge, [NIGHT_ZERO, speech(1)])
    for seat in (5, 9, 7):  # both blacks and the don; nobody knows yet
        written(game, cast.judge, [foul(seat, penalty=Penalty.DISQUALIFYING, clause="6.7.1")])
    assert Game.objects.get(pk=game.pk).status == Status.RUNNING
    (answer,) = written(game, cast.judge, [ROLES])
    end = outcome(answer.state)
    assert end is not None
    assert (end.result, end.by) == (Result.RED, 5)
    stored = Game.objects.get(pk=game.pk)
    assert (stored.status, stored.ended_at) == (Status.OVER, Entry.objects.get(revision=5).recorded_at)


@pytest.mark.parametrize(
    ("typed", "local"),
    [
        ("21:40", "2024-01-05 21:40"),
        ("9:05", "2024-01-05 09:05"),
        ("0:20", "2024-01-06 00:20"),
        ("2024-01-06T00:15", "2024-01-06 00:15"),
    ],
)
def test_a_paper_game_ended_when_the_paper_says(game: Game, cast: Cast, typed: str, local: str) -> None:
    over = e.GameOver(moment=Moment(1, Phase.SPEECHES, 0, 1), result=Result.RED, time=typed)
    written(game, cast.judge, [*WON_BY_RED, over])
    ended_at = Game.objects.get(pk=game.pk).ended_at
    assert ended_at is not None
    assert timezone.localtime(ended_at).strftime("%Y-%m-%d %H:%M") == local


# ---------------------------------------------------------------- what it costs


@pytest.mark.parametrize("many", [1, 3])
def test_a_tap_takes_two_queries_and_its_claim(
    game: Game, cast: Cast, many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    written(game, cast.judge, [*BEGUN, *[foul(seat) for seat in range(1, many + 1)]])
    with django_assert_num_queries(2 + CLAIM):  # one of them fetches, authorises and brings the nicknames
        mine = access.writable_game(cast.judge, game.uuid)
        answer = record(foul(3), game=mine, revision=3 + many, by=cast.judge, uuid=uuid4())
        names = answer.record.names
    assert (answer.kind, list(names.values())) == ("written", NICKNAMES)


def test_the_tap_that_ends_a_game_costs_no_more(
    game: Game, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    written(game, cast.judge, BEGUN)
    with django_assert_num_queries(1 + CLAIM):
        record(OATH, game=game, revision=3, by=cast.judge, uuid=uuid4())


def test_a_refused_tap_takes_one_query(
    game: Game, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    written(game, cast.judge, [*BEGUN, nominate(1, 5)])
    with django_assert_num_queries(1):
        record(nominate(1, 6), game=game, revision=4, by=cast.judge, uuid=uuid4())
