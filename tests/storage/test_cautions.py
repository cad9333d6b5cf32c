"""What is told before the signature and doesn't keep from it: four things that look wrong and may be right."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from protocols.models import Game, Stage
from protocols.rules import entries as e
from protocols.rules.cautions import cautions
from protocols.rules.fold import replay
from protocols.rules.regulation import EDITION_A, EDITION_B, FEDERATION, Regulation
from protocols.rules.terms import Moment, Penalty, Phase
from protocols.selectors import record_of
from protocols.services.readiness import cautions_of, problems_of
from protocols.services.record import record
from protocols.services.sign import seal
from protocols.services.verify import differences
from protocols.wording import caution_words

from .broken import BEGUN, MINUTE, defeat, stored, tally
from .conftest import Cast
from .play import nominate, speech
from .test_invariants import another


def quiet(days: int) -> list[e.Entry]:
    """So many days with their nights in which nobody leaves; then the speeches of the next day begin."""
    course: list[e.Entry] = list(BEGUN)
    for day in range(1, days + 1):
        course += [speech(1, day=day, step=1), e.Turn(moment=Moment(day, Phase.NIGHT))]
        course.append(e.Shot(moment=Moment(day, Phase.NIGHT)))
    return [*course, speech(1, day=days + 1, step=1)]


def told(game: Game, cast: Cast) -> list[str]:
    """What is told of a game that can be signed and then is."""
    found = record_of(game)
    assert problems_of(found) == []
    said = [caution_words(caution, found.names) for caution in cautions_of(found)]
    seal(game, revision=game.revision, by=cast.judge)
    assert differences(Game.objects.get(pk=game.pk)) == []
    return said


# ---------------------------------------------------------------- the order of speaking


def turns(*seats: int, day: int = 1) -> list[e.Entry]:
    """The minutes of these seats, one after another."""
    return [speech(seat, day=day, step=step) for step, seat in enumerate(seats, 1)]


def last(seats: Sequence[int], day: int = 1) -> e.Foul:
    """The end of the game in the last of these minutes."""
    return defeat(Moment(day, Phase.SPEECHES, 0, len(seats)))


ORDERS = {
    (1, 2, 3, 5, 4, 6, 7, 8, 9, 10): ["День 1: №4 Гранит говорил не в свою очередь (уточнение §2)"],
    (2, 3, 4, 5, 6, 7, 8, 9, 10, 1): ["День 1: №1 Ёлка 7 говорил не в свою очередь (уточнение §2)"],
    (1, 2, 2, 3): ["День 1: №2 Барс говорил не в свою очередь (уточнение §2)"],
    (1, 2, 3, 4, 5, 6, 7, 8, 9, 10): [],
    (2, 4, 5, 10): [],  # whoever was passed over is not missed
}


@pytest.mark.parametrize(("seats", "says"), ORDERS.items(), ids=str)
def test_speaking_out_of_turn_is_told(game: Game, cast: Cast, seats: tuple[int, ...], says: list[str]) -> None:
    assert told(stored(game, cast.judge, [*BEGUN, *turns(*seats), last(seats)]), cast) == says


def test_what_was_said_out_of_turn_stands(game: Game, cast: Cast) -> None:
    named = e.Nomination(moment=Moment(1, Phase.SPEECHES, 0, 4), seat=2, target=9)
    stored(game, cast.judge, [*BEGUN, *turns(1, 3, 4, 2), named, defeat(named.moment)])
    assert record_of(game).state.days[1].nominations == [(2, 9)]
    assert told(game, cast) == ["День 1: №2 Барс говорил не в свою очередь (уточнение §2)"]


def test_at_the_table_nobody_is_given_the_word_out_of_turn(game: Game, cast: Cast) -> None:
    stored(game, cast.judge, [*BEGUN, *turns(1, 3)])
    answer = record(
        speech(2, step=3), game=game, revision=game.revision, by=cast.judge, uuid=game.uuid
    )  # fmt: skip
    assert (answer.kind, answer.refusal and answer.refusal.code) == ("refused", "not_next")


def test_speaking_out_of_turn_before_a_revote_is_told(game: Game, cast: Cast) -> None:
    tied = [tally(5, 5, 0, 1), tally(9, 5, 0, 2)]
    swapped = [e.Turn(moment=Moment(1, Phase.PRE_REVOTE, 1, step), seat=seat) for step, seat in ((1, 9), (2, 5))]
    course = [*BEGUN, speech(1), nominate(1, 5), speech(2), nominate(2, 9), *tied, *swapped]
    assert told(stored(game, cast.judge, [*course, defeat(swapped[-1].moment)]), cast) == [
        "День 1: №9 Ирис говорил не в свою очередь (уточнение §3)",
        "День 1: №5 Дельта говорил не в свою очередь (уточнение §3)",
    ]


# ---------------------------------------------------------------- a second unchanged day


def test_a_second_unchanged_day_is_told(game: Game, cast: Cast) -> None:
    course = [*quiet(2), defeat(Moment(3, Phase.SPEECHES, 0, 1))]
    assert told(stored(game, cast.judge, course), cast)[-1:] == [
        "В сутки 1 и 2 никто не ушёл: с третьими подряд игра кончается (п. 7.3)"
    ]


def codes(course: Sequence[e.Entry], regulation: Regulation = EDITION_A) -> list[tuple[str, object]]:
    """The cautions about unchanged days with the later number."""
    written = [replace(entry, revision=revision) for revision, entry in enumerate(course, 1)]
    state = replay(written, regulation)
    return [(c.code, c.params["night"]) for c in cautions(written, state) if c.code != "out_of_turn"]


def test_a_first_unchanged_day_is_not_told() -> None:
    assert codes(quiet(1)) == []
    assert codes(quiet(2)[:-1]) == []  # the second night is not over yet


def test_a_stalemate_tells_itself() -> None:
    assert codes(quiet(3)) == []


def test_a_leaving_starts_the_count_anew() -> None:
    removed = e.Foul(moment=Moment(2, Phase.SPEECHES, 0, 1), seat=10, penalty=Penalty.DISQUALIFYING)
    course = quiet(2)
    assert codes([*course[:6], removed, *course[6:]]) == []


def test_the_federation_counts_a_night_with_the_day_after_it() -> None:
    assert codes(quiet(2), FEDERATION) == []
    assert codes([*quiet(2), e.Turn(moment=Moment(3, Phase.NIGHT))], FEDERATION) == [("second_unchanged_night", 2)]


def test_edition_b_counts_misses_with_four_at_the_table() -> None:
    assert codes(quiet(2), EDITION_B) == []
    gone = [e.Foul(moment=MINUTE, seat=seat, penalty=Penalty.DISQUALIFYING) for seat in (5, 9, 1, 2, 4, 6)]
    course = [
        entry if not (isinstance(entry, e.Turn) and entry.seat == 1) else speech(3, entry.moment.day, 1)
        for entry in quiet(2)
    ]
    assert codes([*course[:3], *gone, *course[3:]], EDITION_B) == [("second_miss_at_four", 2)]


# ---------------------------------------------------------------- the protest, the round


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "21:52 Голос не засчитан",
            ["Протест опоздал на 2:00: его пишут не позднее 10 минут после окончания игры (п. 8.7.1)"],
        ),
        ("21:50 Голос не засчитан", []),
        ("Голос не засчитан", []),  # nobody knows when
        ("", []),
    ],
)  # fmt: skip
def test_a_late_protest_is_told(game: Game, cast: Cast, text: str, says: list[str]) -> None:
    stored(game, cast.judge, [*BEGUN, speech(1), defeat(MINUTE)])
    game.protest = text
    game.ended_at = datetime(2024, 1, 5, 18, 40, tzinfo=UTC)
    game.save()
    assert told(game, cast) == says


def test_a_table_that_a_round_has_twice_is_told(game: Game, stage: Stage, cast: Cast) -> None:
    other = another(stage, cast)
    Game.objects.update(round=3)
    stored(Game.objects.get(pk=game.pk), cast.judge, [*BEGUN, speech(1), defeat(MINUTE)])
    assert told(Game.objects.get(pk=game.pk), cast) == ["В туре 3 за столом 1 есть ещё одна игра (п. 9.2)"]
    Game.objects.filter(pk=other.pk).update(round=4)
    assert cautions_of(record_of(Game.objects.get(pk=game.pk))) == []


def test_a_number_that_a_round_has_twice_is_told(game: Game, stage: Stage, cast: Cast) -> None:
    others = [another(stage, cast) for _ in range(2)]
    for table, other in enumerate(others, 2):
        Game.objects.filter(pk=other.pk).update(table_number=table, number=1)
    Game.objects.update(round=3)
    stored(Game.objects.get(pk=game.pk), cast.judge, [*BEGUN, speech(1), defeat(MINUTE)])
    found = Game.objects.get(pk=game.pk)
    assert cautions_of(record_of(found)) == []  # the first game at each of three tables
    Game.objects.filter(pk=others[1].pk).update(number=5)
    assert told(found, cast) == ["В туре 3 есть ещё одна игра под номером 1 (п. 9.2)"]


def test_a_game_of_no_round_has_no_neighbours(game: Game, stage: Stage, cast: Cast) -> None:
    another(stage, cast)
    assert told(stored(game, cast.judge, [*BEGUN, speech(1), defeat(MINUTE)]), cast) == []
