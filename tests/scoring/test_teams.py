"""Teams: what their members make together, who sets them up, and what of them is public."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pypdf import PdfReader

from protocols.models import Player, Round, Tournament
from protocols.rules.regulation import EDITION_A
from protocols.services.errors import Invalid
from protocols.services.hiding import announce, hide
from protocols.services.sign import seal
from scoring.exports import exported
from scoring.penalty_services import revoke_penalty
from scoring.selectors import standings_of
from scoring.team_models import Team, TeamMember, TeamPenalty
from scoring.team_paste import read_teams, write_teams
from scoring.team_selectors import Listed, team_facts_of, teams_of
from scoring.team_services import add_team, give_penalty, remove_team, set_members
from scoring.team_table import team_rows
from scoring.teams import Squad, team_standings

from .lines import PLAYERS
from .teams import LIST, logged_in, millions, organizer, pasted, red_cup, totals_of
from .tournaments import person, played, player, prepared, signed, stage_of, tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(db: None) -> Tournament:
    return red_cup()


# ---------------------------------------------------------------- what a team has


Row = tuple[str, object, object, object]


def places(cup: Tournament, squads: dict[str, list[int]], **rules: object) -> list[Row]:
    """Name, first and last place and total of each team of these seats, under edition A with these changes."""
    people = {seat: player(PLAYERS[seat - 1]).pk for seat in range(1, 11)}
    told = [Squad(n, name, tuple(people[s] for s in seats)) for n, (name, seats) in enumerate(squads.items())]
    found = team_standings(standings_of(cup).table, told, replace(EDITION_A, **rules))  # type: ignore[arg-type]
    return [(row.squad.name, row.number, row.last, millions(row.total)) for row in found]


def test_a_team_has_the_sum_of_its_members(cup: Tournament) -> None:
    assert places(cup, {"А": [1, 2], "Б": [3, 4], "В": [8, 9]}) == [("Б", 1, 1, 7), ("А", 2, 2, 6), ("В", 3, 3, 0)]


def test_only_the_best_of_a_team_count_where_the_regulation_says_so(cup: Tournament) -> None:
    assert places(cup, {"А": [1, 2, 4, 5], "Б": [3, 8, 9]}, team_best=1) == [("Б", 1, 1, 4), ("А", 2, 2, 3)]


def test_equal_totals_are_told_apart_by_the_tie_keys_of_those_who_count(cup: Tournament) -> None:
    # 13 points each and as many extra points and wins: in А is the sheriff of two red wins (A 8.5.3).
    signed(cup.stages.get(), "red", extra={1: "0.5", 2: "0.5"})
    assert places(cup, {"Б": [3, 4], "А": [1, 2]}) == [("А", 1, 1, 13), ("Б", 2, 2, 13)]


def test_teams_equal_in_everything_share_their_places(cup: Tournament) -> None:
    assert places(cup, {"А": [2, 4], "Б": [5, 6], "В": [8]}) == [("А", 1, 2, 6), ("Б", 1, 2, 6), ("В", 3, 3, 0)]


def test_a_team_whose_members_have_not_played_has_no_place(cup: Tournament) -> None:
    late = Player.objects.create(nickname="Опоздавший")
    found = team_standings(standings_of(cup).table, [Squad(1, "А", (late.pk,))], EDITION_A)
    assert [(row.number, row.sum) for row in found] == [(None, 0)]


def test_a_penalty_is_taken_off_until_it_is_revoked(cup: Tournament) -> None:
    pasted(cup)
    north = Team.objects.get(name="Север")
    penalty = give_penalty(north, points=Decimal("2.5"), reason="Опоздание", by=organizer(), clause="п. 4")
    assert totals_of(cup) == {"Север": Decimal("3.5"), "Юг": Decimal(0)}
    revoke_penalty(penalty, reason="Назначен по ошибке", by=organizer())
    assert totals_of(cup) == {"Север": Decimal(6), "Юг": Decimal(0)}
    assert TeamPenalty.objects.count() == 1
    with pytest.raises(Invalid):
        revoke_penalty(TeamPenalty.objects.get(), reason="Ещё раз", by=organizer())


def test_two_recounts_give_the_same_bytes(cup: Tournament) -> None:
    pasted(cup)
    client = Client()
    first, second = (client.get("/t/cup/standings.json").content for _ in range(2))
    assert first == second
    told = json.loads(first)["teams"]
    assert [team["name"] for team in told] == ["Север", "Юг"]


# ---------------------------------------------------------------- who is in a team


def test_a_player_is_in_one_team_of_a_tournament(cup: Tournament) -> None:
    pasted(cup)
    other = add_team(cup, name="Восток")
    with pytest.raises(Invalid) as error:
        set_members(other, [Listed(player(PLAYERS[0]).pk, PLAYERS[0])])
    assert error.value.messages == [f"{PLAYERS[0]} уже играет за команду «Север»."]
    assert TeamMember.objects.count() == 5


@pytest.mark.parametrize("name", ["север", "  СЕВЕР "])
def test_a_name_is_one_of_its_tournament_whatever_its_letters(cup: Tournament, name: str) -> None:
    add_team(cup, name="Север")
    with pytest.raises(Invalid) as error:
        add_team(cup, name=name)
    assert error.value.messages == ["В турнире уже есть команда «Север»."]


def test_a_team_that_was_given_a_penalty_stays(cup: Tournament) -> None:
    pasted(cup)
    north = Team.objects.get(name="Север")
    give_penalty(north, points=Decimal(1), reason="Опоздание", by=organizer())
    with pytest.raises(Invalid):
        remove_team(north)
    remove_team(Team.objects.get(name="Юг"))
    assert [team.name for team in team_facts_of(cup)] == ["Север"]


# ---------------------------------------------------------------- a list


def test_a_list_is_read_and_nothing_is_written(cup: Tournament) -> None:
    plan = read_teams(cup, LIST)
    assert [(team.name, [member.nickname for member in team.members]) for team in plan.teams] == [
        ("Север", [PLAYERS[0], PLAYERS[1]]),
        ("Юг", [PLAYERS[7], PLAYERS[8], PLAYERS[9]]),
    ]
    assert (plan.teams[0].members[0].is_captain, plan.teams[1].members[2].is_replacement) == (True, True)
    assert (plan.errors, plan.unknown, Team.objects.count()) == ([], [], 0)


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("Север:", ["Строка 1: после названия команды «Север» никого нет."]),
        (f"А: {PLAYERS[0]}, {PLAYERS[0].upper()}", [f"{PLAYERS[0]} дважды стоит в строке команды «А»."]),
        (
            f"А: {PLAYERS[0]}\nБ: {PLAYERS[0]}",
            [f"{PLAYERS[0]} стоит в строках команд «А» и «Б»: у игрока одна команда."],
        ),
        (f"А: {PLAYERS[0]}\nа: {PLAYERS[1]}", ["У команды «а» две строки."]),
        ("А: " + "я" * 41, ["Строка 1: «" + "я" * 41 + "» — не никнейм: в нём не больше 40 знаков."]),
        ("я" * 20_001, ["Список слишком длинный: не больше 20000 знаков."]),
    ],
)
def test_what_is_wrong_in_a_list_is_named_and_nothing_written(cup: Tournament, text: str, errors: list[str]) -> None:
    assert read_teams(cup, text).errors == errors
    with pytest.raises(Invalid):
        write_teams(cup, text, seen=read_teams(cup, text).fingerprint, confirm_new=True, by=organizer())
    assert (Team.objects.count(), Player.objects.count()) == (0, 10)


def test_a_nickname_that_nobody_has_is_a_question_and_its_twin_is_named(cup: Tournament) -> None:
    twin = "Бapс"  # with a Latin a and p
    plan = read_teams(cup, f"Север: {twin}")
    assert [(member.nickname, member.alike) for member in plan.unknown] == [(twin, ("Барс",))]
    with pytest.raises(Invalid):
        write_teams(cup, f"Север: {twin}", seen=plan.fingerprint, confirm_new=False, by=organizer())
    assert Player.objects.count() == 10


def test_a_list_that_was_overtaken_is_shown_again(cup: Tournament) -> None:
    seen = read_teams(cup, LIST).fingerprint
    pasted(cup, f"Запад: {PLAYERS[0]}")
    with pytest.raises(Invalid):
        write_teams(cup, LIST, seen=seen, confirm_new=True, by=organizer())
    assert [team.name for team in team_facts_of(cup)] == ["Запад"]


# ---------------------------------------------------------------- pages


def test_the_public_reads_the_teams_and_why_each_stands_there(cup: Tournament) -> None:
    pasted(cup)
    give_penalty(Team.objects.get(name="Север"), points=Decimal(1), reason="Опоздание на тур", by=organizer())
    html = Client().get("/t/cup/teams/").content.decode()
    for words in ("Север", "Юг", "Опоздание на тур", "капитан", "запасной", "Ниже:"):
        assert words in html
    rows = list(csv.reader(io.StringIO(Client().get("/t/cup/teams.csv").content.decode("utf-8-sig")), delimiter=";"))
    assert [row[1] for row in rows if row[1:2] and row[1] in ("Север", "Юг")] == ["Север", "Юг"]
    pdf = Client().get("/t/cup/teams.pdf").getvalue()
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)
    assert "Север" in text and "Юг" in text


def test_a_teams_figures_open_to_its_members_its_rule_and_its_neighbours(cup: Tournament) -> None:
    pasted(cup)
    give_penalty(Team.objects.get(name="Север"), points=Decimal("0.5"), reason="Опоздание на тур", by=organizer())
    found = standings_of(cup)
    teams = teams_of(found)
    assert teams is not None
    rows = team_rows(teams, found.nicknames, cup.rules)
    for place, row in zip(teams.places, rows, strict=True):
        counted = [number(words) for words in row.addition.partition(" = ")[0].split(" + ")]
        assert sum(counted) * 1_000_000 == place.sum
        for each in row.besides:
            *equal, last = each.keys
            assert [key.mine == key.theirs for key in equal] == [True] * len(equal)
            assert (last.mine != last.theirs) is last.decides is True
    assert [each.is_above for row in rows for each in row.besides] == [False, True]
    page = " ".join(re.sub(r"<[^>]+>", " ", Client().get("/t/cup/teams/").content.decode()).split())
    assert "Опоздание на тур" in page
    assert "У команды — сумма рейтингов её участников. уточнение §7" in page


def number(words: str) -> Fraction:
    return Fraction(words.replace("−", "-").replace(",", "."))


def test_the_standings_name_the_team_beside_each_player(cup: Tournament) -> None:
    pasted(cup)
    html = Client().get("/t/cup/standings/").content.decode()
    assert html.count('class="standings__team"') == 5
    found = teams_of(standings_of(cup))
    assert found is not None and len(found.team_of) == 5


def test_a_formula_in_a_name_runs_nothing(cup: Tournament) -> None:
    pasted(cup, f"=1+1: {PLAYERS[0]}")
    assert "'=1+1" in Client().get("/t/cup/teams.csv").content.decode("utf-8-sig")


def test_team_mates_at_one_table_are_told_to_whoever_runs_the_tournament(cup: Tournament) -> None:
    prepared(cup.stages.get())
    pasted(cup)
    Round.objects.create(stage=cup.stages.get(), number=2)
    client = logged_in("organizer")
    for address in ("/t/cup/desk/", "/t/cup/seating/1/"):
        assert "За одним столом сидят участники одной команды." in client.get(address).content.decode()


def test_preparing_a_table_tells_which_seats_are_of_one_team(cup: Tournament) -> None:
    game, client = prepared(cup.stages.get()), logged_in("organizer")
    address = f"/games/{game.uuid}/prepare/"
    assert "игроки одной команды" not in client.get(address).content.decode()
    pasted(cup)
    page = " ".join(re.sub(r"<[^>]+>", " ", client.get(address).content.decode()).split())
    told = page.partition("За этим столом сидят игроки одной команды: ")[2]
    assert told.startswith("Север : № 1 Астра, № 2 Барс Юг : № 8 Зенит, № 9 Ирис, № 10 Каштан ")
    assert "Регламент этого не запрещает, игру можно проводить." in told
    assert "У команды — сумма рейтингов её участников. уточнение §7" in told
    seats = {f"nickname_{seat}": nickname for seat, nickname in enumerate(PLAYERS, start=1)}
    sent = {"stage": game.stage_id, "number": game.number, "table_number": game.table_number,
            "played_on": game.played_on, "judge_name": "Судья", "revision": game.revision, "then": "stay"}  # fmt: skip
    assert client.post(address, sent | seats).status_code == 302


def test_the_organizer_goes_from_a_list_to_teams(cup: Tournament) -> None:
    client = logged_in("organizer")
    shown = client.post("/t/cup/teams/paste/", {"text": LIST})
    assert (shown.status_code, Team.objects.count()) == (200, 0)
    seen = read_teams(cup, LIST).fingerprint
    assert client.post("/t/cup/teams/paste/", {"text": LIST, "seen": seen}).status_code == 302
    assert [team.name for team in team_facts_of(cup)] == ["Север", "Юг"]
    north = Team.objects.get(name="Север")
    address = f"/t/cup/teams/{north.pk}/edit/"
    sent = {"part": "penalty", "points": "1,5", "clause": "4.2", "reason": "Опоздание"}
    assert client.post(address, sent).status_code == 302
    assert client.post(address, {**sent, "points": "много"}).status_code == 422
    assert client.post(address, {"part": "team", "name": "Юг"}).status_code == 422
    assert client.post(address, {"part": "team", "name": "Северяне", "city": "Омск"}).status_code == 302
    assert totals_of(cup) == {"Северяне": Decimal("4.5"), "Юг": Decimal(0)}


@pytest.mark.parametrize(
    ("who", "statuses"),
    [
        (None, [401, 401, 401]),
        ("judge", [403, 403, 403]),
        ("stranger", [403, 403, 403]),
        ("head", [403, 403, 302]),
        ("organizer", [302, 200, 302]),
    ],
)
def test_who_may_write_teams(cup: Tournament, who: str | None, statuses: list[int]) -> None:
    person("stranger")
    pasted(cup)
    team = Team.objects.get(name="Юг")
    client = logged_in(who) if who else Client()
    penalty = {"part": "penalty", "points": "1", "reason": "Опоздание"}
    answers = [
        client.post("/t/cup/teams/edit/", {"name": "Запад"}),
        client.post("/t/cup/teams/paste/", {"text": LIST}),
        client.post(f"/t/cup/teams/{team.pk}/edit/", penalty),
    ]
    assert [answer.status_code for answer in answers] == statuses


def test_the_teams_of_a_hidden_tournament_are_not_found(db: None) -> None:
    made = tournament(is_public=False)
    signed(stage_of(made), "red")
    pasted(made)
    assert Client().get("/t/cup/teams/").status_code == 404
    assert logged_in("head").get("/t/cup/teams/").status_code == 200
    assert exported(made).teams is not None


# ---------------------------------------------------------------- what is not announced


def files_of_teams() -> list[str]:
    """What the public reads of teams: the page, the CSV, the JSON."""
    page, table = (Client().get(f"/t/cup/teams{end}").content.decode() for end in ("/", ".csv"))
    return [page, table, repr(json.loads(Client().get("/t/cup/standings.json").content)["teams"])]


def test_teams_are_as_they_were_before_the_hidden_round(cup: Tournament) -> None:
    pasted(cup)
    before = files_of_teams()
    hide(cup, what="table", stage=cup.stages.get(), number=2, by=organizer())
    signed(cup.stages.get(), "black", extra={8: "1"})
    assert (rows_of(files_of_teams()), files_of_teams()[2]) == (rows_of(before), before[2])
    announce(cup, by=organizer())
    assert files_of_teams()[2] != before[2]
    assert rows_of(files_of_teams()) != rows_of(before)


def rows_of(files: list[str]) -> list[str]:
    """The teams' rows in the CSV, and their totals on the page."""
    totals = re.findall(r'team__total"><span[^>]*>[^<]*</span>([^<]*)', files[0])
    return [line for line in files[1].splitlines() if "Север" in line or "Юг" in line] + totals


def test_a_game_that_is_played_changes_nothing_of_the_teams(cup: Tournament) -> None:
    pasted(cup)
    before = files_of_teams()
    game = played(cup.stages.get(), "black", extra={8: "1"})
    after = files_of_teams()
    assert after[2] == before[2]
    seal(game, revision=game.revision, by=User.objects.get(username="judge"))
    assert files_of_teams()[2] != before[2]
