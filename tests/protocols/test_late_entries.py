"""What is struck out and written back at its own moment; what two states of one game differ in."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any

import pytest

from protocols.rules import entries as e
from protocols.rules.differences import differences
from protocols.rules.fold import preview, replay, struck_revisions
from protocols.rules.insertion import behind, neighbours, refuse_there, state_before
from protocols.rules.outcome import is_over
from protocols.rules.regulation import EDITION_A, EDITION_B, FEDERATION, Regulation
from protocols.rules.state import GameState
from protocols.rules.terms import ROLE_OF_LETTER, SETUP, Moment, Penalty, Phase
from protocols.wording import difference_words
from tests.games.random_play import KNOWN, RandomGame
from tests.games.table import Table

ROLES = e.Roles(moment=SETUP, roles=tuple(ROLE_OF_LETTER[letter] for letter in "ККККДШЧЧКК"))
NAMES = dict(enumerate(("Лотос", "Мираж", "Норд", "Онега", "Парус", "Рубин", "Сокол", "Тайга", "Умка", "Филин"), 1))


def unnumbered(value: Any) -> Any:
    """A value without the numbers of the entries, which are all that writing anew changes."""
    if is_dataclass(value) and not isinstance(value, type):
        own = [
            each.name for each in fields(value) if each.name not in ("revision", "place", "by", "known", "teams_since")
        ]
        return (type(value).__name__, *((name, unnumbered(getattr(value, name))) for name in own))
    if isinstance(value, dict):
        return {key: unnumbered(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [unnumbered(each) for each in value]
    return value


def numbered(*entries: e.Entry) -> list[e.Entry]:
    """Entries as they were written one by one."""
    return [replace(entry, revision=revision) for revision, entry in enumerate(entries, start=1)]


def speech(seat: int, day: int = 1) -> e.Turn:
    """The minute of a seat."""
    return e.Turn(moment=Moment(day, Phase.SPEECHES, 0, seat), seat=seat)


def played_to_its_end(seed: int, regulation: Regulation) -> Table:
    """A random game in which everything was written when it happened."""
    game = RandomGame(Random(seed), regulation, roles=KNOWN, disorder=0.0)
    for _ in game.acts():
        if is_over(game.table.state):
            break
    return game.table


PLAYED = (e.Nomination, e.Withdrawal, e.Vote, e.RaiseAll, e.Shot, e.Check, e.BestMove, e.Turn)


@pytest.mark.parametrize("regulation", [EDITION_A, EDITION_B, FEDERATION], ids="ABF")
@pytest.mark.parametrize("seed", range(8))
def test_an_entry_struck_out_and_written_back_at_its_own_moment_changes_nothing(
    seed: int, regulation: Regulation
) -> None:
    table = played_to_its_end(seed, regulation)
    written, before = table.entries, unnumbered(table.state)
    for entry in written:
        if not isinstance(entry, PLAYED):
            continue
        strike = e.Strike(moment=table.state.moment, of=entry.revision, revision=len(written) + 1)
        back = replace(entry, revision=len(written) + 2, place=entry.place or entry.revision)
        after = replay([*written, strike, back], regulation)
        assert unnumbered(after) == before, entry
        assert differences(table.state, after) == ()


@pytest.mark.parametrize("seed", range(6))
def test_a_strike_struck_out_gives_the_state_before_it(seed: int) -> None:
    table = RandomGame(Random(seed), disorder=0.3).play()
    written = table.entries
    struck = struck_revisions(written)
    for entry in written:
        if isinstance(entry, e.Strike) or entry.revision in struck:
            continue
        strike = e.Strike(moment=table.state.moment, of=entry.revision, revision=len(written) + 1)
        back = e.Strike(moment=table.state.moment, of=strike.revision, revision=len(written) + 2)
        after = replay([*written, strike, back], EDITION_A)
        after.revision = table.state.revision
        assert after == table.state, entry


@pytest.mark.parametrize("seed", range(6))
def test_what_is_refused_at_its_moment_is_what_a_replay_sets_aside(seed: int) -> None:
    table = RandomGame(Random(seed), disorder=0.2).play()
    chance = Random(seed)
    for entry in chance.sample(table.entries, min(12, len(table.entries))):
        if not isinstance(entry, PLAYED):
            continue
        again = replace(entry, revision=0, place=behind(entry, entry.moment))
        refused = refuse_there(table.entries, again, EDITION_A)
        assert refused == preview(table.entries, again, EDITION_A).refusal


# ---------------------------------------------------------------- what differs


VOTE_DUE = (
    "Ночь ещё не наступает: не закончено голосование. Нет голосов за: №7 Сокол, №5 Парус, №6 Рубин (уточнение §3)"
)


def day_with_a_vote() -> list[e.Entry]:
    """Seats 1 and 2 nominate 5 and 6; 5 is voted out, and 9 is shot in the night."""
    return numbered(
        ROLES,
        e.Turn(moment=Moment(0, Phase.NIGHT)),
        speech(1),
        e.Nomination(moment=speech(1).moment, seat=1, target=5),
        speech(2),
        e.Nomination(moment=speech(2).moment, seat=2, target=6),
        e.Vote(moment=Moment(1, Phase.BALLOT, 0, 1), target=5, count=6),
        e.Vote(moment=Moment(1, Phase.BALLOT, 0, 2), target=6, count=4),
        e.Turn(moment=Moment(1, Phase.NIGHT)),
        e.Shot(moment=Moment(1, Phase.NIGHT), target=9),
        e.Turn(moment=Moment(2, Phase.SPEECHES, 0, 1), seat=2),
    )


def told(before: GameState, after: GameState) -> list[str]:
    """The differences in words."""
    return [difference_words(found, NAMES) for found in differences(before, after)]


def seen(entries: list[e.Entry], new: e.Entry) -> list[str]:
    """What writing one more entry would change."""
    found = preview(entries, new, EDITION_A)
    assert found.refusal is None
    return told(found.before, found.after)


def test_nothing_differs_from_itself() -> None:
    state = replay(day_with_a_vote(), EDITION_A)
    assert differences(state, state.copy()) == ()


def test_a_forgotten_nomination_tells_what_becomes_of_the_vote() -> None:
    forgotten = e.Nomination(moment=speech(1).moment, place=3, seat=None, target=7)
    assert seen(day_with_a_vote(), forgotten) == [
        "№5 Парус возвращается за стол; было: выведен голосованием, день 1",
        "№9 Умка возвращается за стол; было: отстрел, ночь 1",
        "Выставлены в день 1: 5, 6 → 7, 5, 6",
        "День 1, голосование: №5 — 6, №6 — 4 → больше не считается",
        "День 1, кто уходит по голосованию: №5 Парус → не решено (уточнение §3)",
        "Ночь 1: отстрел не записан",
        "Больше не в силе: 7. Голоса за №5 Парус: 6 — Сначала голоса за №7 Сокол, потом за №5 Парус (уточнение §3)",
        "Больше не в силе: 8. Голоса за №6 Рубин: 4 — Сначала голоса за №7 Сокол, потом за №6 Рубин (уточнение §3)",
        f"Больше не в силе: 9. Наступает ночь 1 — {VOTE_DUE}",
        f"Больше не в силе: 10. Отстрел: №9 Умка — {VOTE_DUE}",
        f"Больше не в силе: 11. Слово: №2 Мираж — {VOTE_DUE}",
    ]


def test_a_best_move_that_passes_to_another_victim_is_told() -> None:
    night = Moment(1, Phase.NIGHT)
    written = day_with_a_vote()[:10]
    written += numbered(*written, e.BestMove(moment=Moment(1, Phase.BEST_MOVE), seats=(2, 7, 10)))[10:]
    before = replay(written, EDITION_A)
    assert before.best_move is not None
    strike = e.Strike(moment=before.moment, of=10)
    shot = e.Shot(moment=night, place=10, target=3)
    after = replay(numbered(*written, strike, shot), EDITION_A)
    assert told(before, after) == [
        "№3 Норд уходит из-за стола: отстрел, ночь 1 (уточнение §4)",
        "№9 Умка возвращается за стол; было: отстрел, ночь 1",
        "Ночь 1: отстрел №3 Норд",
        "Лучший ход 2, 7, 10 теперь записан за №3 Норд; зачеркните его, если это не так",
    ]


def test_the_entries_beside_one_are_found_in_the_order_of_play() -> None:
    written = day_with_a_vote()
    late = replace(e.Foul(moment=speech(1).moment, seat=3, place=4), revision=12)
    before, after = neighbours([*written, late], 5)
    assert (before, after) == (late, written[5])
    assert neighbours(written, 99) == (None, None)


def test_the_state_before_a_late_entry_knows_nothing_of_what_came_after() -> None:
    state = state_before(day_with_a_vote(), e.Foul(moment=speech(2).moment, seat=3, place=5), EDITION_A)
    assert state.moment == speech(2).moment
    assert state.days[1].nominations == [(1, 5)]
    assert len(state.living) == 10


def test_a_late_fourth_foul_names_who_leaves_and_the_ruling_that_is_due() -> None:
    written = day_with_a_vote()
    fouls = [e.Foul(moment=speech(1).moment, seat=3, place=4) for _ in range(3)]
    written = [*written, *(replace(foul, revision=12 + n) for n, foul in enumerate(fouls))]
    assert seen(written, e.Foul(moment=speech(2).moment, seat=3, place=6, penalty=Penalty.FOUL)) == [
        "№3 Норд уходит из-за стола: удалён, 4 фола, день 2 (п. 6.5)",
        "Фолы №3 Норд: 3 → 4",
        "Голосования в день 2 нет: №3 Норд удалён (п. 7.1)",
        "Понадобится решение судьи: №3 Норд удалён с момента «День 1 · речи», а замечено это позже; голосования и "
        "отстрелы в силе (уточнение §5)",
    ]
