"""Signing and reopening a protocol (A 9.9)."""

from decimal import Decimal

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from protocols.models import Game, Player, Seat, SeatResult, SignedSheet, Stage, Status
from protocols.models.seal import digest_of, seal_of
from protocols.rules import entries as e
from protocols.rules.terms import SETUP, Moment, Penalty, Phase, Result
from protocols.selectors import record_of, sheet_from, signed_sheets_of
from protocols.services.errors import Invalid, NotReady, Refused, Stale
from protocols.services.prepare import create_game, hand_over, seat_players, set_header
from protocols.services.sign import reopen, seal, sign
from protocols.services.verify import differences

from .conftest import NICKNAMES, PASSWORD, Cast
from .play import ABORTED, ANNULLED, BEGUN, NIGHT_ZERO, WON_BY_RED, extra, foul, written


def test_a_signed_protocol_is_a_document(game: Game, cast: Cast) -> None:
    written(game, cast.judge, WON_BY_RED)
    before = sheet_from(record_of(game))
    sheet = sign(game, revision=4, by=cast.judge, password=PASSWORD)
    assert sheet.sheet == before
    assert (sheet.number, sheet.revision, sheet.regulation, sheet.signed_by) == (1, 4, "A", cast.judge)
    assert sheet.data["signature"] == {
        "user": cast.judge.pk,
        "name": "Анна Королёва",
        "at": sheet.signed_at.isoformat(timespec="microseconds"),
        "revision": 4,
    }
    stored = Game.objects.get(pk=game.pk)
    assert (stored.status, stored.sheet_in_force, stored.is_closed) == (Status.SIGNED, sheet, True)
    assert (stored.judge_name, stored.revision) == ("Анна Королёва", 4)
    assert differences(stored) == []


def test_every_seat_gets_its_result(game: Game, cast: Cast) -> None:
    removed = foul(1, penalty=Penalty.DISQUALIFYING, clause="6.7.4")
    written(game, cast.judge, [*BEGUN, removed, *WON_BY_RED[3:], extra(2, 500, "За логику"), extra(6, 1000)])
    seal(game, revision=7, by=cast.judge)
    columns = ("seat", "role", "won", "win", "penalty", "extra", "removed", "first_victim", "in_force")
    assert list(SeatResult.objects.order_by("seat").values_list(*columns)) == [
        (1, "red", True, 3000, -1000, 0, True, False, True),
        (2, "red", True, 3000, 0, 500, False, False, True),
        (3, "sheriff", True, 3000, 0, 0, False, False, True),
        (4, "red", True, 3000, 0, 0, False, False, True),
        (5, "black", False, 0, 0, 0, False, False, True),
        (6, "red", True, 3000, 0, 1000, False, False, True),
        (7, "don", False, 0, 0, 0, False, False, True),
        (8, "red", True, 3000, 0, 0, False, False, True),
        (9, "black", False, 0, 0, 0, False, False, True),
        (10, "red", True, 3000, 0, 0, False, False, True),
    ]
    assert [r.player.nickname for r in SeatResult.objects.order_by("seat")] == NICKNAMES
    assert set(SeatResult.objects.values_list("game", "tournament", "stage", "result")) == {
        (game.pk, game.tournament_id, game.stage_id, "red")
    }


def test_players_in_each_others_chairs_get_their_own_results(game: Game, cast: Cast) -> None:
    removed = foul(1, penalty=Penalty.DISQUALIFYING, clause="6.7.4")
    chairs = e.SeatCorrection(moment=SETUP, seat=1, target=2)
    written(game, cast.judge, [*BEGUN, removed, *WON_BY_RED[3:], chairs])
    sheet = seal(game, revision=6, by=cast.judge)
    assert [row.nickname for row in sheet.sheet.rows[:3]] == ["Барс", "Ёлка 7", "Вихрь"]
    penalties = SeatResult.objects.filter(penalty__lt=0).values_list("seat", "player__nickname")
    assert list(penalties) == [(1, "Барс")]
    assert differences(game) == []


def test_the_best_move_of_the_first_victim_is_kept_with_its_hits(game: Game, cast: Cast) -> None:
    night = Moment(1, Phase.NIGHT)
    best = e.BestMove(moment=Moment(1, Phase.BEST_MOVE), seats=(5, 7, 2))
    written(game, cast.judge, [*BEGUN, e.Shot(moment=night, target=4), best])
    over = foul(9, penalty=Penalty.TEAM_DEFEAT, clause="6.8.2", minute=1)
    written(game, cast.judge, [e.Foul(moment=best.moment, seat=9, penalty=over.penalty, clause=over.clause)])
    seal(game, revision=6, by=cast.judge)
    columns = ("seat", "best_move", "hits", "first_victim")
    assert list(SeatResult.objects.filter(first_victim=True).values_list(*columns)) == [(4, 500, 2, True)]
    assert SeatResult.objects.filter(hits=None).count() == 9


