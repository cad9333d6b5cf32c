"""A game goes into the mafiaratings JSON and comes back the same; what doesn't fit is told."""

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from protocols.exchange import formats
from protocols.exchange.forms import forms_of
from protocols.exchange.mafiaratings import GameLog
from protocols.exchange.playback import played
from protocols.exchange.ratings_writer import Source, Unwritable, account_of_game, written
from protocols.exchange.readback import read_back
from protocols.exchange.reading import Contradictory, Unreadable
from protocols.exchange.unheld import unheld_of
from protocols.rules import entries as e
from protocols.rules.regulation import EDITION_A, EDITION_B, FEDERATION, Regulation
from protocols.rules.terms import AFTER, SETUP, Moment, Penalty, Phase, RulingAbout
from protocols.wording.unheld import unheld_words, unwritable_words
from tests.games.random_play import RandomGame
from tests.games.table import NICKNAMES, Table

from .expected import GAMES
from .files import game_data, raw
from .mafiaratings_play import NamedGame, file_of, read_again, source_of, told
from .test_spoiled_files import spoil

AFTER_A_MISS = replace(EDITION_A, best_move_after_miss=True)
REGULATIONS = pytest.mark.parametrize(
    "regulation", [FEDERATION, EDITION_A, EDITION_B, AFTER_A_MISS], ids=["F", "A", "B", "after a miss"]
)


def taken_and_given(data: Any, regulation: Regulation, *, forms: bool = True) -> tuple[Any, list[str]]:
    """The file after its way through a record, and what of the record is said not to be in it."""
    log = formats.read(raw(data))
    assert isinstance(log, GameLog)
    game = played(log, regulation)
    kept = forms_of(log, game, regulation) if forms else {}
    names = dict(enumerate(log.nicknames, 1))
    source = Source(game.entries, regulation, names, log.started, log.ended, game.facts, kept)
    lines = unheld_of(source, account_of_game(source, game.state))
    return written(source, game.state), [unheld_words(line, names) for line in lines]


# ---------------------------------------------------------------- the real files


@REGULATIONS
@pytest.mark.parametrize("name", GAMES)
def test_a_real_file_comes_out_as_it_went_in(name: str, regulation: Regulation) -> None:
    assert taken_and_given(game_data(name), regulation) == (game_data(name), [])


@pytest.mark.parametrize("name", GAMES)
def test_every_field_of_a_real_file_follows_from_the_record(name: str) -> None:
    assert taken_and_given(game_data(name), FEDERATION, forms=False)[0] == game_data(name)


def test_what_the_record_has_no_room_for_is_still_in_the_file() -> None:
    data, _ = taken_and_given(game_data("don-and-sheriff-checks"), FEDERATION)
    players = data["players"]
    assert (data["id"], data["clubId"], data["eventId"], data["moderator"]) == (4, 1, 1, {"id": 100})
    assert (data["features"], data["rules"], data["language"]) == ("agsdutchvnwr", "0000100101000", "ru")
    assert {seat: player["arranged"] for seat, player in enumerate(players, 1) if "arranged" in player} == {
        1: 1,
        4: 2,
        5: 3,
    }
    assert players[1]["warnings"] == [
        {"round": 2, "time": "speaking", "speaker": 5},
        {"round": 2, "time": "voting", "votingRound": 0},
    ]


def test_a_field_written_in_another_way_is_written_back_so() -> None:
    data = game_data()
    players = data["players"]
    players[1]["role"] = "civ"
    players[1]["warnings"] = 3
    players[3]["voting"].append(None)
    players[7]["shooting"][0] = None
    players[8]["death"]["time"] = {"round": 4, "time": "shooting"}
    players[9]["bonus"] = 0.25
    assert taken_and_given(data, FEDERATION) == (data, [])


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_whatever_file_is_taken_comes_out_as_it_went_in(data: st.DataObject) -> None:
    file = spoil(data, [game_data(name) for name in GAMES])
    try:
        given_back, _ = taken_and_given(file, FEDERATION)
    except (Unreadable, Contradictory):
        return
    for seat in range(10):  # blanks about a nickname are no part of it
        file["players"][seat]["name"] = " ".join(file["players"][seat]["name"].split())
    assert given_back == file


