"""Filing a protest (RULES §8; A 8.7.1): by whom, until when, once, and what it may hold."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone
from pytest_django import Settings

from protocols.models import CorrectionRequest, FiledHow, Game, Player, Protest
from protocols.models.written_once import WrittenOnceError
from protocols.protest_selectors import is_contested, protests_of
from protocols.rules import entries as e
from protocols.rules.terms import AFTER
from protocols.selectors import record_of
from protocols.services.errors import Invalid, Refused
from protocols.services.protest_letters import addresses_of, tell_of_protest
from protocols.services.protests import (
    MOST_GUESSES,
    Words,
    answer_correction,
    ask_correction,
    code_of,
    deadline_of,
    file_protest,
    seat_of_code,
    seat_of_player,
    time_left,
)
from protocols.services.sign import reopen, seal

from .conftest import Cast
from .play import ANNULLED, WON_BY_RED, written

TEXT = Words("Не слышал слова «Спасибо»", "A 6.6.1", ["https://youtu.be/x?t=62"])


@pytest.fixture(autouse=True)
def no_guesses_yet() -> None:
    """Wrong codes are counted in the process."""
    cache.clear()


@pytest.fixture
def over(game: Game, cast: Cast) -> Game:
    """The game just ended."""
    written(game, cast.judge, WON_BY_RED)
    game.refresh_from_db()
    return game


def ended(game: Game, ago: timedelta) -> Game:
    """The game as if it had ended so long ago."""
    Game.objects.filter(pk=game.pk).update(ended_at=timezone.now() - ago)
    game.refresh_from_db()
    return game


def refused(game: Game, seat: int = 2, words: Words = TEXT, **how: object) -> tuple[str, str]:
    """The code and the clause of the refusal."""
    with pytest.raises(Refused) as raised:
        file_protest(game, words, seat=seat, **{"how": FiledHow.CODE, **how})  # type: ignore[arg-type]
    return raised.value.refusal.code, raised.value.refusal.clause


def test_a_protest_is_a_record_beside_the_protocol(over: Game, cast: Cast) -> None:
    before = timezone.now()
    made = file_protest(over, TEXT, seat=2, how=FiledHow.JUDGE, by=cast.judge)
    stored = Protest.objects.get()
    assert (stored.game, stored.number, stored.seat, stored.player.nickname) == (over, 1, 2, "Барс")
    assert (stored.text, stored.clause, stored.links) == (TEXT.text, "A 6.6.1", ["https://youtu.be/x?t=62"])
    assert (stored.how, stored.filed_by, stored.admitted_because) == ("judge", cast.judge, "")
    assert before <= stored.made_at == made.filed_at <= timezone.now()
    assert record_of(over).revision == len(WON_BY_RED)


def test_a_signed_protocol_still_takes_a_protest(over: Game, cast: Cast) -> None:
    seal(over, revision=over.revision, by=cast.judge)
    assert not Game.objects.filter(is_contested()).exists()
    file_protest(over, TEXT, seat=2, how=FiledHow.CODE)
    assert Game.objects.filter(is_contested()).get() == over


def test_the_time_runs_from_the_end_and_a_late_protest_is_told_by_how_much(over: Game, cast: Cast) -> None:
    ended(over, timedelta(minutes=9, seconds=50))
    assert deadline_of(over) == over.ended_at + timedelta(minutes=10)  # type: ignore[operator]
    assert timedelta(seconds=5) < time_left(over) <= timedelta(seconds=10)
    file_protest(over, TEXT, seat=2, how=FiledHow.CODE)
    ended(over, timedelta(minutes=12, seconds=29, milliseconds=500))
    assert time_left(over) == timedelta()
    with pytest.raises(Refused) as raised:
        file_protest(over, TEXT, seat=3, how=FiledHow.CODE)
    refusal = raised.value.refusal
    assert (refusal.code, refusal.clause, refusal.params) == (
        "protest_late", "A 8.7.1", {"seat": 3, "minutes": 10, "late": "2:30"},
    )  # fmt: skip


def test_a_correction_does_not_restart_the_time(over: Game, cast: Cast) -> None:
    ended(over, timedelta(minutes=11))
    written(over, cast.judge, [e.ExtraPoints(moment=AFTER, seat=2, points=500, text="")])
    assert refused(over) == ("protest_late", "A 8.7.1")


def test_the_judge_tells_when_a_protest_on_paper_was_made(over: Game, cast: Cast) -> None:
    ended(over, timedelta(minutes=30))
    assert over.ended_at is not None
    at = over.ended_at + timedelta(minutes=8)
    made = file_protest(over, TEXT, seat=2, how=FiledHow.JUDGE, by=cast.judge, made_at=at)
    assert (made.made_at, made.admitted_by) == (at, None)
    for wrong in (timezone.now() + timedelta(minutes=5), over.ended_at - timedelta(minutes=5)):
        with pytest.raises(Invalid):
            file_protest(over, TEXT, seat=3, how=FiledHow.JUDGE, by=cast.judge, made_at=wrong)


def test_only_the_head_judge_admits_a_late_protest_with_a_reason(over: Game, cast: Cast) -> None:
    ended(over, timedelta(minutes=25))
    late = ("protest_late", "A 8.7.1")
    assert refused(over, how=FiledHow.JUDGE, by=cast.judge, admitted_because="бланк был у судьи") == late
    assert refused(over, how=FiledHow.JUDGE, by=cast.head_judge, admitted_because=" ") == late
    made = file_protest(
        over, TEXT, seat=2, how=FiledHow.JUDGE, by=cast.head_judge, admitted_because="бланк был у судьи"
    )
    assert (made.admitted_by, made.admitted_because) == (cast.head_judge, "бланк был у судьи")


def test_no_protest_before_the_end_nor_without_words(game: Game, cast: Cast) -> None:
    assert refused(game) == ("protest_before_end", "A 8.7.1")
    written(game, cast.judge, WON_BY_RED)
    assert refused(game, words=Words(" \u200b\n")) == ("protest_empty", "A 8.7.1")
    assert refused(game, seat=11) == ("no_such_seat", "§1")


def test_a_player_protests_once_against_a_game(over: Game, cast: Cast) -> None:
    file_protest(over, TEXT, seat=2, how=FiledHow.CODE)
    assert refused(over) == ("protest_twice", "A 8.7.1")
    assert refused(over, words=Words("Другое")) == ("protest_twice", "A 8.7.1")
    made = Protest.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        Protest.objects.create(
            game=over, number=2, seat=2, player=made.player, text="x", how="code", made_at=made.made_at,
            filed_at=made.filed_at,
        )  # fmt: skip
    file_protest(over, TEXT, seat=3, how=FiledHow.CODE)
    assert list(protests_of(over).values_list("number", "seat")) == [(1, 2), (2, 3)]


def test_the_same_filing_sent_twice_is_one(over: Game) -> None:
    uuid = uuid4()
    first = file_protest(over, TEXT, seat=2, how=FiledHow.CODE, uuid=uuid)
    assert file_protest(over, TEXT, seat=2, how=FiledHow.CODE, uuid=uuid) == first
    assert Protest.objects.count() == 1


def test_whoever_was_not_at_the_table_does_not_protest(over: Game, cast: Cast) -> None:
    with pytest.raises(Invalid, match=r"."):
        file_protest(over, TEXT, seat=2, how=FiledHow.LOGIN, by=cast.stranger)
    with pytest.raises(PermissionDenied):
        file_protest(over, TEXT, seat=2, how=FiledHow.JUDGE, by=cast.other_judge)
    with pytest.raises(PermissionDenied):
        file_protest(over, TEXT, seat=2, how=FiledHow.JUDGE, by=cast.organizer)
    with pytest.raises(PermissionDenied):
        file_protest(over, TEXT, seat=2, how=FiledHow.JUDGE)
    assert seat_of_player(over, cast.player) == 2
    assert seat_of_player(over, cast.stranger) is None
    file_protest(over, TEXT, seat=2, how=FiledHow.LOGIN, by=cast.player)


def test_whoever_sits_there_after_chairs_are_corrected_protests(over: Game, cast: Cast) -> None:
    written(over, cast.judge, [e.SeatCorrection(moment=AFTER, seat=2, target=5)])
    assert seat_of_player(over, cast.player) == 5
    assert file_protest(over, TEXT, seat=5, how=FiledHow.CODE).player.nickname == "Барс"


def test_a_game_that_counts_for_nobody_takes_no_protest(game: Game, cast: Cast) -> None:
    written(game, cast.judge, ANNULLED)
    seal(game, revision=game.revision, by=cast.judge)
    with pytest.raises(Invalid):
        file_protest(game, TEXT, seat=2, how=FiledHow.CODE)
    assert (deadline_of(game), time_left(game)) == (None, timedelta())


@pytest.mark.parametrize(
    "words",
    [
        Words("ы" * 2001),
        Words("ы" * 1_000_000),
        Words("x", "A" * 41),
        Words("x", "", ["https://a.example/"] * 6),
        Words("x", "", ["javascript:alert(1)"]),
        Words("x", "", ["JaVaScRiPt:alert(1)"]),
        Words("x", "", ["data:text/html,x"]),
        Words("x", "", ["https://"]),
        Words("x", "", ["//a.example/"]),
        Words("x", "", ["https://a.example/ b"]),
        Words("x", "", ["https://you@evil.example/"]),
        Words("x", "", ["https://[a/"]),
        Words("x", "", ["https://a.example/" + "x" * 300]),
    ],
    ids=lambda words: f"{words.text[:3]}-{len(words.text)}-{words.clause[:3]}-{''.join(words.links)[:24]}",
)
def test_what_is_too_long_or_no_link_is_refused_whole(over: Game, words: Words) -> None:
    with pytest.raises(Invalid):
        file_protest(over, words, seat=2, how=FiledHow.CODE)
    assert Protest.objects.count() == 0


def test_a_protest_is_never_changed_or_deleted(over: Game) -> None:
    made = file_protest(over, TEXT, seat=2, how=FiledHow.CODE)
    made.text = "другое"
    with pytest.raises(WrittenOnceError):
        made.save(update_fields=["text"])
    with pytest.raises(WrittenOnceError):
        Protest.objects.all().delete()


def test_a_code_is_of_one_seat_of_one_game_and_wrong_ones_are_bounded(over: Game, game: Game) -> None:
    codes = [code_of(over, seat) for seat in range(1, 11)]
    assert len(set(codes)) == 10
    assert {len(code) for code in codes} == {8}
    assert seat_of_code(over, f" {codes[6][:4]} {codes[6][4:]} ") == 7
    wrong = next(f"{n:08}" for n in range(20) if f"{n:08}" not in codes)
    for _ in range(MOST_GUESSES):
        assert seat_of_code(over, wrong) is None
    with pytest.raises(Invalid):
        seat_of_code(over, codes[6])


def test_letters_go_to_who_runs_the_tournament_and_the_games_judge_where_there_is_a_server(
    over: Game, cast: Cast, settings: Settings
) -> None:
    for person in (cast.judge, cast.head_judge, cast.other_judge, cast.foreign_head_judge):
        person.email = f"{person.username}@example.org"
        person.save()
    made = file_protest(over, TEXT, seat=2, how=FiledHow.CODE)
    assert addresses_of(made) == ["head_judge@example.org", "judge@example.org"]
    assert tell_of_protest(made) is None
    settings.HAS_MAIL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    writing = tell_of_protest(made)
    assert writing is not None
    writing.join()
    assert [letter.to for letter in mail.outbox] == [["head_judge@example.org"], ["judge@example.org"]]
    assert mail.outbox[0].subject == "Протест: Кубок Ёлки, игра 1, стол 1"
    assert f"/protests/{made.uuid}/" in mail.outbox[0].body


def test_a_correction_is_asked_for_once_and_answered(over: Game, cast: Cast) -> None:
    with pytest.raises(Invalid):
        ask_correction(over, "Не тот фол", by=cast.judge)
    seal(over, revision=over.revision, by=cast.judge)
    with pytest.raises(PermissionDenied):
        ask_correction(over, "Не тот фол", by=cast.other_judge)
    asked = ask_correction(over, "Не тот фол", by=cast.judge)
    with pytest.raises(Invalid):
        ask_correction(over, "И ещё", by=cast.judge)
    with pytest.raises(PermissionDenied):
        answer_correction(asked, "Нет", by=cast.judge)
    answer_correction(asked, "Фол тот", by=cast.head_judge)
    assert CorrectionRequest.objects.values_list("answer", "answered_by").get() == ("Фол тот", cast.head_judge.pk)
    ask_correction(over, "И ещё", by=cast.judge)
    reopen(over, by=cast.head_judge, reason="По просьбе судьи")
    assert CorrectionRequest.objects.filter(answered_at=None).count() == 0
    assert Player.objects.count() == 10
