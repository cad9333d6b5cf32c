"""Four real games come out of their files as they were played: every exit, ballot, shot, check and foul."""

from decimal import Decimal
from pathlib import Path

import pytest

from protocols.exchange import formats
from protocols.exchange.mafiaratings import GameLog
from protocols.exchange.playback import Played, played
from protocols.rules import entries as e
from protocols.rules.fold import replay
from protocols.rules.outcome import outcome, problems
from protocols.rules.points import best_move_hits, points_of
from protocols.rules.regulation import FEDERATION
from protocols.rules.state import GameState
from protocols.rules.terms import Moment, Phase, Result

from .expected import CHECKS, FOURTH_FOUL, FULL_BLACK_WIN, GAMES, RAISE_ALL, Expected

FOLDER = Path(__file__).resolve().parent.parent / "data" / "games"


def log_of(name: str) -> GameLog:
    """The game of that file."""
    log = formats.read((FOLDER / f"{name}.json").read_bytes())
    assert isinstance(log, GameLog)
    return log


PLAYED: dict[str, Played] = {name: played(log_of(name), FEDERATION) for name in GAMES}
STATES: dict[str, GameState] = {name: replay(game.entries, FEDERATION) for name, game in PLAYED.items()}

every_game = pytest.mark.parametrize(("name", "game"), GAMES.items(), ids=GAMES)


def _seats(text: str) -> tuple[int, ...]:
    return tuple(int(seat) for seat in text.split())


@every_game
def test_the_record_stands_whole_and_may_be_signed(name: str, game: Expected) -> None:
    assert STATES[name].set_aside == []
    assert problems(STATES[name]) == []


@every_game
def test_entries_are_numbered_in_playing_order(name: str, game: Expected) -> None:
    entries = PLAYED[name].entries
    assert [entry.revision for entry in entries] == list(range(1, len(entries) + 1))
    assert [entry.moment.key for entry in entries] == sorted(entry.moment.key for entry in entries)


@every_game
def test_nicknames_and_roles_stand_at_their_seats(name: str, game: Expected) -> None:
    assert log_of(name).nicknames == tuple(game.nicknames.split())
    seats = STATES[name].seats.values()
    assert [seat.role.letter if seat.role else "" for seat in seats] == game.roles.split()


@every_game
def test_who_left_when_and_how(name: str, game: Expected) -> None:
    exits = {}
    for seat, player in STATES[name].seats.items():
        if player.left:
            part = "night" if player.left.moment.is_night else "day"
            exits[seat] = f"{player.left.how} {part} {player.left.moment.day}"
    assert exits == game.exits


@every_game
def test_nominations_follow_the_order_of_speeches(name: str, game: Expected) -> None:
    days = STATES[name].days
    written = {n: " ".join(f"{by}>{target}" for by, target in day.nominations) for n, day in days.items()}
    assert {n: text for n, text in written.items() if text} == game.nominations
    assert {n: day.opener for n, day in days.items()} == game.openers


@every_game
def test_every_ballot_has_its_voters(name: str, game: Expected) -> None:
    ballots = {}
    for n, day in STATES[name].days.items():
        for number, ballot in enumerate(day.ballots):
            ballots[(n, number)] = {seat: tally.voters for seat, tally in ballot.tallies.items()}
            assert {seat: tally.count for seat, tally in ballot.tallies.items()} == {
                seat: len(tally.voters or ()) for seat, tally in ballot.tallies.items()
            }
    expected = {where: {seat: _seats(text) for seat, text in each.items()} for where, each in game.ballots.items()}
    assert ballots == expected
    assert {where: list(each) for where, each in ballots.items()} == {w: list(each) for w, each in expected.items()}


@every_game
def test_a_raise_all_count_is_unknown_and_its_outcome_known(name: str, game: Expected) -> None:
    asked = {n: day.raise_all for n, day in STATES[name].days.items() if day.raise_all}
    assert {n: (answer.count, answer.raised) for n, answer in asked.items()} == {
        n: (None, raised) for n, raised in game.raised.items()
    }


@every_game
def test_shots_stand_with_their_shooters(name: str, game: Expected) -> None:
    nights = STATES[name].nights
    shots = {n: " ".join(f"{by}>{seat}" for by, seat in night.shot.shots) for n, night in nights.items() if night.shot}
    assert shots == game.shots
    assert {n: (night.don_check, night.sheriff_check) for n, night in nights.items()} == game.checks


