"""Two players who are one: everything of the one goes to the other, and every signed sheet can still be proved."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db.models.fields.reverse_related import ForeignObjectRel
from django.test import Client
from django.utils import timezone

from protocols.exchange.playback import played
from protocols.models import (
    Conflict,
    Game,
    KeptApart,
    Participant,
    Player,
    PlayerMerge,
    Seat,
    SeatingRun,
    SeatingState,
    SeatResult,
)
from protocols.rules.regulation import FEDERATION
from protocols.services import seating_people
from protocols.services.errors import Invalid
from protocols.services.prepare import appoint, seat_players
from protocols.services.sign import reopen, seal
from scoring.archives import archive_of, rebuild
from scoring.cut_models import Cut, CutPlace
from scoring.merging import PLAYER_ROWS, merge, merge_plan
from scoring.models import Lot, LotPlace, QualifyingRating, tied_key
from scoring.selectors import standings_of
from scoring.team_models import TeamChange, TeamMember
from scoring.team_services import add_team
from tests.exchange.records import empty_site
from tests.protocols.world import PASSWORD, World, game_of, log_of, world, write

PAGE = "/t/cup/participants/merge/"
pytestmark = pytest.mark.django_db


def player(nickname: str) -> Player:
    """The player of that nickname."""
    return Player.objects.get(nickname=nickname)


def merged(gone: str, kept: str, by: User) -> PlayerMerge:
    """The merge of these two, as it was shown."""
    plan = merge_plan(player(gone), player(kept), by=by)
    return merge(player(gone), player(kept), seen=plan.fingerprint, by=by)


def refusals(gone: str, kept: str, by: User) -> list[str]:
    """Why these two can't be merged."""
    return merge_plan(player(gone), player(kept), by=by).refusals


@pytest.fixture
def cup() -> World:
    """The tournament, with a second signed game in which «Двойник» sat in the chair of the first player."""
    made = world()
    double(made, made.people["judge"])
    return made


def double(cup: World, judge: User) -> Game:
    """A signed game of the same entries with «Двойник» on the first seat."""
    log = log_of("full-black-win")
    game = game_of(cup.stage, judge, ["Двойник", *cup.nicknames[1:]])
    write(game, played(log, FEDERATION).entries, judge)
    seal(game, revision=game.revision, by=judge)
    return game


@pytest.fixture
def organizer(cup: World) -> User:
    """Who organizes the tournament."""
    return cup.people["organizer"]


# ---------------------------------------------------------------- what moves


def test_games_and_results_go_over_and_every_sheet_is_still_proved(cup: World, organizer: User) -> None:
    first = cup.nicknames[0]
    before = {place.player_id: place.rating.games for place in standings_of(cup.tournament).table.places}
    log = merged("Двойник", first, organizer)
    after = standings_of(cup.tournament)
    place = after.table.of(player(first).pk)
    assert place is not None
    assert (place.rating.games, before[player(first).pk], before[player("Двойник").pk]) == (2, 1, 1)
    assert after.table.of(player("Двойник").pk) is None
    assert Seat.objects.filter(nickname="Двойник").values_list("player__nickname", flat=True).get() == first
    assert log.moved == [{"tournament": "cup", "games": 1, "sheets": 1}]
    out = StringIO()
    call_command("verify", stdout=out)
    assert "Двойник" not in out.getvalue()


def test_a_sheet_that_a_merge_touched_can_be_reopened_and_signed_again(cup: World, organizer: User) -> None:
    merged("Двойник", cup.nicknames[0], organizer)
    game = Game.objects.get(seats__nickname="Двойник")
    reopen(game, by=cup.people["head"], reason="Спутаны баллы")
    seal(game, revision=game.revision, by=cup.people["judge"])
    call_command("verify", stdout=StringIO())


