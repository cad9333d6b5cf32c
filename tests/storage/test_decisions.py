"""Deciding a protest (RULES §8; A 8.7.2–8.7.4): what it would do, once, and effective when it is announced."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from protocols.models import (
    DecisionKind,
    Entry,
    FiledHow,
    Game,
    MemberRole,
    Player,
    Protest,
    ProtestDecision,
    ProtestVote,
    Seat,
    SeatResult,
    SignedSheet,
    Status,
)
from protocols.models.written_once import WrittenOnceError
from protocols.protest_selectors import is_contested, undecided_protests_of
from protocols.rules import entries as e
from protocols.rules.terms import AFTER, Moment, Penalty, Phase
from protocols.services.decisions import Points, Ruling, announce, decide, foresee, vote, votes_of
from protocols.services.errors import Invalid, Refused, Stale
from protocols.services.prepare import appoint
from protocols.services.protests import Words, file_protest
from protocols.services.sign import reopen, seal
from protocols.services.verify import differences

from .conftest import PASSWORD, Cast
from .play import BEGUN, OATH, WON_BY_RED, extra, written

BLACK = Ruling(DecisionKind.RESULT_CHANGED, "A 6.8.1", "Клятву дал судья, а не игрок.", result="black")
DISMISSED = Ruling(DecisionKind.DISMISSED, "A 6.8.1", "Клятва слышна на видео.")
REPLAY = Ruling(DecisionKind.REPLAY, "A 8.7.2", "Судья назвал не тот номер.")
ANNULLED = Ruling(DecisionKind.ANNULLED, "A 8.7.2", "Карты сданы неверно.")


def points(*changes: tuple[int, int]) -> Ruling:
    """Extra points of seats set, in thousandths."""
    given = tuple(Points(seat, "extra", thousandths) for seat, thousandths in changes)
    return Ruling(DecisionKind.POINTS_CHANGED, "A 8.4", "Забыт доп. балл.", points=given)


@pytest.fixture
def protest(game: Game, cast: Cast) -> Protest:
    """Against a signed game that red won; seat 4 has half a point."""
    written(game, cast.judge, [*WON_BY_RED, extra(4, 500, "За логику")])
    seal(game, revision=game.revision, by=cast.judge)
    return file_protest(game, Words("Клятвы не было", "A 6.8.1"), seat=7, how=FiledHow.CODE)


def stored() -> tuple[Any, ...]:
    """All that a decision could change."""
    return (
        list(Entry.objects.order_by("pk").values_list("hash", flat=True)),
        list(SignedSheet.objects.order_by("pk").values_list("sha256", "superseded_at")),
        list(SeatResult.objects.order_by("pk").values_list("in_force", "result", "win", "extra")),
        list(Game.objects.order_by("pk").values_list("status", "revision", "sheet_in_force", "ended_at")),
    )


def given(protest: Protest, ruling: Ruling, cast: Cast) -> ProtestDecision:
    """The decision, given by the head judge on the record as it is."""
    return decide(protest, ruling, revision=Game.objects.get(pk=protest.game_id).revision, by=cast.head_judge)


def test_before_it_is_given_a_decision_shows_what_it_does_and_writes_nothing(protest: Protest, cast: Cast) -> None:
    before = stored()
    seen = foresee(protest, BLACK, by=cast.head_judge)
    assert (seen.before.result, seen.after.result, seen.status) == ("red", "black", Status.SIGNED)
    assert [(row["seat"], row["won"], row["win"]) for row in seen.results[4:7]] == [
        (5, True, 4000), (6, False, 0), (7, True, 4000),
    ]  # fmt: skip
    codes = [(change.code, change.seat) for change in seen.changes]
    assert codes[:2] == [("result", None), ("result_reason", None)]
    assert [seat for code, seat in codes if code == "points"] == list(range(1, 11))
    assert codes[-2:] == [("remark_gone", None), ("remark_new", None)] or codes[-1] == ("remark_new", None)
    assert stored() == before


def test_a_decision_that_is_given_changes_nothing_until_it_is_announced(protest: Protest, cast: Cast) -> None:
    before = stored()
    decision = given(protest, BLACK, cast)
    assert stored() == before
    assert (decision.kind, decision.result, decision.decided_by, decision.is_announced) == (
        "result_changed", "black", cast.head_judge, False,
    )  # fmt: skip
    assert Game.objects.filter(is_contested()).count() == 1
    assert list(undecided_protests_of(protest.game.tournament)) == [protest]


def test_announced_it_is_a_new_sheet_as_it_was_foreseen(protest: Protest, cast: Cast) -> None:
    seen = foresee(protest, BLACK, by=cast.head_judge)
    made = announce(given(protest, BLACK, cast), by=cast.head_judge, password=PASSWORD)
    assert made is not None
    assert made.sheet == seen.after
    game = Game.objects.get()
    old, new = SignedSheet.objects.order_by("number")
    assert (game.status, game.sheet_in_force, new, new.number) == (Status.SIGNED, made, made, 2)
    assert (old.superseded_at is not None, old.reopened_by, old.reopen_reason) == (
        True, cast.head_judge, "Решение по протесту № 1, A 6.8.1",
    )  # fmt: skip
    names = list(seen.results[0])
    assert list(SeatResult.objects.filter(in_force=True).order_by("seat").values(*names)) == seen.results
    decision = ProtestDecision.objects.get()
    assert (decision.sheet_before, decision.sheet_after, decision.announced_by) == (old, new, cast.head_judge)
    assert differences(game) == []
    assert not Game.objects.filter(is_contested()).exists()


@pytest.mark.parametrize(("ruling", "status"), [(REPLAY, Status.REPLAYED), (ANNULLED, Status.ANNULLED)])
def test_an_annulled_game_and_one_to_be_replayed_count_for_nobody(
    protest: Protest, cast: Cast, ruling: Ruling, status: Status
) -> None:
    announce(given(protest, ruling, cast), by=cast.head_judge, password=PASSWORD)
    game = Game.objects.get()
    assert (game.status, set(game.results.filter(in_force=True).values_list("won", "win"))) == (status, {(None, 0)})
    assert differences(game) == []


def test_a_dismissed_protest_leaves_the_sheet_as_it_is(protest: Protest, cast: Cast) -> None:
    before = stored()
    assert announce(given(protest, DISMISSED, cast), by=cast.head_judge, password=PASSWORD) is None
    assert stored() == before
    assert not Game.objects.filter(is_contested()).exists()


def test_points_are_changed_within_the_caps_of_the_regulation(protest: Protest, cast: Cast) -> None:
    made = announce(given(protest, points((4, 0), (7, 1000), (2, 500)), cast), by=cast.head_judge, password=PASSWORD)
    assert made is not None
    rows = SeatResult.objects.filter(in_force=True).order_by("seat")
    assert [row.extra for row in rows] == [0, 500, 0, 0, 0, 0, 1000, 0, 0, 0]
    said = "Решение по протесту № 1, A 8.4"
    assert [(r.seat, r.text) for r in made.sheet.remarks if r.kind == "extra"] == [
        (2, said), (4, f"За логику; {said}"), (7, said),
    ]  # fmt: skip
    assert differences(Game.objects.get()) == []


@pytest.mark.parametrize(
    ("changes", "code", "clause"),
    [
        ([(7, 700)], "extra_amount", "A 8.4.2"),
        ([(7, 1000), (8, 1000)], "extra_sum", "A 8.4.3"),
        ([(1, 500), (2, 500), (3, 500)], "extra_players", "A 8.4.1"),
    ],
)
def test_points_beyond_the_caps_are_refused_with_the_clause(
    protest: Protest, cast: Cast, changes: list[tuple[int, int]], code: str, clause: str
) -> None:
    with pytest.raises(Refused) as raised:
        given(protest, points(*changes), cast)
    assert (raised.value.refusal.code, raised.value.refusal.clause) == (code, clause)
    assert ProtestDecision.objects.count() == 0


@pytest.mark.parametrize(
    "ruling",
    [
        points(),
        points((4, 500)),
        points((7, 500), (7, 1000)),
        points((11, 500)),
        Ruling(DecisionKind.POINTS_CHANGED, "A 8.4", "x", points=(Points(7, "win", 500),)),
        Ruling(DecisionKind.RESULT_CHANGED, "A 6.8.1", "x", result="red"),
        Ruling(DecisionKind.RESULT_CHANGED, "A 6.8.1", "x", result="annulled"),
        Ruling(DecisionKind.RESULT_CHANGED, "A 6.8.1", "x"),
        Ruling(DecisionKind.DISMISSED, "", "без пункта"),
        Ruling(DecisionKind.DISMISSED, "A" * 41, "x"),
        Ruling(DecisionKind.DISMISSED, "A 6.8.1", "x" * 4001),
    ],
    ids=lambda ruling: f"{ruling.kind}-{ruling.result}-{len(ruling.points)}-{len(ruling.reasons)}",
)
def test_a_decision_that_decides_nothing_is_refused_in_words(protest: Protest, cast: Cast, ruling: Ruling) -> None:
    with pytest.raises(Invalid, match=r"."):
        given(protest, ruling, cast)
    assert ProtestDecision.objects.count() == 0


def test_a_decision_has_its_reasons(protest: Protest, cast: Cast) -> None:
    with pytest.raises(Refused) as raised:
        given(protest, Ruling(DecisionKind.DISMISSED, "A 6.8.1", " \n"), cast)
    assert (raised.value.refusal.code, raised.value.refusal.clause) == ("protest_unreasoned", "A 8.7.4")


def test_a_draw_is_set_only_where_there_is_one(protest: Protest, cast: Cast) -> None:
    draw = Ruling(DecisionKind.RESULT_CHANGED, "A 7.3", "x", result="draw")
    with pytest.raises(Refused) as raised:
        foresee(protest, draw, by=cast.head_judge)
    assert raised.value.refusal.code == "no_draw"


def test_a_decision_is_final(protest: Protest, cast: Cast) -> None:
    decision = given(protest, DISMISSED, cast)
    for ruling in (DISMISSED, ANNULLED):
        with pytest.raises(Refused) as raised:
            given(protest, ruling, cast)
        assert (raised.value.refusal.code, raised.value.refusal.params) == (
            "protest_decided", {"decision": DecisionKind.DISMISSED},
        )  # fmt: skip
    announce(decision, by=cast.head_judge, password=PASSWORD)
    with pytest.raises(Refused):
        given(protest, ANNULLED, cast)
    with pytest.raises(Invalid):
        announce(decision, by=cast.head_judge, password=PASSWORD)
    with pytest.raises(IntegrityError), transaction.atomic():
        columns = {
            f.name: getattr(decision, f.name) for f in decision._meta.concrete_fields if f.name not in ("id", "uuid")
        }
        ProtestDecision.objects.create(**columns)
    with pytest.raises(WrittenOnceError):
        ProtestDecision.objects.update(kind="annulled")


def test_after_the_decision_the_player_protests_no_more(protest: Protest, cast: Cast) -> None:
    given(protest, DISMISSED, cast)
    with pytest.raises(Refused) as raised:
        file_protest(protest.game, Words("Опять"), seat=7, how=FiledHow.CODE)
    assert (raised.value.refusal.code, raised.value.refusal.clause) == ("protest_after_decision", "A 8.7.4")


def test_one_decision_at_a_time_waits_in_a_game(protest: Protest, cast: Cast) -> None:
    other = file_protest(protest.game, Words("И я против"), seat=5, how=FiledHow.CODE)
    decision = given(protest, REPLAY, cast)
    with pytest.raises(Invalid):
        given(other, DISMISSED, cast)
    announce(decision, by=cast.head_judge, password=PASSWORD)
    with pytest.raises(Invalid):
        given(other, BLACK, cast)
    announce(given(other, DISMISSED, cast), by=cast.head_judge, password=PASSWORD)
    assert not Protest.objects.filter(decision__announced_at=None).exists()


def test_what_was_corrected_meanwhile_is_looked_at_anew(protest: Protest, cast: Cast) -> None:
    seen = protest.game.revision
    reopen(protest.game, by=cast.head_judge, reason="Опечатка")
    with pytest.raises(Invalid):
        decide(protest, DISMISSED, revision=seen, by=cast.head_judge)
    game = Game.objects.get()
    written(game, cast.judge, [extra(2, 500, "За речь")])
    seal(game, revision=game.revision, by=cast.judge)
    with pytest.raises(Stale):
        decide(protest, DISMISSED, revision=seen, by=cast.head_judge)
    decide(protest, DISMISSED, revision=game.revision, by=cast.head_judge)


def test_a_protocol_is_not_reopened_while_a_decision_waits(protest: Protest, cast: Cast) -> None:
    decision = given(protest, BLACK, cast)
    with pytest.raises(Invalid):
        reopen(protest.game, by=cast.head_judge, reason="Опечатка")
    announce(decision, by=cast.head_judge, password=PASSWORD)
    reopen(Game.objects.get(), by=cast.head_judge, reason="Опечатка")


def test_who_decides_and_who_announces(protest: Protest, cast: Cast) -> None:
    seen = protest.game.revision
    for person in (cast.judge, cast.other_judge, cast.organizer, cast.player, cast.stranger, cast.foreign_head_judge):
        with pytest.raises(PermissionDenied):
            decide(protest, DISMISSED, revision=seen, by=person)
        with pytest.raises(PermissionDenied):
            vote(protest, "dismissed", "", by=person)
    decision = given(protest, DISMISSED, cast)
    for person in (cast.judge, cast.organizer, cast.stranger, cast.foreign_head_judge):
        with pytest.raises(PermissionDenied):
            announce(decision, by=person, password=PASSWORD)
    with pytest.raises(Invalid):
        announce(decision, by=cast.head_judge, password="not this one")


def test_whoever_played_does_not_decide(protest: Protest, cast: Cast) -> None:
    Player.objects.filter(user=cast.player).update(user=None)
    Player.objects.filter(pk=Seat.objects.get(number=9).player_id).update(user=cast.head_judge)
    with pytest.raises(Invalid):
        given(protest, DISMISSED, cast)


def test_the_commission_decides_what_more_than_half_of_it_votes_for(protest: Protest, cast: Cast) -> None:
    for person in (cast.stranger, cast.foreign_head_judge):
        appoint(protest.game.tournament, person, MemberRole.COMMISSION)
    seen = protest.game.revision
    vote(protest, "replay", "", by=cast.foreign_head_judge)
    vote(protest, "dismissed", "Слышно на видео", by=cast.stranger)
    with pytest.raises(Invalid):
        decide(protest, REPLAY, revision=seen, by=cast.stranger)
    vote(protest, "replay", "Передумала", by=cast.stranger)
    assert [(each.member, each.kind) for each in votes_of(protest)] == [
        (cast.foreign_head_judge, "replay"), (cast.stranger, "replay"),
    ]  # fmt: skip
    decision = decide(protest, REPLAY, revision=seen, by=cast.stranger)
    assert decision.votes == [{"name": "foreign_head_judge", "kind": "replay"}, {"name": "stranger", "kind": "replay"}]
    assert ProtestVote.objects.count() == 3
    with pytest.raises(Refused):
        vote(protest, "dismissed", "", by=cast.commissioner)
    with pytest.raises(PermissionDenied):
        announce(decision, by=cast.stranger, password=PASSWORD)


def test_the_best_move_is_decided_by_the_seats_that_were_named(game: Game, cast: Cast) -> None:
    named = e.BestMove(moment=Moment(1, Phase.BEST_MOVE), seats=(2, 5, 9))
    shot = e.Shot(moment=Moment(1, Phase.NIGHT), target=1)
    written(game, cast.judge, [*BEGUN, shot, named, replace(OATH, moment=Moment(2, Phase.VICTIM_WORDS))])
    seal(game, revision=game.revision, by=cast.judge)
    protest = file_protest(game, Words("Назвал 5, 7 и 9"), seat=1, how=FiledHow.CODE)

    def move(seat: int, *seats: int) -> Ruling:
        return Ruling(
            DecisionKind.POINTS_CHANGED, "A 8.3", "Слышно на видео.", points=(Points(seat, "best_move", 0, seats),)
        )

    for wrong in (move(2, 5, 7, 9), move(1, 9, 5, 2)):
        with pytest.raises(Invalid):
            given(protest, wrong, cast)
    for refused in (move(1, 5, 7), move(1, 5, 5, 7), move(1, 1, 5, 7)):
        with pytest.raises(Refused):
            given(protest, refused, cast)
    decision = given(protest, move(1, 5, 7, 9), cast)
    assert decision.points == [{"seat": 1, "component": "best_move", "thousandths": 0, "seats": [5, 7, 9]}]
    made = announce(decision, by=cast.head_judge, password=PASSWORD)
    assert made is not None
    assert (made.sheet.best_move, SeatResult.objects.get(in_force=True, seat=1).hits) == ((5, 7, 9), 3)
    assert differences(Game.objects.get()) == []


def test_a_penalty_is_lifted_by_striking_out_what_it_comes_from(game: Game, cast: Cast) -> None:
    removed = e.Foul(moment=AFTER, seat=3, penalty=Penalty.DISQUALIFYING, clause="6.7.4")
    written(game, cast.judge, [*WON_BY_RED, removed])
    seal(game, revision=game.revision, by=cast.judge)
    protest = file_protest(game, Words("Я не оскорблял"), seat=3, how=FiledHow.CODE)
    assert SeatResult.objects.get(in_force=True, seat=3).penalty == -1000

    def lifted(seat: int) -> Ruling:
        given_back = (Points(seat, "penalty", 0),)
        return Ruling(DecisionKind.POINTS_CHANGED, "A 6.7.4", "На видео этого нет.", points=given_back)

    with pytest.raises(Invalid):
        given(protest, lifted(4), cast)
    announce(given(protest, lifted(3), cast), by=cast.head_judge, password=PASSWORD)
    row = SeatResult.objects.get(in_force=True, seat=3)
    assert (row.penalty, row.removed, row.win) == (0, False, 3000)
    assert differences(Game.objects.get()) == []
