"""Who takes part, the rounds and what is hidden go along in a tournament's archive."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User

from protocols.models import (
    Conflict,
    Hiding,
    KeptApart,
    MemberRole,
    Participant,
    Player,
    Round,
    Tournament,
    nickname_key,
)
from protocols.services import seating_people, seating_rounds
from protocols.services.errors import Invalid
from protocols.services.hiding import announce, hide
from protocols.services.prepare import appoint
from scoring.archives import archive_of, rebuild
from scoring.course_archives import course_told, write_course
from tests.exchange.records import empty_site

from .lines import PLAYERS
from .tournaments import person, player, signed, stage_of, tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(db: None) -> Tournament:
    """Eleven take part, one has withdrawn; two are kept apart; two rounds, one cancelled; extra points are hidden."""
    made = tournament()
    stage = stage_of(made)
    signed(stage, "red")
    seating_people.register(made, [*PLAYERS, "Опоздавший"], confirm_new=True)
    seating_people.withdraw(made.participants.get(player__nickname_key=nickname_key("Опоздавший")))
    seating_people.draw_numbers(made, seed=1)
    seating_people.keep_apart(made, player(PLAYERS[4]), player(PLAYERS[1]), 2)
    seating_people.note_conflict(made, User.objects.get(username="judge"), player(PLAYERS[2]))
    made.time_zone = "Asia/Omsk"
    made.save()
    head = User.objects.get(username="head")
    first, second = (Round.objects.create(stage=stage, number=number, tables=1) for number in (1, 2))
    seating_rounds.start_round(first, datetime(2026, 10, 10, 9, tzinfo=UTC))
    seating_rounds.cancel_round(second, reason="Нет стола", by=head)
    seating_rounds.open_seating(stage, is_public=True)
    hide(made, what="table", stage=stage, number=2, by=head)
    announce(made, by=head)
    hide(made, what="extra", stage=stage, number=2, by=head)
    return Tournament.objects.get(pk=made.pk)


def test_the_course_is_rebuilt_as_it_was(cup: Tournament) -> None:
    raw, told = archive_of(cup), course_told(cup)
    counts = [model.objects.count() for model in (Participant, KeptApart, Conflict, Round, Hiding)]
    assert counts == [11, 1, 1, 2, 3]
    empty_site()
    made = rebuild(raw).tournament
    assert (course_told(made), archive_of(made)) == (told, raw)
    assert rebuild(raw).was_known is True


def test_pairs_and_judges_are_told_in_one_order_whatever_their_keys_are(cup: Tournament) -> None:
    late, early = (Player.objects.create(nickname=name) for name in ("Яков", "Антон"))
    seating_people.register(cup, [late.nickname, early.nickname])
    seating_people.keep_apart(cup, late, early, 1)
    for number, surname in enumerate("ВБАЕДГ"):
        judge = person(f"judge{number}", surname)
        appoint(cup, judge, MemberRole.JUDGE)
        seating_people.note_conflict(cup, judge, early)
    raw = archive_of(cup)
    empty_site()
    assert archive_of(rebuild(raw).tournament) == raw


def test_a_tournament_without_any_of_it_says_nothing_of_it(db: None) -> None:
    made = tournament()
    stage_of(made)
    assert course_told(made) == {}


def changed(told: dict[str, Any], name: str, index: int, **fields: Any) -> dict[str, Any]:
    return {**told, name: [{**each, **fields} if n == index else each for n, each in enumerate(told[name])]}


TWICE = "Участники не все есть в архиве, или кто-то из них назван дважды."
ONE = "Пара, которую разводят, названа дважды, или это один игрок."
STAGE = "Тур относится к стадии, которой нет в архиве, или назван дважды."


@pytest.mark.parametrize(
    ("name", "index", "fields", "why"),
    [
        ("participants", 0, {"player": "Никто"}, TWICE),
        ("participants", 0, {"player": PLAYERS[1]}, TWICE),
        ("conflicts", 0, {"player": "Никто"}, TWICE),
        ("apart", 0, {"players": [PLAYERS[0], PLAYERS[0]]}, ONE),
        ("rounds", 0, {"stage": 7}, STAGE),
        ("rounds", 0, {"number": 2}, STAGE),
        ("hidings", 0, {"what": "nothing"}, "Архив не говорит, с какого тура что-то скрыто."),
    ],
)  # fmt: skip
def test_what_contradicts_itself_is_named_and_nothing_written(
    cup: Tournament, name: str, index: int, fields: dict[str, Any], why: str
) -> None:
    told = changed(course_told(cup), name, index, **fields)
    other = tournament_beside(cup)
    players = {each.nickname_key: each for each in Player.objects.all()}
    with pytest.raises(Invalid) as error:
        write_course(other, told, {1: stage_of(other)}, players)
    assert error.value.messages == [why]
    assert Participant.objects.filter(tournament=other).count() == 0


def test_a_time_zone_that_there_is_not_is_named(cup: Tournament) -> None:
    other = tournament_beside(cup)
    with pytest.raises(Invalid) as error:
        write_course(other, {"time_zone": "Луна/Море"}, {1: stage_of(other)}, {})
    assert error.value.messages == ["Часового пояса «Луна/Море» нет."]


def tournament_beside(cup: Tournament) -> Tournament:
    """Another tournament."""
    cup.pk, cup.slug = None, "other"
    cup.save(force_insert=True)
    return cup