def test_a_merged_nickname_leads_to_the_other_player(cup: World, organizer: User) -> None:
    first = cup.nicknames[0]
    gone, kept = player("Двойник"), player(first)
    merged("Двойник", first, organizer)
    for path in ("/players/{}/", "/t/cup/players/{}/"):
        assert Client().get(path.format(gone.pk))["Location"] == path.format(kept.pk)
    game = game_of(cup.stage, cup.people["judge"])
    assert seat_players(game, ["двойник"]).is_written
    assert list(game.seats.values_list("player", "nickname")) == [(kept.pk, first)]
    with pytest.raises(Invalid, match="один игрок"):
        seat_players(game, ["Двойник", first])
    seating_people.register(cup.tournament, ["Двойник", first])
    assert [each.player_id for each in Participant.objects.all()] == [kept.pk]


def test_an_archive_says_the_same_after_it_was_taken_in(cup: World, organizer: User) -> None:
    merged("Двойник", cup.nicknames[0], organizer)
    raw = archive_of(cup.tournament)
    empty_site()
    assert archive_of(rebuild(raw).tournament) == raw


def test_names_and_numbers_fill_up_and_rows_that_both_have_become_one(cup: World, organizer: User) -> None:
    first, other = cup.nicknames[0], cup.nicknames[5]
    tournament = cup.tournament
    seating_people.register(tournament, ["Двойник", other, first], confirm_new=True)
    gone, kept = player("Двойник"), player(first)
    Player.objects.filter(pk=gone.pk).update(name="Анна", city="Омск")
    Participant.objects.filter(player=gone).update(team="Север")
    team = add_team(tournament, name="Север")
    for each in (gone, kept):
        TeamMember.objects.create(tournament=tournament, team=team, player=each, is_captain=each == gone)
        Conflict.objects.create(tournament=tournament, judge=cup.people["judge"], player=each)
        QualifyingRating.objects.create(
            tournament=tournament, player=each, rating=7, author=organizer, written_at=timezone.now()
        )
    seating_people.keep_apart(tournament, gone, kept, 2)
    seating_people.keep_apart(tournament, gone, player(other), 1)
    seating_people.keep_apart(tournament, kept, player(other), 3)
    merged("Двойник", first, organizer)
    kept.refresh_from_db()
    assert (kept.name, kept.city) == ("Анна", "Омск")
    rows = Participant.objects.order_by("number").values_list("number", "player__nickname", "team")
    assert list(rows) == [(2, other, ""), (3, first, "Север")]
    assert [(pair.most, {pair.first.nickname, pair.second.nickname}) for pair in KeptApart.objects.all()] == [
        (1, {first, other})
    ]
    assert [(each.player_id, each.is_captain) for each in TeamMember.objects.all()] == [(kept.pk, True)]
    change = TeamChange.objects.latest("pk")
    assert (change.by, change.change["left"], change.change["captain"]) == (organizer, ["Двойник"], ["Двойник", first])
    assert [each.player_id for each in Conflict.objects.all()] == [kept.pk]
    assert [each.player_id for each in QualifyingRating.objects.all()] == [kept.pk]


def a_lot(cup: World, *nicknames: str) -> Lot:
    """A lot among these."""
    players = [player(each) for each in nicknames]
    lot = Lot.objects.create(
        tournament=cup.tournament, tied=tied_key(each.pk for each in players), first_place=1,
        drawn_by=cup.people["head"], drawn_at=timezone.now(),
    )  # fmt: skip
    for position, each in enumerate(players, start=1):
        LotPlace.objects.create(lot=lot, position=position, player=each)
    return lot


def a_cut(cup: World, *nicknames: str) -> Cut:
    """A cut that these passed."""
    cut = Cut.objects.create(
        stage=cup.stage, size=len(nicknames), fingerprint="0" * 64, taken_by=cup.people["organizer"],
        taken_at=timezone.now(),
    )  # fmt: skip
    for place, each in enumerate(nicknames, start=1):
        CutPlace.objects.create(cut=cut, place=place, player=player(each), nickname=each, rating="1")
    return cut


