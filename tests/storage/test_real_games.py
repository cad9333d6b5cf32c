"""Real games written entry by entry: what each answer says is what the whole record says when read again."""

from pathlib import Path
from random import Random
from uuid import uuid4

import pytest

from protocols.exchange import formats
from protocols.exchange.mafiaratings import GameLog
from protocols.exchange.playback import played
from protocols.models import Game, RegulationCode, Tournament
from protocols.rules import entries as e
from protocols.rules.regulation import FEDERATION
from protocols.rules.terms import AFTER
from protocols.selectors import record_of, sheet_from
from protocols.services.prepare import seat_players
from protocols.services.record import record, record_batch
from protocols.services.sign import problems_of, seal
from protocols.services.verify import differences

from .conftest import Cast
from .play import foul, written

GAMES = sorted((Path(__file__).resolve().parents[1] / "data" / "games").glob("*.json"))


def log_of(path: Path) -> GameLog:
    """The file as its reader gives it."""
    log = formats.read(path.read_bytes())
    assert isinstance(log, GameLog)
    return log


@pytest.fixture
def federal(game: Game) -> Game:
    """A game under the Federation's rules, as the files' games were played."""
    Tournament.objects.filter(pk=game.tournament_id).update(regulation=RegulationCode.FEDERATION)
    return Game.objects.select_related("tournament", "stage").get(pk=game.pk)


def test_there_are_four_games() -> None:
    assert len(GAMES) == 4


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_each_answer_agrees_with_the_record_read_again(federal: Game, cast: Cast, path: Path) -> None:
    log = log_of(path)
    seat_players(federal, log.nicknames, confirm_new=True)
    seen = played(log, FEDERATION)
    for number, value in enumerate(seen.entries):
        (answer,) = written(federal, cast.judge, [value])
        if number % 10 == 0:
            assert answer.state == record_of(federal).state
    found = record_of(federal)
    assert (answer.state, answer.record.values) == (found.state, found.values)
    assert (found.values, found.state) == (seen.entries, seen.state)
    assert problems_of(found) == []
    sheet = seal(federal, revision=found.revision, by=cast.judge).sheet
    assert sheet == sheet_from(found)
    assert differences(federal) == []


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_clauses_added_to_fouls_in_mid_game_agree_too(federal: Game, cast: Cast, path: Path) -> None:
    for value in played(log_of(path), FEDERATION).entries:
        (answer,) = written(federal, cast.judge, [value])
        if isinstance(value, e.Foul):
            assert answer.entry is not None
            (answer,) = written(federal, cast.judge, [e.FoulClause(moment=AFTER, of=answer.entry, clause="6.6.1")])
            assert answer.state == record_of(federal).state
    assert answer.state == record_of(federal).state


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_any_strikes_and_late_entries_agree_too(federal: Game, cast: Cast, path: Path) -> None:
    chance = Random(path.stem)
    entries = played(log_of(path), FEDERATION).entries
    record_batch(entries, game=federal, revision=0, by=cast.judge, uuid=uuid4())
    kinds = set()
    for _ in range(15):
        before = record_of(federal)
        moment = chance.choice(before.values).moment
        value: e.Entry = e.Strike(moment=before.state.moment, of=chance.randint(1, before.revision))
        if chance.random() < 0.5:
            value = e.Foul(moment=moment, seat=chance.randint(1, 10), penalty=foul(1).penalty)
        answer = record(
            value, game=federal, revision=before.revision, by=cast.judge, uuid=uuid4(),
            confirmed=chance.random() < 0.7,
        )  # fmt: skip
        kinds.add((value.kind, answer.kind))
        after = record_of(federal)
        assert (answer.state, answer.record.values) == (after.state, after.values)
        assert after.revision == before.revision + (answer.kind == "written")
        assert differences(Game.objects.get(pk=federal.pk)) == []
    assert {("strike", "written"), ("foul", "written")} <= kinds
