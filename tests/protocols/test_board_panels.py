"""What the board shows at every moment of real games: the next step, and only legal keys lit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from uuid import uuid4

import pytest
from django.http import QueryDict

from protocols.board.drawing import Addresses
from protocols.board.night import answer_of
from protocols.board.panel import Panel, panel_of
from protocols.board.posts import Ask, Key, Pad
from protocols.board.rows import rows_of
from protocols.forms.corrections import tap_of
from protocols.forms.fields import moment_text
from protocols.models import Game, Tournament
from protocols.models.entries import Row
from protocols.rules import entries as e
from protocols.rules.agenda import next_step
from protocols.rules.fold import replay, step
from protocols.rules.refusals import refuse
from protocols.rules.regulation import EDITION_A, FEDERATION
from protocols.rules.terms import Moment, Penalty, Phase, Role
from protocols.selectors import Record
from protocols.wording import ballot_words

from .tables import FIRST, NICKNAMES, NIGHT_ZERO, ROLES, real_game, speech
from .world import GAMES

NAMES = dict(enumerate(NICKNAMES, start=1))
LINKS = Addresses("/b/", "/e/", "/f/", "/paper/", "/p/", "/g/", "/h/", "/c/", "/s/")
FILES = sorted(path.stem for path in GAMES.glob("*.json"))
NOON = datetime(2026, 10, 10, 12, tzinfo=UTC)
NIGHT_ONE = Moment(1, Phase.NIGHT)


def record(values: list[e.Entry], rules: str = "F") -> Record:
    """A record that no database holds; nobody asks it for times."""
    game = Game(tournament=Tournament(regulation=rules))
    numbered = [replace(value, revision=number) for number, value in enumerate(values, start=1)]
    rows = [Row(number, uuid4(), 1, NOON, "") for number, _value in enumerate(values, start=1)]
    return Record(game, rows, numbered, replay(numbered, {"A": EDITION_A, "F": FEDERATION}[rules]), NAMES)


def panel(values: list[e.Entry], ask: Ask | None = None, rules: str = "F") -> Panel:
    """The panel after these entries."""
    return panel_of(record(values, rules), NAMES, ask or Ask(), LINKS, roles=True)


@cache
def prefixes(name: str) -> list[Record]:
    """A real game, entry by entry."""
    entries = real_game(name)
    return [record(entries[:length]) for length in range(len(entries) + 1)]


def taken(found: Record, pad: Pad, key: Key) -> bool:
    """Whether the service would take what that key sends."""
    data = QueryDict(mutable=True)
    for name, value in pad.post.hidden:
        data[name] = str(value)
    data["revision"], data["uuid"] = str(found.revision), str(uuid4())
    data[pad.name] = str(key.value)
    form = tap_of(data)
    assert form.is_valid(), form.errors
    return refuse(found.state, form.value()) is None


def lone_pads(name: str) -> Iterator[tuple[Record, Pad]]:
    """The pads of a game whose keys are sent one at a time."""
    for found in prefixes(name):
        pad = panel_of(found, NAMES, Ask(), LINKS, roles=True).pad
        if pad is not None and not pad.many:
            yield found, pad


@pytest.mark.parametrize("name", FILES)
def test_a_key_is_lit_exactly_when_the_service_would_take_it(name: str) -> None:
    wrong = []
    for found, pad in lone_pads(name):
        for key in pad.keys:
            departed_shot = pad.post.kind == "shot" and not key.lit  # a shot at a departed seat is taken, as a miss
            if key.lit != taken(found, pad, key) and not departed_shot:
                wrong.append((found.revision, pad.post.kind, key.value))
    assert wrong == []


@pytest.mark.parametrize("name", FILES)
def test_the_next_action_is_always_there_and_would_be_taken(name: str) -> None:
    for found in prefixes(name):
        main = panel_of(found, NAMES, Ask(), LINKS, roles=True).main
        assert main is not None
        if main.post is not None:
            data = QueryDict(mutable=True)
            for key, value in main.post.hidden:
                data[key] = str(value)
            data["revision"], data["uuid"] = "0", str(uuid4())
            if main.name:
                data[main.name] = str(main.value)
            form = tap_of(data)
            assert form.is_valid()
            state = found.state
            for value in form.values():
                assert refuse(state, value) is None
                state = step(state, value)


@pytest.mark.parametrize("name", FILES)
def test_further_steps_are_no_second_offer_of_the_first(name: str) -> None:
    for found in prefixes(name):
        panel = panel_of(found, NAMES, Ask(), LINKS, roles=True)
        assert panel.main is not None
        labels = [other.label for other in panel.others]
        assert panel.main.label not in labels
        assert len(labels) == len(set(labels))


# ---------------------------------------------------------------- one step after another

BEGUN = [ROLES, NIGHT_ZERO, speech(1)]


def nominated(*targets: int) -> list[e.Entry]:
    """The first seats nominate these."""
    found: list[e.Entry] = [ROLES, NIGHT_ZERO]
    for seat, target in enumerate(targets, start=1):
        found += [speech(seat), e.Nomination(moment=Moment(1, Phase.SPEECHES, 0, seat), seat=seat, target=target)]
    return found


def tallies(*counts: int, targets: tuple[int, ...], ballot: int = 0) -> list[e.Entry]:
    """A ballot's tallies."""
    return [
        e.Vote(moment=Moment(1, Phase.BALLOT, ballot, step), target=target, count=count)
        for step, (target, count) in enumerate(zip(targets, counts, strict=True), start=1)
    ]