def a_seating(cup: World, *nicknames: str) -> SeatingRun:
    """A seating that is drawn and not in use."""
    seating_people.register(cup.tournament, nicknames, confirm_new=True)
    return SeatingRun.objects.create(
        stage=cup.stage, games=1, tables=1, seed=1, seconds=0, state=SeatingState.DONE, plan=[],
        players=[player(each).pk for each in nicknames], asked_by=cup.people["organizer"], asked_at=timezone.now(),
    )  # fmt: skip


def test_lots_cuts_and_seatings_name_the_other_player(cup: World, organizer: User) -> None:
    first, second = cup.nicknames[:2]
    lot, cut, run = a_lot(cup, "Двойник", second), a_cut(cup, "Двойник"), a_seating(cup, "Двойник", second)
    merged("Двойник", first, organizer)
    keys = [player(first).pk, player(second).pk]
    for row in (lot, run):
        row.refresh_from_db()
    assert (lot.tied, [each.player_id for each in lot.places.order_by("position")]) == (tied_key(keys), keys)
    assert [(each.player_id, each.nickname) for each in cut.places.all()] == [(keys[0], "Двойник")]
    assert run.players == keys


def test_three_nicknames_become_one_player_one_after_the_other(cup: World, organizer: User) -> None:
    Player.objects.create(nickname="Третий")
    merged("Двойник", "Третий", organizer)
    merged("Третий", cup.nicknames[0], organizer)
    names = Player.objects.exclude(merged_into=None).order_by("nickname")
    assert list(names.values_list("nickname", "merged_into__nickname")) == [
        ("Двойник", cup.nicknames[0]), ("Третий", cup.nicknames[0]),
    ]  # fmt: skip
    call_command("verify", stdout=StringIO())


def test_every_row_that_names_a_player_goes_along(cup: World) -> None:
    pointers = {"Player.merged_into", "PlayerMerge.gone", "PlayerMerge.kept"}
    fields = Player._meta.get_fields(include_hidden=True)
    found = {
        f"{each.related_model.__name__}.{each.field.name}" for each in fields if isinstance(each, ForeignObjectRel)
    }
    assert found - pointers == PLAYER_ROWS


# ---------------------------------------------------------------- what is refused


def test_who_sat_at_one_table_is_not_one_player(cup: World, organizer: User) -> None:
    first, second = cup.nicknames[:2]
    assert len(refusals(first, second, organizer)) == 4
    with pytest.raises(Invalid):
        merged(first, second, organizer)
    assert PlayerMerge.objects.count() == 0


def both_in_teams(cup: World) -> None:
    """Two teams of the tournament."""
    for name, nickname in (("Север", "Двойник"), ("Юг", cup.nicknames[0])):
        team = add_team(cup.tournament, name=name)
        TeamMember.objects.create(tournament=cup.tournament, team=team, player=player(nickname))


def both_rated(cup: World) -> None:
    """Two different ratings from outside."""
    for rating, nickname in ((1, "Двойник"), (2, cup.nicknames[0])):
        QualifyingRating.objects.create(
            tournament=cup.tournament, player=player(nickname), rating=rating, author=cup.people["head"],
            written_at=timezone.now(),
        )  # fmt: skip


def same_lots(cup: World) -> None:
    """Two lots that would be of the same players."""
    a_lot(cup, "Двойник", cup.nicknames[1])
    a_lot(cup, cup.nicknames[0], cup.nicknames[1])