def test_a_field_corrected_in_the_record_is_written_anew() -> None:
    data = game_data()
    data["players"][1]["warnings"] = 3
    log = formats.read(raw(data))
    assert isinstance(log, GameLog)
    game = played(log, FEDERATION)
    fouls = [entry.revision for entry in game.entries if isinstance(entry, e.Foul) and entry.seat == 2]
    entries = [*game.entries, e.Strike(moment=AFTER, of=fouls[0], revision=len(game.entries) + 1)]
    table = Table(FEDERATION)
    table.entries = entries
    source = Source(entries, FEDERATION, NICKNAMES, facts=game.facts, forms=forms_of(log, game, FEDERATION))
    assert written(source, table.replayed())["players"][1]["warnings"] == [{"round": 4, "time": "end"}] * 2


# ---------------------------------------------------------------- our own games


SHIFTED = {"foul_moment", "defeat"}  # what is told at another time than it fell, or not at all, may tell otherwise


@REGULATIONS
@settings(max_examples=60, deadline=None)
@example(482098144)  # a vote is voided on a day of which nothing else is written
@example(756)  # somebody is removed after three days without a leaver had ended the game, dated before (A 7.3)
@given(st.integers(0, 10**9))
def test_a_game_of_ours_comes_back_the_same(regulation: Regulation, seed: int) -> None:
    table = NamedGame(Random(seed), regulation).play()
    state = table.replayed()
    if state.derived is None:  # the longest a random game may be
        return
    data, unheld = file_of(table)
    if not SHIFTED & {each.code for each in unheld}:
        assert told(read_again(data, regulation)) == told(state)
        assert read_back(data, state, regulation) == []


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_a_disorderly_game_is_written_and_told_of_without_fail(seed: int) -> None:
    table = RandomGame(Random(seed), FEDERATION).play()
    source, state = source_of(table), table.replayed()
    try:
        data = written(source, state)
    except Unwritable as error:
        assert unwritable_words(error)
        return
    assert json.loads(json.dumps(data)) == data
    lines = [*unheld_of(source, account_of_game(source, state)), *read_back(data, state, FEDERATION)]
    words = [unheld_words(line, NICKNAMES) for line in lines]
    assert [line for line in words if not line or "%(" in line or "\n" in line] == []


def test_a_game_of_ours_names_nobody_by_an_id() -> None:
    data, _ = file_of(NamedGame(Random(2), FEDERATION).play())
    assert sorted(data) == ["endTime", "features", "players", "startTime", "winner"]
    assert {name for player in data["players"] for name in player} <= {
        "name", "role", "death", "warnings", "don", "sheriff", "legacy", "nominating", "voting", "shooting"
    }  # fmt: skip


# ---------------------------------------------------------------- what it can't hold


def _demo(*more: e.Entry, names: bool = True) -> Table:
    """A short game: day 1 without a vote, 1 shot in night 1, 2 voted out on day 2, three blacks to five reds."""
    table = Table(FEDERATION)
    roles = [entry for entry in NamedGame(Random(1), FEDERATION).play().entries if isinstance(entry, e.Roles)]
    for entry in (*roles, *more):
        assert table.write(entry, checked=False) is None, entry
    return table


def words_of(table: Table) -> list[str]:
    """What is said of the game not to be in its file, the ids apart."""
    source, state = source_of(table), table.replayed()
    lines = unheld_of(source, account_of_game(source, state))
    return [unheld_words(line, NICKNAMES) for line in lines if line.code != "ids"]


def _over(*entries: e.Entry) -> list[str]:
    """The same of a game that a team defeat of seat 9 in the first minute ends, after these entries."""
    speech = Moment(1, Phase.SPEECHES, 0, 1)
    defeat = e.Foul(moment=speech, seat=9, penalty=Penalty.TEAM_DEFEAT, clause="6.8.1")
    begun = [entry for entry in entries if entry.moment.key < AFTER.key and not isinstance(entry, e.Strike)]
    later = [entry for entry in entries if entry not in begun]
    return words_of(_demo(e.Turn(moment=speech, seat=1), *begun, defeat, *later))