@every_game
def test_the_best_move_is_that_of_the_file_or_none(name: str, game: Expected) -> None:
    move = STATES[name].best_move
    assert (move.seats if move else None) == game.best_move
    assert best_move_hits(STATES[name]) == game.hits


def _where(state: GameState, moment: Moment) -> str:
    day = state.days[moment.day]
    if moment.phase == Phase.SPEECHES:
        return f"{moment.day} speech of {day.speeches[moment.step]}"
    if moment.phase == Phase.PRE_REVOTE:
        return f"{moment.day} before revote {moment.ballot}, words of {day.pre_revote[(moment.ballot, moment.step)]}"
    if moment.phase == Phase.VICTIM_WORDS:
        return f"{moment.day} last words of {state.nights[moment.day - 1].victim}"
    if moment.phase == Phase.LAST_WORDS:
        return f"{moment.day} last words of {day.last_words[moment.step - 1]}"
    assert moment.phase == Phase.BALLOT
    nominees = [target for _, target in day.nominations]
    return f"{moment.day} ballot {moment.ballot}" + (f" on {nominees[moment.step - 1]}" if moment.step else "")


@every_game
def test_a_foul_stands_at_its_moment_its_clause_unknown(name: str, game: Expected) -> None:
    state = STATES[name]
    fouls = {seat: player.fouls for seat, player in state.seats.items() if player.fouls}
    assert {seat: [_where(state, foul.moment) for foul in given] for seat, given in fouls.items()} == game.fouls
    assert {foul.clause for given in fouls.values() for foul in given} == {""}


@every_game
def test_the_winner_follows_and_is_the_one_declared(name: str, game: Expected) -> None:
    end = outcome(STATES[name])
    assert end is not None
    reason = {"black": "blacks_not_fewer", "red": "no_black_left"}[game.winner]
    assert (end.result, end.reason, end.clause) == (Result(game.winner), reason, "A 4.6.1")
    assert log_of(name).winner == end.result


@every_game
def test_the_points_are_the_federations(name: str, game: Expected) -> None:
    table = points_of(STATES[name])
    assert table is not None
    assert {seat: points.total for seat, points in table.items() if points.total} == {
        seat: Decimal(points) for seat, points in game.points.items()
    }


@every_game
def test_a_vote_that_was_not_held_says_whose_removal_voids_it(name: str, game: Expected) -> None:
    cancelled = {n: day.cancelled for n, day in STATES[name].days.items() if day.cancelled}
    assert {n: why.seat for n, why in cancelled.items()} == game.no_vote
    assert {why.clause for why in cancelled.values()} == ({"A 7.1"} if game.no_vote else set())


@every_game
def test_three_fouls_at_three_or_four_players_leave_thirty_seconds(name: str, game: Expected) -> None:
    assert {n: day.short for n, day in STATES[name].days.items() if day.short} == game.short
    assert [day.silent for day in STATES[name].days.values() if day.silent] == []


@every_game
def test_no_winner_is_written_where_it_follows(name: str, game: Expected) -> None:
    assert [entry for entry in PLAYED[name].entries if isinstance(entry, e.GameOver)] == []


@pytest.mark.parametrize(("game", "fouls"), [(FULL_BLACK_WIN, 12), (RAISE_ALL, 3), (FOURTH_FOUL, 10), (CHECKS, 10)])
def test_every_foul_of_the_file_is_written(game: Expected, fouls: int) -> None:
    assert sum(len(given) for given in game.fouls.values()) == fouls


def test_what_a_record_cant_hold_is_kept_as_it_was() -> None:
    assert PLAYED["don-and-sheriff-checks"].facts == {
        "id": 4,
        "clubId": 1,
        "eventId": 1,
        "startTime": 1284784660,
        "endTime": 1284786870,
        "language": "ru",
        "rules": "0000100101000",
        "features": "agsdutchvnwr",
        "moderator": {"id": 100},
        "players": {
            "1": {"id": 1, "arranged": 1},
            "2": {"id": 2},
            "3": {"id": 3},
            "4": {"id": 4, "arranged": 2},
            "5": {"id": 5, "arranged": 3},
            "6": {"id": 6},
            "7": {"id": 7},
            "8": {"id": 8},
            "9": {"id": 9},
            "10": {"id": 10},
        },
    }
    assert PLAYED["full-black-win"].facts["players"]["8"] == {"id": 18, "bonus": "bestMove"}