def checked(by: Role, target: int) -> e.Check:
    """A check of night 1."""
    return e.Check(moment=Moment(1, Phase.DON if by == Role.DON else Phase.SHERIFF), by=by, target=target)


LAST_TALLY = [*nominated(5, 9), *tallies(6, targets=(5,))]
TIED = [*nominated(5, 9), *tallies(5, 5, targets=(5, 9))]
TIED_TWICE = [*TIED, *tallies(5, 5, targets=(5, 9), ballot=1)]
NIGHT = [*TIED_TWICE, e.RaiseAll(moment=Moment(1, Phase.RAISE_ALL), count=4), e.Turn(moment=NIGHT_ONE)]
SHOT = [*NIGHT, e.Shot(moment=NIGHT_ONE, target=1)]
FALLS = "Наступает ночь. Мафия стреляет: номер 1, номер 2 … номер 10."
CALLS = (
    "Мафия засыпает. Просыпается дон и ищет шерифа.",
    "Дон засыпает. Просыпается шериф и проверяет одного игрока.",
    "Шериф засыпает.",
)


@pytest.mark.parametrize(
    ("values", "prompt", "main", "note"),
    [
        ([], "Все за столом?", "Начать игру", "ночь 0: чёрные знакомятся"),
        ([ROLES, NIGHT_ZERO], "", "Слово: №1 Лотос", "60 секунд"),
        (BEGUN, "Говорит №1 Лотос", "Слово: №2 Мираж", "60 секунд"),
        (nominated(5, 9), "Говорит №2 Мираж", "Слово: №3 Норд", "60 секунд"),
        ([*nominated(5, 9), e.Turn(moment=Moment(1, Phase.BALLOT))], "За №5 Парус", "Сколько рук?", "за №5"),
        (LAST_TALLY, "За №9 Умка", "Последнее слово: №5 Парус", "остальные, 4, — за №9"),
        (TIED, "Поровну: №5 Парус, №9 Умка", "Слово: №5 Парус", "30 секунд"),
        (TIED_TWICE, "Поднять всех? №5 Парус, №9 Умка", "Сколько рук?", "за то, чтобы ушли все"),
        (NIGHT[:-1], "Никто не уходит", "Наступает ночь 1", ""),
        (NIGHT, "", "Кого отстрелили?", "или промах"),
        (SHOT, "", "Кого проверяет дон?", ""),
    ],
)
def test_each_step_says_what_is_asked_and_what_comes_next(
    values: list[e.Entry], prompt: str, main: str, note: str
) -> None:
    found = panel(values)
    assert found.main is not None
    assert (found.prompt, found.main.label, found.main.note) == (prompt, main, note)


def test_the_raise_question_tells_how_many_hands_are_needed() -> None:
    found = panel(TIED_TWICE)
    assert found.hint == "за 6 из 10 — уходят все"
    assert found.pad is not None
    assert [key.value for key in found.pad.keys if key.mark == "enough"] == [6, 7, 8, 9, 10]


def test_the_last_candidate_is_filled_in_and_waits() -> None:
    found = panel(LAST_TALLY)
    assert found.pad is not None
    assert [key.value for key in found.pad.keys if key.lit] == [4]
    assert [(cell.seat, cell.votes) for cell in found.cells] == [(5, "6"), (9, "")]
    assert found.main is not None
    assert found.hint == "Уходит: №5 Парус"
    assert found.main.post is not None
    assert dict(found.main.post.hidden) == {
        "kind": "turn", "moment": "1.50.0.1", "seat": 5,
        "first-kind": "vote", "first-moment": "1.31.0.2", "first-target": 9, "first-count": 4,
    }  # fmt: skip


def test_a_miss_stands_among_the_numbers_of_the_shot() -> None:
    pad = panel(NIGHT).pad
    assert pad is not None
    assert [key.value for key in pad.keys] == [1, 2, 3, 4, 5, "miss", 6, 7, 8, 9, 10]


def test_a_step_may_be_skipped_from_the_quiet_menu() -> None:
    found = panel(SHOT)
    assert [other.label for other in found.others][:2] == ["Проверка шерифа", "Лучший ход"]
    skipped = panel(SHOT, Ask(step="sheriff"))
    assert skipped.main is not None
    assert skipped.main.label == "Кого проверяет шериф?"
    assert skipped.others[0].label == "Проверка дона"