SPEECH = Moment(1, Phase.SPEECHES, 0, 1)
DEFEAT = "Пункт, по которому удалён №9 Ирис: п. 6.8.1"


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ([], []),
        (
            [e.Foul(moment=SPEECH, seat=3, penalty=Penalty.WARNING, clause="6.3")],
            ["День 1 · речи: устное предупреждение, №3 Вихрь"],
        ),
        (
            [e.Foul(moment=SPEECH, seat=3, clause="6.6.1"), e.Foul(moment=SPEECH, seat=5, text="стук")],
            ["Пункты фолов: №3 Вихрь", "Пояснения к фолам: №5 Дельта"],
        ),
        (
            [e.Foul(moment=SPEECH, seat=3, penalty=Penalty.DISQUALIFYING, clause="6.7.4")],
            ["Пункт, по которому удалён №3 Вихрь: п. 6.7.4"],
        ),
        ([e.Foul(moment=SPEECH, seat=3, penalty=Penalty.DISQUALIFYING, clause="6.7.1")], []),
        (
            [e.ExtraPoints(moment=AFTER, seat=4, points=300, text="за речь")],
            ["Доп. баллы: №4 Гранит +0,3, «за речь»"],
        ),
        (
            [e.Ruling(moment=AFTER, about=RulingAbout.STANDS, text="играли верно")],
            ["После игры: решение судьи «играли верно»"],
        ),
        (
            [e.Foul(moment=SPEECH, seat=3), e.Strike(moment=AFTER, of=3, text="не тот")],
            ["1 зачёркнутая запись: кто и почему зачеркнул"],
        ),
        (
            [e.SeatCorrection(moment=SETUP, seat=3, target=4)],
            ["Что игроки сидели на чужих местах: никнеймы стоят там, где сидели"],
        ),
        (
            [e.Nomination(moment=SPEECH, seat=1, target=4), e.Withdrawal(moment=SPEECH, seat=1)],
            ["1 снятая кандидатура"],
        ),
    ],
    ids=[
        "nothing",
        "warning",
        "clauses",
        "removal",
        "left the table",
        "extra",
        "ruling",
        "strike",
        "chairs",
        "withdrawn",
    ],
)
def test_what_the_file_has_no_room_for_is_told(entries: list[e.Entry], words: list[str]) -> None:
    assert sorted(_over(*entries)) == sorted([*words, DEFEAT])


def test_a_game_of_which_only_figures_are_written_says_so() -> None:
    log = formats.read(raw(game_data("raise-all-5-5-on-day-1")))
    assert isinstance(log, GameLog)
    table = Table(FEDERATION)
    figures: dict[type[e.Entry], dict[str, Any]] = {
        e.Vote: {"voters": None}, e.RaiseAll: {"count": 6, "raised": None}, e.Shot: {"shots": ()}
    }  # fmt: skip
    for entry in played(log, FEDERATION).entries:
        assert table.write(replace(entry, revision=0, **figures.get(type(entry), {})), checked=False) is None
    data, unheld = file_of(table)
    names = dict(enumerate(log.nicknames, 1))
    assert [unheld_words(line, names) for line in unheld if line.code != "ids"] == [
        "День 1, голосование: кто за кого голосовал; записано только число голосов: №1 — 5, №2 — 5",
        "День 1, переголосование: кто за кого голосовал; записано только число голосов: №1 — 5, №2 — 5",
        "День 1: сколько было за подъём (6 из 10), поимённо не записано",
        "День 3, голосование: кто за кого голосовал; записано только число голосов: №10 — 0, №3 — 4, №7 — 1",
        "День 4, голосование: кто за кого голосовал; записано только число голосов: №10 — 2, №7 — 1",
    ]
    assert data["features"] == "gsdutclhnwr"  # all shots hit: every black aimed there
    assert [player.get("shooting") for player in data["players"]] == [
        player.get("shooting") for player in game_data("raise-all-5-5-on-day-1")["players"]
    ]
    assert [player.get("voting") for player in data["players"]][:4] == [
        [[None, None]],
        [[None, None]],
        [[None, None], 9, None],
        [[None, None], 9, None, None],
    ]
    beyond = [unheld_words(line, names) for line in read_back(data, table.replayed(), FEDERATION)]
    assert beyond[0] == (
        "При обратном чтении файл противоречив, его можно принять только черновиком:"
        " День 1: в файле нет голосов (голосование: №1 Парус, №2 Сокол) (уточнение §3)"
    )


def test_shots_of_a_night_that_missed_are_known_by_name_or_told_not_to_be() -> None:
    table = Table(FEDERATION)
    for entry in NamedGame(Random(4), FEDERATION).play().entries:
        if isinstance(entry, e.Shot) and entry.target is None:
            entry = replace(entry, shots=())
        table.write(replace(entry, revision=0), checked=False)
    missed = [str(number) for number, night in table.state.nights.items() if night.missed]
    assert len(missed) > 1
    assert [line for line in words_of(table) if "промаха" in line] == [
        f"Кто в кого стрелял в ночи промаха: {', '.join(missed)}; это не записано"
    ]
