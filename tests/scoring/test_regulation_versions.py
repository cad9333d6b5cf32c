"""A regulation from its first version to the archive: who keeps which, what is frozen, what goes along in files."""

import io
import json
from dataclasses import replace
from decimal import Decimal

import fastjsonschema
import pypdf
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.formats import date_format
from django.utils.timezone import localtime
from pytest_django import DjangoAssertNumQueries

from protocols.access import writable_game
from protocols.exchange.game_file import to_bytes
from protocols.exchange.schema import schema_bytes
from protocols.models import Game, RegulationVersion, SignedSheet, Stage, Status, Tournament
from protocols.models.regulations import _parsed
from protocols.regulation_words import regulation_name
from protocols.rules import entries as e
from protocols.rules.regulation import EDITION_A, EDITION_B, FEDERATION, Regulation
from protocols.rules.regulation_data import from_data, to_data
from protocols.rules.terms import AFTER, Moment, Phase
from protocols.selectors import live_record_of
from protocols.services.errors import Invalid
from protocols.services.game_files import file_of
from protocols.services.importing import Target, import_file
from protocols.services.regulations import (
    Senseless,
    choose_regulation,
    move_game,
    moved,
    moves_of,
    write_regulation,
)
from protocols.services.sign import reopen, seal
from protocols.services.verify import differences
from scoring.archives import archive_of, rebuild
from scoring.selectors import standings_of
from scoring.services import set_qualifying
from scoring.table import rows_of
from tests.exchange.records import empty_site
from tests.protocols.markup import Page
from tests.protocols.typing_regulations import filled, send

from .tournaments import PASSWORD, played, player, prepared, signed, stage_of, tournament, write

pytestmark = pytest.mark.django_db
FIVE = replace(EDITION_A, win_red=Decimal(5))
SIX = replace(EDITION_A, win_red=Decimal(6))


def own(made: Tournament, rules: Regulation, name: str = "Свой", stage: Stage | None = None) -> RegulationVersion:
    """The tournament's, or the stage's, own regulation, by its organizer."""
    return write_regulation(made, rules, name=name, by=User.objects.get(username="organizer"), stage=stage)


def stored(game: Game) -> Game:
    """The game as the database has it."""
    return Game.objects.get(pk=game.pk)


def versions(made: Tournament) -> list[tuple[int, str, bool]]:
    """Every version: number, name, whether it is signed under."""
    found = RegulationVersion.objects.filter(tournament=made).order_by("number")
    return [(version.number, version.name, version.frozen_at is not None) for version in found]


# ---------------------------------------------------------------- as a value


@pytest.mark.parametrize("rules", [EDITION_A, EDITION_B, FEDERATION, FIVE], ids=lambda rules: rules.code)
def test_a_regulation_is_plain_data_and_back(rules: Regulation) -> None:
    data = json.loads(json.dumps(to_data(rules)))
    assert from_data(rules.code, data) == rules
    assert to_data(from_data(rules.code, data)) == data


def test_what_stored_data_does_not_name_is_as_in_the_preset() -> None:
    data = to_data(FEDERATION)
    old = {name: data[name] for name in data if name not in ("reckoning", "warning", "decimals", "win_sheriff")}
    assert from_data("F", old) == FEDERATION


# ---------------------------------------------------------------- versions


def test_a_change_before_any_game_has_begun_is_the_same_version() -> None:
    made = tournament()
    game = prepared(stage_of(made))
    own(made, FIVE)
    own(made, SIX, "Свой, исправленный")
    assert versions(made) == [(1, "Свой, исправленный", False)]
    assert (stored(game).rules, made.rules) == (SIX, SIX)


def test_a_signed_game_freezes_its_version_and_a_change_makes_the_next() -> None:
    made = tournament()
    stage = stage_of(made)
    own(made, FIVE)
    old, waiting = signed(stage), prepared(stage)
    own(made, SIX, "Свой")
    assert versions(made) == [(1, "Свой", True), (2, "Свой", False)]
    assert (stored(old).rules, stored(waiting).rules, stored(prepared(stage)).rules) == (FIVE, SIX, SIX)
    assert differences(stored(old)) == []
    row = standings_of(made).table.places[0].rating
    assert row.figures.points == 5_000_000


def test_the_same_regulation_again_is_no_new_version() -> None:
    made = tournament()
    own(made, FIVE)
    signed(stage_of(made))
    assert own(made, FIVE) == made.regulation_version
    assert versions(made) == [(1, "Свой", True)]