BOTH: dict[str, tuple[Callable[[World], Any], str]] = {
    "teams": (both_in_teams, "Кубок: они в двух командах, «Север» и «Юг»."),
    "ratings": (both_rated, "Кубок: у них два разных внешних рейтинга; удалите один."),
    "one lot": (lambda cup: a_lot(cup, "Двойник", cup.nicknames[0]), "Кубок: оба стоят в одном жребии."),
    "two lots": (same_lots, "Кубок: оба стоят в одном жребии."),
    "a cut": (lambda cup: a_cut(cup, "Двойник", cup.nicknames[0]), "Кубок: оба прошли один отбор."),
    "a seating": (
        lambda cup: a_seating(cup, "Двойник", cup.nicknames[0]),
        "Кубок: рассадка, которая не взята в дело, сажает обоих: сначала удалите её.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", BOTH)
def test_what_a_player_has_once_and_both_have_is_named(cup: World, organizer: User, what: str) -> None:
    made, why = BOTH[what]
    made(cup)
    assert refusals("Двойник", cup.nicknames[0], organizer) == [why]


def test_two_logins_are_not_one_person(cup: World, organizer: User) -> None:
    Player.objects.filter(nickname="Двойник").update(user=cup.people["plain"])
    Player.objects.filter(nickname=cup.nicknames[0]).update(user=cup.people["foreign"])
    root = User.objects.create_superuser("root")
    assert refusals("Двойник", cup.nicknames[0], root) == ["У обоих есть вход на этот сайт."]


def test_nobody_becomes_the_judge_of_an_own_game(cup: World) -> None:
    Player.objects.filter(nickname="Двойник").update(user=cup.people["judge"])
    root = User.objects.create_superuser("root")
    assert len(refusals("Двойник", cup.nicknames[0], root)) == 5


def test_a_login_is_passed_on_by_the_administrator_alone(cup: World, organizer: User) -> None:
    Player.objects.filter(nickname="Двойник").update(user=cup.people["plain"])
    assert len(refusals("Двойник", cup.nicknames[0], organizer)) == 1
    merged("Двойник", cup.nicknames[0], User.objects.create_superuser("root"))
    assert player(cup.nicknames[0]).user == cup.people["plain"]
    assert player("Двойник").user is None


def test_an_organizer_moves_nothing_of_the_tournaments_of_others(cup: World, organizer: User) -> None:
    seating_people.register(cup.elsewhere, ["Двойник"])
    why = refusals("Двойник", cup.nicknames[0], organizer)
    assert ["Другой турнир" in each for each in why] == [True]
    cup.elsewhere.is_public = False
    cup.elsewhere.save()
    why = refusals("Двойник", cup.nicknames[0], organizer)
    assert ["Другой турнир" in each for each in why] == [False]
    appoint(cup.elsewhere, organizer, "organizer")
    assert refusals("Двойник", cup.nicknames[0], organizer) == []


def test_what_changed_since_it_was_shown_is_not_moved(cup: World, organizer: User) -> None:
    plan = merge_plan(player("Двойник"), player(cup.nicknames[0]), by=organizer)
    game_of(cup.stage, cup.people["judge"], ["Двойник"])
    with pytest.raises(Invalid, match="посмотрите"):
        merge(player("Двойник"), player(cup.nicknames[0]), seen=plan.fingerprint, by=organizer)
    assert SeatResult.objects.filter(player__nickname="Двойник").count() == 1


# ---------------------------------------------------------------- the page


def test_the_page_shows_what_moves_and_then_moves_it(cup: World) -> None:
    client = Client()
    assert client.login(username="organizer", password=PASSWORD)
    typed = {"gone": "двойник", "kept": cup.nicknames[0]}
    html = client.post(PAGE, typed).content.decode()
    assert "1 игра, 1 подписанный протокол" in " ".join(html.split())
    seen = re.search(r'name="seen" value="(\w+)"', html)
    assert (seen is not None, PlayerMerge.objects.count()) == (True, 0)
    assert client.post(PAGE, typed | {"seen": "0" * 64}).status_code == 422
    assert seen is not None
    assert client.post(PAGE, typed | {"seen": seen[1]})["Location"] == "/t/cup/participants/"
    assert "Двойник → <b>" in client.get(PAGE).content.decode()
    again = client.post(PAGE, typed)
    assert (again.status_code, "уже тот же игрок" in again.content.decode()) == (422, True)


def test_only_the_organizer_merges(cup: World) -> None:
    for who in ("head", "judge", "plain"):
        client = Client()
        client.force_login(cup.people[who])
        assert client.post(PAGE, {"gone": "Двойник", "kept": cup.nicknames[0]}).status_code == 403
    assert PlayerMerge.objects.count() == 0