@pytest.mark.parametrize(("result", "status"), [(Result.ANNULLED, Status.ANNULLED), (Result.REPLAY, Status.REPLAYED)])
def test_a_broken_off_game_is_signed_and_counts_for_nobody(
    game: Game, cast: Cast, result: Result, status: Status
) -> None:
    over = e.GameOver(moment=Moment(0, Phase.NIGHT), result=result, text=ABORTED)
    written(game, cast.judge, [NIGHT_ZERO, over])
    sheet = seal(game, revision=2, by=cast.judge)
    assert (Game.objects.get(pk=game.pk).status, sheet.sheet.result) == (status, result.value)
    assert set(SeatResult.objects.values_list("role", "result", "won", "win")) == {("", result.value, None, 0)}
    assert differences(game) == []


# ---------------------------------------------------------------- who signs


@pytest.mark.parametrize("who", ["judge", "head_judge"])
def test_the_judge_and_the_head_judge_sign(game: Game, cast: Cast, who: str) -> None:
    written(game, cast.judge, WON_BY_RED)
    signer = getattr(cast, who)
    assert sign(game, revision=4, by=signer, password=PASSWORD).signed_by == signer


@pytest.mark.parametrize("who", ["other_judge", "organizer", "player", "stranger", "foreign_head_judge", "superuser"])
def test_nobody_else_signs(game: Game, cast: Cast, who: str) -> None:
    written(game, cast.judge, WON_BY_RED)
    with pytest.raises(PermissionDenied):
        sign(game, revision=4, by=getattr(cast, who), password=PASSWORD)
    assert SignedSheet.objects.count() == 0


@pytest.mark.parametrize("password", ["", "a short one"])
def test_signing_asks_for_the_password_again(game: Game, cast: Cast, password: str) -> None:
    written(game, cast.judge, WON_BY_RED)
    with pytest.raises(Invalid):
        sign(game, revision=4, by=cast.judge, password=password)
    assert SignedSheet.objects.count() == 0


# ---------------------------------------------------------------- what keeps from signing


def test_a_game_that_goes_on_is_not_signed(game: Game, cast: Cast) -> None:
    written(game, cast.judge, BEGUN)
    with pytest.raises(NotReady) as caught:
        sign(game, revision=3, by=cast.judge, password=PASSWORD)
    assert [problem.code for problem in caught.value.problems] == ["not_over"]


def test_every_reason_is_named_at_once(stage: Stage, cast: Cast) -> None:
    game = create_game(stage, played_on=stage.tournament.starts_on, judge=cast.judge)
    seat_players(game, ["Ёлка 7", "", "Вихрь"], confirm_new=True)
    with pytest.raises(NotReady) as caught:
        seal(game, revision=0, by=cast.judge)
    assert [problem.code for problem in caught.value.problems] == ["not_over", "roles_unknown", "seats_empty"]
    assert caught.value.problems[-1].params == {"seats": (2, 4, 5, 6, 7, 8, 9, 10)}


def test_what_was_written_since_the_page_was_loaded_is_seen_before_signing(game: Game, cast: Cast) -> None:
    written(game, cast.judge, WON_BY_RED)
    loaded = Game.objects.get(pk=game.pk)
    written(game, cast.head_judge, [extra(2, 500)])
    with pytest.raises(Stale) as caught:
        sign(loaded, revision=4, by=cast.judge, password=PASSWORD)
    assert (caught.value.record.revision, SignedSheet.objects.count()) == (5, 0)


def test_a_doubled_signature_is_one(game: Game, cast: Cast) -> None:
    written(game, cast.judge, WON_BY_RED)
    loaded = Game.objects.get(pk=game.pk)
    first = sign(game, revision=4, by=cast.judge, password=PASSWORD)
    assert sign(loaded, revision=4, by=cast.judge, password=PASSWORD) == first
    with pytest.raises(Refused):
        sign(loaded, revision=3, by=cast.judge, password=PASSWORD)
    assert (SignedSheet.objects.count(), SeatResult.objects.count()) == (1, 10)


def test_a_signed_protocol_keeps_header_seats_and_judge(game: Game, cast: Cast) -> None:
    written(game, cast.judge, WON_BY_RED)
    seal(game, revision=4, by=cast.judge)
    for attempt in (
        lambda: seat_players(game, NICKNAMES[::-1]),
        lambda: hand_over(game, cast.other_judge),
        lambda: set_header(
            game, stage=game.stage, number=9, table_number=1, played_on=game.played_on, judge_name="Другая"
        ),
    ):
        with pytest.raises(Refused) as caught:
            attempt()
        assert (caught.value.refusal.code, caught.value.refusal.clause) == ("signed", "A 9.9")
    assert (Game.objects.get(pk=game.pk).number, Seat.objects.get(number=1).nickname) == (1, "Ёлка 7")