def test_an_open_game_still_opens_and_saves_under_the_version_it_began_with() -> None:
    made = tournament()
    stage = stage_of(made)
    own(made, FIVE)
    running = prepared(stage)
    Game.objects.filter(pk=running.pk).update(results_only=False)
    running = stored(running)
    write(running, [e.Turn(moment=Moment(1, Phase.SPEECHES, 0, 1), seat=1)])
    own(made, replace(SIX, withdrawal=False))
    running = stored(running)
    write(running, [e.Nomination(moment=Moment(1, Phase.SPEECHES, 0, 1), seat=1, target=5)])
    write(running, [e.Withdrawal(moment=Moment(1, Phase.SPEECHES, 0, 1), seat=1)])
    state = live_record_of(stored(running)).state
    assert stored(running).rules.win_red == 5
    assert (state.days[1].nominations, state.set_aside) == ([], [])
    client = Client()
    assert client.login(username="judge", password=PASSWORD)
    assert client.get(f"/games/{running.uuid}/board/").status_code == 200


def test_an_unsigned_game_is_moved_by_hand_and_what_changes_is_told_before() -> None:
    made = tournament()
    stage = stage_of(made)
    own(made, FIVE)
    over = played(stage, "red")
    old = signed(stage, "red")
    own(made, SIX)
    [move] = moves_of(made)
    assert (move.game, {change.code for change in move.changes}) == (over, {"points"})
    client = Client()
    assert client.login(username="organizer", password=PASSWORD)
    page = client.get("/t/cup/regulation/games/").content.decode()
    assert "станет: Свой, 2" in page
    assert client.post("/t/cup/regulation/games/", {"game": str(over.uuid)}).status_code == 302
    assert (stored(over).rules, stored(over).status, moves_of(made)) == (SIX, Status.OVER, [])
    with pytest.raises(Invalid):
        move_game(old, by=User.objects.get(username="organizer"))
    seal(stored(over), revision=over.revision, by=User.objects.get(username="judge"))
    assert SignedSheet.objects.get(game=over).rules == SIX


def test_who_moved_which_game_from_and_to_which_version_is_kept_shown_and_archived() -> None:
    made = tournament()
    game = played(stage_of(made), "red")
    own(made, FIVE)
    organizer = User.objects.get(username="organizer")
    move_game(stored(game), by=organizer)
    write(stored(game), [e.Foul(moment=AFTER, seat=2)])
    signed(stage_of(made), "black")
    own(made, SIX)
    move_game(stored(game), by=organizer)
    assert [(move.game, move.was, move.became, move.moved_by) for move in moved(made)] == [
        (game, "Свой, 1", "Свой, 2", organizer), (game, "A", "Свой, 1", organizer)
    ]  # fmt: skip
    client = Client()
    assert client.login(username="organizer", password=PASSWORD)
    lines = Page(client.get("/t/cup/regulation/games/").content.decode()).by_class["moved__line"]
    at = [date_format(localtime(move.moved_at), "d.m.Y H:i") for move in moved(made)]
    preset = regulation_name("A")
    assert lines == [
        f"Отборочная, игра 1, стол 1: с «Свой, 1» на «Свой, 2» — Орлова, {at[0]}",
        f"Отборочная, игра 1, стол 1: с «{preset}» на «Свой, 1» — Орлова, {at[1]}",
    ]
    made = Tournament.objects.get(pk=made.pk)
    raw = archive_of(made)
    empty_site()
    rebuilt = rebuild(raw).tournament
    assert archive_of(Tournament.objects.get(pk=rebuilt.pk)) == raw
    assert [(move.was, move.became) for move in moved(rebuilt)] == [("Свой, 1", "Свой, 2"), ("A", "Свой, 1")]


def test_the_admin_shows_versions_and_moves_and_changes_neither() -> None:
    made = tournament()
    game = played(stage_of(made), "red")
    version = own(made, FIVE)
    move_game(stored(game), by=User.objects.get(username="organizer"))
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    lists = [f"/admin/protocols/{name}/" for name in ("regulationversion", "regulationmove")]
    pages = [*lists, f"{lists[0]}{version.pk}/change/", *(f"{page}add/" for page in lists)]
    assert [client.get(page).status_code for page in pages] == [200, 200, 200, 403, 403]
    assert "_save" not in client.get(pages[2]).content.decode()


