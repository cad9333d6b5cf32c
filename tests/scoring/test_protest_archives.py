"""Protests, votes, decisions and corrections asked for go along in a tournament's archive."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from protocols.models import (
    CorrectionRequest,
    DecisionKind,
    FiledHow,
    MemberRole,
    Player,
    Protest,
    ProtestDecision,
    ProtestVote,
    Tournament,
)
from protocols.services.decisions import Ruling, announce, decide, vote
from protocols.services.errors import Invalid
from protocols.services.prepare import appoint
from protocols.services.protests import Words, answer_correction, ask_correction, file_protest
from scoring.archives import archive_of, rebuild
from scoring.protest_archives import protests_told, write_protests
from tests.exchange.records import empty_site

from .lines import PLAYERS
from .tournaments import PASSWORD, person, signed, stage_of, tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(db: None) -> Tournament:
    """Three protests: one that changed a result, one that waits to be announced, one that waits for its decision."""
    made = tournament()
    stage = stage_of(made)
    head, judge = (User.objects.get(username=name) for name in ("head", "judge"))
    appoint(made, person("member", "Комиссарова"), MemberRole.COMMISSION)
    games = [signed(stage, "red"), signed(stage, "black")]
    words = Words("Клятвы не было\nи судья это слышал", "A 6.8.1", ["https://video.example/1"])
    first = file_protest(games[0], words, seat=8, how=FiledHow.CODE)
    vote(first, "result_changed", "Согласна", by=User.objects.get(username="member"))
    black = Ruling(DecisionKind.RESULT_CHANGED, "A 6.8.1", "Слышно на видео", result="black")
    announce(decide(first, black, revision=games[0].revision, by=head), by=head, password=PASSWORD)
    file_protest(games[0], Words("И я против"), seat=3, how=FiledHow.JUDGE, by=judge)
    third = file_protest(games[1], Words("Против"), seat=1, how=FiledHow.CODE)
    decide(third, Ruling(DecisionKind.REPLAY, "A 8.7.2", "Не тот номер"), revision=games[1].revision, by=head)
    asked = ask_correction(games[1], "Фол дан не тому", by=judge)
    answer_correction(asked, "Фол тот", by=head)
    ask_correction(games[1], "Посмотрите ещё раз", by=judge)
    return made


def test_protests_are_rebuilt_as_they_were(cup: Tournament) -> None:
    raw, told = archive_of(cup), protests_told(cup)
    models = (Protest, ProtestVote, ProtestDecision, CorrectionRequest)
    assert [model.objects.count() for model in models] == [3, 1, 2, 2]
    empty_site()
    made = rebuild(raw).tournament
    assert (protests_told(made), archive_of(made)) == (told, raw)
    assert rebuild(raw).was_known is True


def test_a_tournament_without_protests_says_nothing_of_them(db: None) -> None:
    assert protests_told(tournament()) == {}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"game": "00000000-0000-0000-0000-000000000000"}, "Протест архива — на игру, которой в нём нет."),
        ({"player": "Никто"}, "Такой протест из архива подать было нельзя."),
        ({"links": ["javascript:alert(1)"]}, "Такой протест из архива подать было нельзя."),
        ({"decision": {"sheet": 7, "announced": None}}, "Решение архива называет бланк, которого в нём нет."),
    ],
)
def test_what_no_site_could_have_written_is_refused(cup: Tournament, fields: dict[str, Any], said: str) -> None:
    told = protests_told(cup)
    players = {each.nickname_key: each for each in Player.objects.all()}
    another = {"uuid": str(uuid4()), "number": 9, "seat": 5, "player": PLAYERS[4], **fields}
    empty = {"protests": [{**told["protests"][0], **another}]}
    with pytest.raises(Invalid) as raised:
        write_protests(cup, empty, players)
    assert raised.value.messages == [said]