@pytest.mark.parametrize(
    ("check", "words", "gesture"),
    [
        (checked(Role.DON, 6), "да, шериф", "обычай: кивок"),
        (checked(Role.DON, 2), "нет", "обычай: покачать головой"),
        (checked(Role.SHERIFF, 7), "чёрный", "обычай: большой палец вниз"),
        (
            checked(Role.SHERIFF, 2),
            "красный",
            "обычай: большой палец вверх",
        ),
    ],
)
def test_the_answer_to_a_check_is_in_words_with_the_customary_gesture(check: e.Check, words: str, gesture: str) -> None:
    state = record([*SHOT, check]).state
    shown = answer_of(state, next_step(state))
    assert shown is not None
    assert (shown.words, shown.gesture) == (words, gesture)


def test_no_answer_is_shown_while_roles_are_unknown() -> None:
    values = [value for value in SHOT if not isinstance(value, e.Roles)]
    state = record([*values, checked(Role.DON, 6)]).state
    assert answer_of(state, next_step(state)) is None


def test_the_judge_says_the_night_in_its_order() -> None:
    assert panel(NIGHT).says == (FALLS,)
    assert panel(SHOT).says == (CALLS[0],)
    dons = [*SHOT, checked(Role.DON, 6)]
    assert panel(dons).says == (CALLS[1],)
    both = [*dons, checked(Role.SHERIFF, 7)]
    killed = "Доброе утро, город. Этой ночью убит №1 Лотос."
    assert panel(both).says == (f"{CALLS[2]} {killed} Ваш лучший ход?",)
    move = e.BestMove(moment=Moment(1, Phase.BEST_MOVE), seats=(5, 7, 8))
    assert panel([*both, move]).says == ()
    missed = [*NIGHT, e.Shot(moment=NIGHT_ONE), checked(Role.DON, 6), checked(Role.SHERIFF, 7)]
    assert panel(missed).says == (CALLS[2], "Доброе утро, город. Этой ночью никто не убит.")


@pytest.mark.parametrize("gone", [(5,), (6,), (5, 6)], ids=["don", "sheriff", "both"])
def test_the_night_sounds_the_same_whoever_has_left(gone: tuple[int, ...]) -> None:
    removals = [e.Foul(moment=FIRST, seat=seat, penalty=Penalty.DISQUALIFYING, clause="6.7.4") for seat in gone]
    values = [*BEGUN, *removals, e.Turn(moment=NIGHT_ONE)]
    heard = [*panel(values).says]
    values.append(e.Shot(moment=NIGHT_ONE))
    while (now := next_step(record(values).state)).code in ("don", "sheriff"):
        heard += panel(values).says
        values.append(checked(Role.DON if now.code == "don" else Role.SHERIFF, 2))
    heard += panel(values).says
    assert heard == [FALLS, *CALLS, "Доброе утро, город. Этой ночью никто не убит."]


@pytest.mark.parametrize("name", FILES)
def test_of_a_night_the_hall_hears_the_calls_and_the_killed_alone(name: str) -> None:
    may_be_heard = {FALLS, *CALLS, "Доброе утро, город. Этой ночью никто не убит."}
    for now in prefixes(name):
        state = now.state
        if state.moment.day < 1 or not state.moment.is_night:
            continue
        victim = state.nights[state.moment.day].victim
        killed = f"Доброе утро, город. Этой ночью убит №{victim} {NAMES.get(victim or 0)}."
        of_the_killed = {killed, f"{CALLS[2]} {killed} Ваш лучший ход?"}
        says = panel_of(now, NAMES, Ask(), LINKS, roles=True).says
        assert set(says) - may_be_heard <= of_the_killed


def test_a_silenced_player_is_called_so_on_the_button() -> None:
    fouls = [e.Foul(moment=FIRST, seat=2)] * 3
    main = panel([*BEGUN, *fouls]).main
    assert main is not None
    assert (main.label, main.note) == ("№2 Мираж — без слова", "")


def test_ballots_are_named_in_order() -> None:
    assert [ballot_words(number) for number in (0, 1, 2, 10)] == [
        "голосование", "переголосование", "переголосование 2", "голосование",
    ]  # fmt: skip


def test_a_moment_goes_through_a_form_unchanged() -> None:
    assert moment_text(Moment(2, Phase.BALLOT, 1, 3)) == "2.31.1.3"


def test_whoever_is_removed_in_the_own_minute_has_the_word_no_more() -> None:
    speaks = [ROLES, NIGHT_ZERO, speech(1)]
    removed = e.Foul(moment=FIRST, seat=1, penalty=Penalty.DISQUALIFYING, clause="6.7.4")
    marked = [
        [row.seat for row in rows_of(record(values).state, NAMES, roles=True, writes=True) if row.speaking]
        for values in (speaks, [*speaks, removed])
    ]
    assert marked == [[1], []]