def test_a_reopened_game_moved_to_the_next_version_keeps_its_first_sheet_readable_and_true() -> None:
    made = tournament()
    own(made, FIVE)
    game = signed(stage_of(made))
    own(made, SIX)
    head = User.objects.get(username="head")
    reopen(stored(game), by=head, reason="Другой регламент")
    move_game(stored(game), by=head)
    seal(stored(game), revision=game.revision, by=head)
    sheets = SignedSheet.objects.filter(game=game).order_by("number")
    assert [sheet.data["sheet"]["rows"][0]["points"] for sheet in sheets] == ["5", "6"]
    assert [sheet.data["own_regulation"]["number"] for sheet in sheets] == [1, 2]
    assert differences(stored(game)) == []


def test_numbers_changed_behind_a_signed_sheet_are_found_out() -> None:
    made = tournament()
    own(made, FIVE)
    game = signed(stage_of(made))
    numbers = to_data(FIVE) | {"decimals": 1}
    RegulationVersion.objects.update(numbers=numbers)
    assert differences(stored(game)) == ["бланк 1: регламент не тот, по которому он подписан"]


def test_a_tournament_goes_back_to_its_preset_and_a_stage_to_the_tournaments() -> None:
    made = tournament()
    stage, final = stage_of(made), stage_of(made, "Финал", "1.5")
    five = own(made, FIVE)
    own(made, SIX, stage=final)
    assert [each.rules.win_red for each in (made, stage, Stage.objects.get(pk=final.pk))] == [5, 5, 6]
    waiting = prepared(Stage.objects.get(pk=final.pk))
    choose_regulation(made, None, stage=final)
    assert (stored(waiting).rules, five.number) == (FIVE, 1)
    choose_regulation(made, None)
    assert (stored(waiting).regulation_version, made.rules) == (None, EDITION_A)


def test_a_regulation_that_contradicts_itself_is_not_taken() -> None:
    made = tournament()
    rules = replace(FIVE, extra_amounts=(), extra_least=Decimal(2), tie_keys=("extra", "strength"), decimals=9)
    with pytest.raises(Senseless) as found:
        own(made, rules)
    assert [(flaw.name, flaw.code) for flaw in found.value.flaws] == [
        ("extra_least", "least_above_most"), ("tie_keys", "unknown_tie_key"), ("decimals", "players"),
    ]  # fmt: skip
    assert versions(made) == []


# ---------------------------------------------------------------- the form


def test_what_makes_no_sense_is_said_where_it_stands() -> None:
    made = tournament()
    changes = {
        "extra_by": "range", "extra_least": "2", "extra_most": "1", "reckoning": "best", "win_red": "0", "tie_1": "lot",
        "has_marks": True, "name": "Свой",
    }  # fmt: skip
    response = send(made, filled(EDITION_A, **changes))
    assert response.status_code == 422
    errors = response.context["form"].errors  # type: ignore[attr-defined]
    assert errors == {"speech_step": ["Заполните это или выберите выше другое."],
                      "speech_most": ["Заполните это или выберите выше другое."]}  # fmt: skip
    response = send(made, filled(EDITION_A, **{**changes, "has_marks": False, "tie_5": "extra"}))
    errors = response.context["form"].errors  # type: ignore[attr-defined]
    assert errors == {
        "win_red": ["Победа должна приносить больше поражения: 0 против 0."],
        "extra_least": ["Наименьшее, 2, больше наибольшего, 1."],
        "best_games": ["Напишите, сколько лучших игр идёт в зачёт."],
        "tie_1": ["После жребия ничего быть не может: он решает всегда."],
    }
    assert versions(made) == []


@pytest.mark.parametrize("who", ["head", "judge"])
def test_only_the_organizer_changes_a_regulation(who: str) -> None:
    made = tournament()
    assert send(made, filled(EDITION_A), who=who).status_code == 403
    assert versions(made) == []


def test_the_page_marks_what_differs_from_the_preset_and_gives_the_formula_of_ci() -> None:
    made = tournament("F")
    own(made, replace(FEDERATION, win_red=Decimal("1.5")))
    page = Client().get("/t/cup/regulation/").content.decode()
    assert page.count("articles__item--changed") == 1
    assert "За победу: красный 1,5, шериф 1,5, чёрный 1, дон 1." in page
    assert "Ci = min(0,4; 0,4 · K ÷ round(0,4 · N))." in page
    paper = Client().get("/t/cup/regulation/1/regulation.pdf")
    assert (paper.status_code, paper["Content-Type"]) == (200, "application/pdf")


