"""Cuts taken and kept: what stands against one, who is first of two, and what a later correction does to it (§7)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import TestCase
from pytest_django import DjangoAssertNumQueries

from protocols.models import Game, RegulationVersion, Stage, Tournament
from protocols.models.written_once import WrittenOnceError
from protocols.rules.regulation import EDITION_A
from protocols.rules.regulation_data import to_data
from protocols.services.errors import Invalid
from protocols.services.prepare import set_stage
from protocols.services.sign import reopen, seal
from scoring.cut_models import Cut, CutNotice, CutPlace, CutSize
from scoring.cut_selectors import StageCut, cuts_of
from scoring.cut_services import draw_cut_lot, obstacle, set_cut_size, take_cut, withdraw_cut
from scoring.models import Lot
from scoring.services import NoLotDue

from .lines import PLAYERS
from .tournaments import played, player, prepared, signed, stage_of, tournament

pytestmark = pytest.mark.django_db
REDS, BLACKS = list(PLAYERS[:7]), list(PLAYERS[7:])
EVERYBODY = {seat: f"{seat / 20:.2f}" for seat in range(1, 11)}  # different extra points: nobody is tied


def cup(size: int | None = 7, regulation: str = "A") -> tuple[Stage, Stage]:
    """A qualifying stage of one game that the reds won, and a final with a cut."""
    made = tournament(regulation)
    first, final = stage_of(made), stage_of(made, "Финал", "1.5")
    signed(first)
    if size is not None:
        set_cut_size(final, size)
    return first, final


def cut_of(stage: Stage) -> StageCut:
    """The cut into the stage as it is now."""
    found = cuts_of(Tournament.objects.get(pk=stage.tournament_id)).of(stage.number)
    assert found is not None
    return found


def organizer() -> User:
    """The organizer."""
    return User.objects.get(username="organizer")


def take(stage: Stage, *, confirmed: bool = False) -> Cut:
    """The cut, taken as it is seen now."""
    return take_cut(stage, seen=cut_of(stage).fingerprint, confirmed=confirmed, by=organizer())


def names(cut: Cut) -> list[str]:
    """Who passed."""
    return list(CutPlace.objects.filter(cut=cut).order_by("place", "pk").values_list("nickname", flat=True))


def refused(act: Callable[[], object]) -> str:
    """What the refusal says."""
    with pytest.raises(Invalid) as caught, transaction.atomic():
        act()
    return str(caught.value)


def test_a_cut_keeps_who_passed_with_place_rating_and_who_took_it() -> None:
    _first, final = cup()
    cut = take(final)
    assert (cut.size, cut.taken_by.username, cut.unsigned, cut.protests) == (7, "organizer", 0, 0)
    rows = CutPlace.objects.filter(cut=cut).order_by("place", "pk").values_list("place", "nickname", "rating")
    assert next(iter(rows)) == (1, "Астра", "3000000")
    assert sorted(names(cut)) == sorted(REDS)
    assert len(cut.fingerprint) == 64


def test_the_cut_counts_only_the_games_before_it_under_their_multipliers() -> None:
    made = tournament()
    first, second, final = stage_of(made), stage_of(made, "Второй круг", "2"), stage_of(made, "Финал", "1.5")
    signed(first, "red")  # reds 3
    signed(second, "black")  # blacks 4 × 2
    signed(final, "red", extra={1: "1", 2: "1"})  # counts for no cut
    set_cut_size(final, 3)
    cut = take(final)
    assert sorted(names(cut)) == sorted(BLACKS)
    assert CutPlace.objects.filter(cut=cut).first().rating == "8000000"  # type: ignore[union-attr]
    signed(final, "red")
    assert not cut_of(final).change


def test_who_did_not_come_into_the_semi_final_cannot_come_into_the_final() -> None:
    made = tournament("F")
    first, semi, final = stage_of(made), stage_of(made, "Полуфинал"), stage_of(made, "Финал")
    signed(first, extra=EVERYBODY)
    set_cut_size(semi, 5)
    set_cut_size(final, 2)
    assert "Полуфинал" in refused(lambda: take(final))
    cut = take(semi)
    assert names(cut) == ["Жасмин", "Ёлка", "Дельта", "Гранит", "Вихрь"]
    # the semi-final: Вихрь fell ill, Каштан came in for her, and those who passed lost it with minus
    others = [f"Сосед {number}" for number in range(5)]
    semi_final = ["Жасмин", "Ёлка", "Дельта", "Гранит", *others, "Каштан"]
    signed(semi, "black", nicknames=semi_final, extra={1: "-1", 2: "-1", 3: "-1", 4: "-1"})
    found = cut_of(final)
    among = {CutPlace.objects.get(cut=cut, nickname="Вихрь").player_id}
    assert {place.player_id for place in found.table.places} == among | {player(name).pk for name in semi_final}
    assert player("Барс").pk not in {place.player_id for place in found.table.places}  # 1.10 is more than Жасмин has


@pytest.mark.parametrize(
    ("size", "words"),
    [(8, "жребий"), (11, "10 игроков"), (1000, "10 игроков"), (None, "сколько")],
)
def test_a_cut_that_cannot_be_is_refused_in_words(size: int | None, words: str) -> None:
    _first, final = cup(size)
    assert words in refused(lambda: take(final))
    assert Cut.objects.count() == 0


def test_a_cut_before_any_game_is_signed_is_refused() -> None:
    made = tournament()
    stage_of(made)
    final = stage_of(made, "Финал")
    set_cut_size(final, 10)
    assert refused(lambda: take(final)) == "До этой стадии не подписана ни одна игра."


@pytest.mark.parametrize("size", [0, -1, 1001])
def test_a_size_that_makes_no_sense_is_refused(size: int) -> None:
    _first, final = cup(None)
    assert refused(lambda: set_cut_size(final, size)) == "Проходить могут от 1 до 1000 игроков."
    assert CutSize.objects.count() == 0


def test_the_first_stage_has_no_cut() -> None:
    first, _final = cup()
    assert "нет стадии" in refused(lambda: set_cut_size(first, 5))
    assert "нет стадии" in refused(lambda: take_cut(first, seen="", confirmed=True, by=organizer()))


def test_a_cut_is_taken_once_and_its_size_stays() -> None:
    _first, final = cup()
    seen = cut_of(final).fingerprint
    take(final)
    assert refused(lambda: take_cut(final, seen=seen, confirmed=True, by=organizer())) == "Отсечка уже взята."
    assert "Отсечка уже взята" in refused(lambda: set_cut_size(final, 5))
    assert "Отсечка уже взята" in refused(lambda: set_cut_size(final, None))
    assert Cut.objects.count() == 1


def test_a_cut_is_not_taken_by_results_that_the_organizer_has_not_seen() -> None:
    first, final = cup()
    seen = cut_of(final).fingerprint
    signed(first, "red")
    assert "изменились" in refused(lambda: take_cut(final, seen=seen, confirmed=True, by=organizer()))


def test_what_is_open_before_the_cut_has_to_be_confirmed() -> None:
    first, final = cup()
    prepared(first)
    Game.objects.filter(stage=first, status="signed").update(protest="Считаем, что голос был до времени")
    prepared(final)  # not before the cut
    found = cut_of(final)
    assert ([game.is_signed for game in found.open], found.unsigned, found.protests) == ([True, False], 1, 1)
    assert "Подтвердите" in refused(lambda: take(final))
    cut = take(final, confirmed=True)
    assert (cut.unsigned, cut.protests) == (1, 1)


@pytest.mark.parametrize("how", ["annulled", "replay"])
def test_a_protest_that_ended_in_an_annulment_is_decided(how: str) -> None:
    first, final = cup()
    game = signed(first, how)
    Game.objects.filter(pk=game.pk).update(protest="Протест")
    assert cut_of(final).open == ()


def test_whoever_is_removed_from_the_tournament_does_not_come_in() -> None:
    made = tournament("F")
    first, final = stage_of(made), stage_of(made, "Финал")
    signed(first, extra=EVERYBODY, expelled=(7,))
    set_cut_size(final, 3)
    assert names(take(final)) == ["Ёлка", "Дельта", "Гранит"]


# --- the lot at the line


def tied_at(stage: Stage) -> list[int]:
    """Who waits for the lot at the line."""
    found = cut_of(stage).passing
    return sorted(found.tied_players) if found is not None else []


def test_a_lot_at_the_line_lets_the_cut_be_taken() -> None:
    _first, final = cup(8)
    tied = tied_at(final)
    assert [player(name).pk for name in BLACKS] == tied
    head = User.objects.get(username="head")
    lot = draw_cut_lot(final, tied, by=head)
    order = list(lot.places.order_by("position").values_list("player__nickname", flat=True))
    assert (lot.first_place, lot.drawn_by, sorted(order)) == (8, head, sorted(BLACKS))
    assert names(take(final))[7:] == order[:1]


@pytest.mark.parametrize("size", [7, None])
def test_no_lot_is_drawn_where_the_line_is_clear(size: int | None) -> None:
    _first, final = cup(size)  # 8–10 are equal, all below the line
    with pytest.raises(NoLotDue):
        draw_cut_lot(final, [player(name).pk for name in BLACKS], by=organizer())
    with pytest.raises(NoLotDue):
        draw_cut_lot(final, [], by=organizer())
    assert Lot.objects.count() == 0


def test_a_lot_at_the_line_is_drawn_once_and_among_exactly_the_tied() -> None:
    _first, final = cup(8)
    tied = tied_at(final)
    for wrong in ([], tied[:2], [*tied, player("Астра").pk]):
        with pytest.raises(NoLotDue):
            draw_cut_lot(final, wrong, by=organizer())
    draw_cut_lot(final, tied, by=organizer())
    with pytest.raises(NoLotDue):
        draw_cut_lot(final, tied, by=organizer())
    assert Lot.objects.count() == 1


def test_a_regulation_without_a_lot_has_one_at_the_line() -> None:
    first, final = cup(8)
    numbers = to_data(EDITION_A) | {"tie_keys": ["extra", "wins"]}
    version = RegulationVersion.objects.create(
        tournament=first.tournament, number=1, name="Без жребия", code="A", numbers=numbers, author=organizer(),
        created_at=first.tournament.created_at,
    )  # fmt: skip
    Tournament.objects.filter(pk=first.tournament_id).update(regulation_version=version)
    final = Stage.objects.get(pk=final.pk)
    tied = tied_at(final)
    draw_cut_lot(final, tied, by=organizer())
    assert obstacle(cut_of(final)) == ""


# --- afterwards


def test_a_later_correction_is_told_logged_and_reseats_nobody() -> None:
    made = tournament("F")
    first, final = stage_of(made), stage_of(made, "Финал")
    signed(first, extra=EVERYBODY)
    set_cut_size(final, 3)
    cut = take(final)
    passed = names(cut)
    assert passed == ["Жасмин", "Ёлка", "Дельта"]
    with TestCase.captureOnCommitCallbacks(execute=True):
        signed(first, "black", extra={2: "0.5", 3: "0.5"}, nicknames=list(reversed(PLAYERS)))
    change = cut_of(final).change
    found = cuts_of(made)
    notice = CutNotice.objects.get()
    assert (notice.comes, notice.goes, notice.tied) == (
        found.names(change.comes), found.names(change.goes), found.names(change.tied),
    )  # fmt: skip
    assert (bool(notice.comes), bool(notice.goes)) == (True, True)
    assert names(cut) == passed


@pytest.mark.django_db(transaction=True)
def test_the_log_has_one_line_for_one_change_and_one_for_its_return() -> None:
    made = tournament("F")
    first, final = stage_of(made), stage_of(made, "Финал")
    signed(first, extra=EVERYBODY)
    second = signed(first, "black", extra={1: "0.1"})
    set_cut_size(final, 3)
    take(final)
    head = User.objects.get(username="head")
    reopen(Game.objects.get(pk=second.pk), by=head, reason="ошибка")
    set_stage(first, name="Отбор", multiplier=Decimal(1), is_final=False)  # changes nothing
    again = Game.objects.get(pk=second.pk)
    seal(again, revision=again.revision, by=User.objects.get(username="judge"))
    lines = list(CutNotice.objects.order_by("pk").values_list("comes", "goes", "tied"))
    assert len(lines) == 2
    assert lines[1] == ([], [], [])
    assert lines[0][:2] != ([], [])


@pytest.mark.django_db(transaction=True)
def test_the_log_does_not_say_that_all_agrees_while_a_game_before_the_cut_is_open_again() -> None:
    made = tournament("F")
    first, final = stage_of(made), stage_of(made, "Финал")
    signed(first, extra=EVERYBODY)
    set_cut_size(final, 3)
    take(final)
    late = signed(first, "black", extra={9: "1"})
    reopen(Game.objects.get(pk=late.pk), by=User.objects.get(username="head"), reason="ошибка")
    assert [bool(notice.comes) for notice in CutNotice.objects.order_by("pk")] == [True]


def test_changes_that_stand_together_are_looked_at_once() -> None:
    made = tournament()
    with TestCase.captureOnCommitCallbacks() as later, transaction.atomic():
        for _ in range(3):
            made.save()
    assert len(later) == 1


def test_another_multiplier_changes_the_fingerprint_but_not_who_passed() -> None:
    first, final = cup()
    cut = take(final)
    set_stage(first, name="Отбор", multiplier=Decimal("2"), is_final=False)
    found = cut_of(final)
    assert (found.fingerprint != cut.fingerprint, found.change) == (True, found.change.__class__())


def test_a_cut_is_never_rewritten() -> None:
    _first, final = cup()
    cut = take(final)
    with pytest.raises(WrittenOnceError):
        CutPlace.objects.filter(cut=cut).update(place=1)
    with pytest.raises(WrittenOnceError):
        Cut.objects.filter(pk=cut.pk).update(size=3)


def test_a_cut_is_taken_back_before_the_stage_begins_and_stays_on_record() -> None:
    _first, final = cup()
    cut = take(final)
    assert refused(lambda: withdraw_cut(final, reason=" ", by=organizer())) == "Напишите, почему отсечка отменяется."
    withdraw_cut(final, reason="взята до протеста", by=organizer())
    set_cut_size(final, 3)
    assert refused(lambda: withdraw_cut(final, reason="ещё раз", by=organizer())) == "Отсечка в эту стадию не взята."
    assert (Cut.objects.count(), len(names(cut))) == (1, 7)


def test_a_cut_stays_once_the_stage_has_begun_or_a_later_cut_builds_on_it() -> None:
    made = tournament()
    first, semi, final = stage_of(made), stage_of(made, "Полуфинал"), stage_of(made, "Финал")
    signed(first)
    set_cut_size(semi, 7)
    set_cut_size(final, 7)
    take(semi)
    take(final)
    assert "более поздней" in refused(lambda: withdraw_cut(semi, reason="надо", by=organizer()))
    played(final)
    assert refused(lambda: withdraw_cut(final, reason="надо", by=organizer())) == (
        "Стадия началась: её отсечку уже не отменить."
    )


@pytest.mark.parametrize("stages", [1, 3])
def test_the_cuts_cost_eight_queries(stages: int, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    made = tournament()
    first = stage_of(made)
    signed(first)
    for number in range(stages):
        stage = stage_of(made, f"Круг {number}")
        set_cut_size(stage, 7)
        take(stage)
        signed(stage)
    made = Tournament.objects.get(pk=made.pk)
    with django_assert_num_queries(8):
        assert len(cuts_of(made).stages) == stages
