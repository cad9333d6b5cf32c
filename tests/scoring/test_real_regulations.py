"""Regulations of real tournaments, written in the form and played by; every total is reckoned by hand."""

from fractions import Fraction

import pytest
from django.test import Client

from protocols.models import Stage, Tournament
from protocols.rules.points import thousandths
from protocols.rules.regulation import EDITION_A, FEDERATION
from protocols.services.prepare import set_stage
from scoring.selectors import standings_of
from tests.protocols.typing_regulations import type_regulation

from .lines import PLAYERS
from .tournaments import PASSWORD, played, signed, stage_of, tournament

pytestmark = pytest.mark.django_db

Row = tuple[int | None, str, Fraction]


def table(made: Tournament) -> list[Row]:
    """Place, nickname and exact rating, in points, of every row."""
    found = standings_of(Tournament.objects.get(pk=made.pk))
    return [
        (place.number, found.nicknames[place.player_id], Fraction(place.rating.total) / 1_000_000)
        for place in found.table.places
    ]


def test_the_student_championship() -> None:
    made = tournament("A")
    type_regulation(
        made,
        EDITION_A,
        name="Студенческий чемпионат",
        extra_by="range", extra_step="0,25", extra_least="0", extra_most="0,75", extra_players="", extra_sum="",
        best_move_red_3="0,5", best_move_red_2="", best_move_sheriff_3="0,5", best_move_sheriff_2="",
        tie_1="extra", tie_2="wins", tie_3="don_sheriff_wins", tie_4="first_victim", tie_5="qualifying",
    )  # fmt: skip
    stage = stage_of(made)
    signed(stage, "red", extra={2: "0.75", 3: "0.25"}, shot=4, hits=3)
    signed(stage, "black", extra={8: "0.5"})
    client = Client()
    assert client.login(username="organizer", password=PASSWORD)
    sent = client.post("/t/cup/qualifying/", {"ratings": "Ёлка 12,5\nДельта\t10\nКаштан 100"})
    assert sent.status_code == 302
    assert table(made) == [
        (1, "Зенит", Fraction("4.5")),
        (2, "Каштан", Fraction(4)),  # a win as the don
        (3, "Ирис", Fraction(4)),
        (4, "Барс", Fraction("3.75")),
        (5, "Гранит", Fraction("3.5")),
        (6, "Вихрь", Fraction("3.25")),
        (7, "Астра", Fraction(3)),  # a win as the sheriff
        (8, "Ёлка", Fraction(3)),  # a qualifying rating of 12.5
        (9, "Дельта", Fraction(3)),  # of 10
        (10, "Жасмин", Fraction(3)),  # none
    ]
    decided = [place.decision.key if place.decision else None for place in standings_of(made).table.places]
    assert decided[-4:] == ["don_sheriff_wins", "qualifying", "qualifying", None]


@pytest.mark.parametrize("points", ["0.3", "1", "-0.25"])
def test_at_the_student_championship_extra_points_go_by_quarters_up_to_three(points: str) -> None:
    made = tournament("A")
    type_regulation(
        made, EDITION_A, extra_by="range", extra_step="0,25", extra_least="0", extra_most="0,75", extra_players=""
    )
    with pytest.raises(AssertionError, match="extra_range"):
        played(stage_of(made), "red", extra={2: points})


def test_the_world_cup_of_2019() -> None:
    made = tournament("A")
    type_regulation(
        made,
        EDITION_A,
        name="Кубок мира 2019",
        win_red="4", win_black="4", win_sheriff="4,5", win_don="4,5", loss="1", loss_sheriff="0,5", loss_don="0,5",
        warning="-2", reckoning="average",
    )  # fmt: skip
    first, second, final = stage_of(made, "Первая"), stage_of(made, "Вторая", "1.25"), stage_of(made, "Финал", "1.5")
    signed(first, "red", warned=[2])
    signed(second, "black", extra={1: "0.5"})
    others = [*PLAYERS[:7], "Лотос", *PLAYERS[8:]]
    signed(final, "red", nicknames=others)
    reds = [(2, nickname, Fraction("3.75")) for nickname in PLAYERS[2:7]]  # (4 + 1.25 + 6) / 3
    assert table(made) == [
        (1, "Астра", Fraction("12.5") / 3),  # the sheriff: 4.5 + (0.5 + 0.5)·1.25 + 4.5·1.5
        *reds,
        (7, "Барс", Fraction("9.25") / 3),  # 4 + 1.25 + 6, and a yellow card
        (8, "Зенит", Fraction(3)),  # two games: 1 + 4·1.25
        (9, "Ирис", Fraction("2.5")),  # 1 + 5 + 1.5
        (10, "Каштан", Fraction("6.875") / 3),  # the don: 0.5 + 4.5·1.25 + 0.5·1.5
        (11, "Лотос", Fraction("1.5")),  # the final alone
    ]


def test_the_federation_compensates_those_shot_first_stage_by_stage() -> None:
    made = tournament("F")
    type_regulation(made, FEDERATION, name="ФИИМ")
    first, second = stage_of(made, "Отборочная"), stage_of(made, "Полуфинал")
    signed(first, "black", shot=2, hits=2)
    signed(first, "red", shot=2, hits=3)
    signed(first, "red", removed=[3])
    signed(first, "red")
    signed(first, "black", shot=4, hits=0)
    signed(second, "black", shot=5, hits=1)
    assert table(made) == [
        (1, "Барс", Fraction("4.05")),  # 3 wins, 0.25 + 0.4, and min(0.4; 0.4·2/2)
        (2, "Дельта", Fraction("3.4")),  # one game in the stage: 0.4·1/1
        (3, "Гранит", Fraction("3.2")),  # 0.4·1/2
        *[(4, nickname, Fraction(3)) for nickname in ("Астра", "Каштан")],  # each three times as sheriff or don
        *[(6, nickname, Fraction(3)) for nickname in ("Ёлка", "Жасмин", "Зенит", "Ирис")],
        (10, "Вихрь", Fraction("2.5")),  # removed once
    ]
    for stage in Stage.objects.filter(tournament=made):
        set_stage(stage, name=stage.name, multiplier=stage.multiplier, is_final=False, group="отбор")
    assert table(made)[:3] == [
        (1, "Барс", Fraction("4.05")),  # six games: 0.4·2/2
        (2, "Гранит", Fraction("3.2")),
        (2, "Дельта", Fraction("3.2")),  # 0.4·1/2
    ]


def test_a_stage_may_have_a_regulation_of_its_own() -> None:
    made = tournament("A")
    first, final = stage_of(made, "Отборочная"), stage_of(made, "Финал", "2")
    type_regulation(made, EDITION_A, win_red="5", stage=str(final.number))
    final.refresh_from_db()
    signed(first, "red")
    game = signed(final, "red")
    assert (thousandths(game.rules.win_red), thousandths(made.rules.win_red)) == (5000, 3000)
    assert table(made)[0] == (1, "Астра", Fraction(13))