# ---------------------------------------------------------------- reopening


def test_reopening_keeps_the_old_sheet_and_takes_its_results_out(game: Game, cast: Cast) -> None:
    written(game, cast.judge, WON_BY_RED)
    old = seal(game, revision=4, by=cast.judge)
    sealed = old.sha256
    reopen(game, by=cast.head_judge, reason="Забыты доп. баллы")
    stored = Game.objects.get(pk=game.pk)
    assert (stored.status, stored.sheet_in_force, stored.revision) == (Status.OVER, None, 4)
    assert SeatResult.objects.filter(in_force=True).count() == 0
    assert differences(stored) == []

    written(stored, cast.judge, [extra(2, 500)])
    new = sign(stored, revision=5, by=cast.judge, password=PASSWORD)
    assert [s.number for s in signed_sheets_of(stored)] == [2, 1]
    old.refresh_from_db()
    assert (old.sha256, seal_of(old.data), old.sheet.rows[1].extra_points) == (sealed, sealed, Decimal(0))
    assert (old.reopen_reason, old.reopened_by) == ("Забыты доп. баллы", cast.head_judge)
    assert old.superseded_at is not None
    assert (new.superseded_at, Game.objects.get(pk=game.pk).sheet_in_force) == (None, new)
    assert list(SeatResult.objects.filter(in_force=True, extra=500).values_list("sheet", "seat")) == [(new.pk, 2)]
    assert SeatResult.objects.count() == 20
    assert differences(stored) == []


@pytest.mark.parametrize(
    "who", ["judge", "other_judge", "organizer", "player", "stranger", "foreign_head_judge", "superuser"]
)
def test_only_the_head_judge_reopens(game: Game, cast: Cast, who: str) -> None:
    written(game, cast.judge, WON_BY_RED)
    seal(game, revision=4, by=cast.judge)
    with pytest.raises(PermissionDenied):
        reopen(game, by=getattr(cast, who), reason="Ошибка")
    assert Game.objects.get(pk=game.pk).status == Status.SIGNED


def test_reopening_needs_a_reason_and_a_signed_protocol(game: Game, cast: Cast) -> None:
    written(game, cast.judge, WON_BY_RED)
    with pytest.raises(Invalid):
        reopen(game, by=cast.head_judge, reason="Рано")
    seal(game, revision=4, by=cast.judge)
    with pytest.raises(Invalid):
        reopen(game, by=cast.head_judge, reason=" \x00 ")
    assert Game.objects.get(pk=game.pk).status == Status.SIGNED


def test_an_annulled_game_can_be_reopened(game: Game, cast: Cast) -> None:
    written(game, cast.judge, ANNULLED)
    seal(game, revision=4, by=cast.judge)
    reopen(game, by=cast.head_judge, reason="Свет дали")
    written(game, cast.judge, [e.Strike(moment=Moment(1, Phase.SPEECHES, 0, 1), of=4)])
    assert Game.objects.get(pk=game.pk).status == Status.RUNNING


# ---------------------------------------------------------------- names and constraints


def test_erasing_a_name_and_its_salt_breaks_no_seal(game: Game, cast: Cast) -> None:
    written(game, cast.judge, WON_BY_RED)
    sheet = seal(game, revision=4, by=cast.judge)
    player = Player.objects.get(nickname="Ёлка 7")
    assert sheet.data["players"][0] == digest_of(player.salt, "Ёлка 7")
    erased = {**sheet.data, "sheet": {**sheet.data["sheet"]}}
    erased["sheet"]["rows"] = [{**row, "nickname": "—"} for row in sheet.data["sheet"]["rows"]]
    assert seal_of(erased) == sheet.sha256
    assert digest_of("", "Ёлка 7") != sheet.data["players"][0]


def test_a_game_has_one_sheet_in_force(game: Game, cast: Cast) -> None:
    written(game, cast.judge, WON_BY_RED)
    sheet = seal(game, revision=4, by=cast.judge)
    with pytest.raises(IntegrityError), transaction.atomic():
        SignedSheet.objects.create(
            game=game, number=2, revision=4, data=sheet.data, sha256=sheet.sha256, record_hash=sheet.record_hash,
            rules_version="1", regulation="A", signed_by=cast.judge, signed_at=timezone.now(),
        )  # fmt: skip
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(status=Status.OVER)
    with pytest.raises(IntegrityError), transaction.atomic():
        SeatResult.objects.filter(seat=1).update(role="")