def test_the_text_says_whose_the_best_move_is_after_a_miss() -> None:
    made = tournament()
    own(made, replace(EDITION_A, best_move_after_miss=True))
    page = Client().get("/t/cup/regulation/").content.decode()
    assert page.count("articles__item--changed") == 1
    who = "Игрок, отстреленный в первую ночь, называет три игровых места; после промаха — первый отстреленный."
    assert page.count(who) == 1
    paper = Client().get("/t/cup/regulation/1/regulation.pdf").getvalue()
    text = " ".join(" ".join(each.extract_text() for each in pypdf.PdfReader(io.BytesIO(paper)).pages).split())
    assert text.count(who) == 1


def test_the_regulation_of_a_tournament_that_is_not_public_is_not_found() -> None:
    made = tournament()
    Tournament.objects.filter(pk=made.pk).update(is_public=False)
    assert Client().get("/t/cup/regulation/").status_code == 404


# ---------------------------------------------------------------- files


def test_a_game_under_an_own_regulation_goes_through_its_file_with_the_same_bytes() -> None:
    made = tournament()
    own(made, FIVE)
    game = signed(stage_of(made))
    own(made, SIX)
    head = User.objects.get(username="head")
    reopen(stored(game), by=head, reason="Другой регламент")
    move_game(stored(game), by=head)
    seal(stored(game), revision=game.revision, by=head)
    raw = to_bytes(file_of(stored(game)))
    data = json.loads(raw)
    assert (data["version"], data["regulation"]["number"], [each["number"] for each in data["regulations"]]) == (
        2,
        2,
        [1],
    )
    assert data["regulation"]["numbers"] == to_data(SIX)
    assert fastjsonschema.compile(json.loads(schema_bytes("game-2")))(data) == data
    empty_site()
    [taken] = import_file(raw, name="game.json", target=Target()).games
    assert to_bytes(file_of(stored(taken))) == raw
    assert differences(stored(taken)) == []


def test_a_game_under_a_preset_is_still_written_as_version_1() -> None:
    data = file_of(signed(stage_of(tournament()))).data
    assert (data["version"], sorted(data["regulation"])) == (1, ["code", "numbers"])
    assert "reckoning" not in data["regulation"]["numbers"]


def test_a_file_with_another_regulation_of_that_number_is_refused() -> None:
    made = tournament()
    own(made, FIVE)
    raw = to_bytes(file_of(signed(stage_of(made))))
    empty_site()
    other = tournament()
    stage_of(other)
    own(other, SIX, "Иной")
    with pytest.raises(Invalid) as found:
        import_file(raw, name="game.json", target=Target())
    assert found.value.messages == ["В турнире «Кубок» версия 1 регламента — другая: «Иной»."]


def test_an_archive_carries_every_version_and_rebuilds_to_the_same_bytes_and_table() -> None:
    made = tournament()
    own(made, replace(FIVE, tie_keys=("extra", "qualifying", "lot")))
    first = stage_of(made)
    Stage.objects.filter(pk=first.pk).update(group="отбор")
    signed(Stage.objects.get(pk=first.pk), "black", shot=1)
    final = stage_of(made, "Финал", "1.5")
    own(made, SIX, "Финальный", stage=final)
    signed(Stage.objects.get(pk=final.pk), "red")
    organizer = User.objects.get(username="organizer")
    set_qualifying(made, {player("Барс"): 12_500, player("Вихрь"): -1}, by=organizer)
    made = Tournament.objects.get(pk=made.pk)
    raw, before = archive_of(made), rows_of(standings_of(made))
    empty_site()
    rebuilt = rebuild(raw).tournament
    rebuilt = Tournament.objects.get(pk=rebuilt.pk)
    assert archive_of(rebuilt) == raw
    assert [replace(row, player_id=0) for row in rows_of(standings_of(rebuilt))] == [
        replace(row, player_id=0) for row in before
    ]
    assert versions(rebuilt) == [(1, "Свой", True), (2, "Финальный", True)]


def test_a_version_once_read_costs_no_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    made = tournament()
    own(made, FIVE)
    game = prepared(stage_of(made))
    assert stored(game).rules == FIVE
    again = stored(game)
    with django_assert_num_queries(0):
        assert again.rules == FIVE


@pytest.mark.parametrize("is_read", [False, True])
def test_a_tap_under_an_own_regulation_is_as_many_statements_as_under_a_preset(is_read: bool) -> None:
    made = tournament()
    own(made, FIVE)
    game = prepared(stage_of(made))
    head = User.objects.get(username="head")
    counts = []
    for _ in range(2):
        if not is_read:
            _parsed.clear()
        with CaptureQueriesContext(connection) as captured:
            assert writable_game(head, game.uuid).rules == FIVE
        counts.append(len(captured))
    assert counts == [1, 1]
