"""Invitations work once, while they hold, for whoever has the code; roles keep who gave and took them."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from protocols.member_selectors import invitations_waiting, member_changes_of
from protocols.models import MOST_TRIES, Game, Invitation, Member, MemberRole, Player, Tournament
from protocols.services.errors import Invalid
from protocols.services.invitations import LETTERS, accept, code_typed, invite, invited_with, join_anew, withdraw
from protocols.services.members import appoint, change_role, dismiss, say_who_plays
from protocols.services.prepare import create_game, hand_over, seat_players
from protocols.services.sign import seal

from .conftest import NICKNAMES, PASSWORD, Cast
from .play import WON_BY_RED, written


def invited(tournament: Tournament, cast: Cast, role: str = MemberRole.JUDGE, **given: Any) -> tuple[Invitation, str]:
    """An invitation by the organizer, and its code."""
    return invite(tournament, role, by=cast.organizer, uuid=uuid4(), **given)


def why(code: str) -> str:
    """Why the code opens nothing."""
    with pytest.raises(Invalid) as refused:
        invited_with(code)
    return " ".join(refused.value.messages)


def roles(tournament: Tournament, user: User) -> list[str]:
    """What the person serves as."""
    return sorted(Member.objects.filter(tournament=tournament, user=user).values_list("role", flat=True))


def test_a_code_has_letters_that_nobody_takes_for_others_and_is_stored_nowhere(
    tournament: Tournament, cast: Cast
) -> None:
    made, code = invited(tournament, cast, whom="Пётр", email="petr@example.org")
    assert (len(code), code[5], set(code) - {"-"} - set(LETTERS)) == (11, "-", set())
    secret = code_typed(code)[4:]
    row = " ".join(str(value) for value in Invitation.objects.filter(pk=made.pk).values()[0].values())
    assert secret not in row
    assert code not in row


@pytest.mark.parametrize(
    "alter", [str.lower, lambda code: f" {code.replace('-', ' ')} ", lambda code: code.replace("-", "")]
)
def test_a_code_is_taken_however_it_is_typed(tournament: Tournament, cast: Cast, alter: Any) -> None:
    made, code = invited(tournament, cast)
    cyrillic = alter(code).translate(str.maketrans("ACEHKMPTXYacehkmptxy", "АСЕНКМРТХУасенкмртху"))
    assert invited_with(alter(code)) == made == invited_with(cyrillic)


def test_whoever_accepts_serves_and_the_code_is_used_up(tournament: Tournament, cast: Cast) -> None:
    made, code = invited(tournament, cast)
    accept(code, cast.stranger)
    assert roles(tournament, cast.stranger) == ["judge"]
    with pytest.raises(Invalid):
        accept(code, cast.player)
    assert roles(tournament, cast.player) == []
    made.refresh_from_db()
    assert made.accepted_by == cast.stranger
    change = member_changes_of(tournament)[0]
    assert (change.user, change.role, change.what, change.done_by) == (cast.stranger, "judge", "given", cast.stranger)
    assert change.invitation == made
    assert "работает один раз" in why(code)


def test_an_account_is_made_only_together_with_what_it_is_made_for(tournament: Tournament, cast: Cast) -> None:
    made, code = invited(tournament, cast, MemberRole.COMMISSION)
    withdraw(made, by=cast.organizer)
    new = {"username": "novy", "password": PASSWORD, "first_name": "Иван", "last_name": "Новый"}
    with pytest.raises(Invalid):
        join_anew(code, **new)
    assert not User.objects.filter(username="novy").exists()
    _made, code = invited(tournament, cast, MemberRole.COMMISSION)
    member = join_anew(code, **new)
    assert (roles(tournament, member.user), member.user.check_password(PASSWORD)) == (["commission"], True)
    _made, code = invited(tournament, cast)
    with pytest.raises(Invalid):
        join_anew(code, **new)
    assert invited_with(code).accepted_by is None


def test_an_invitation_that_is_withdrawn_or_too_old_opens_nothing(tournament: Tournament, cast: Cast) -> None:
    made, code = invited(tournament, cast)
    withdraw(made, by=cast.organizer)
    assert "отозвано" in why(code)
    made, code = invited(tournament, cast, days=1)
    Invitation.objects.filter(pk=made.pk).update(closes_at=timezone.now())
    assert "срок" in why(code)
    assert list(invitations_waiting(tournament)) == []


def test_ten_wrong_codes_close_the_invitation_that_they_begin_like_and_no_other(
    tournament: Tournament, cast: Cast
) -> None:
    made, code = invited(tournament, cast)
    _other, other_code = invited(tournament, cast)
    last = "A" if code[-1] != "A" else "C"
    for _ in range(MOST_TRIES - 1):
        assert "Такого приглашения нет" in why(code[:-1] + last)
    assert invited_with(code) == made
    assert "Такого приглашения нет" in why(code[:-1] + last)
    assert "Слишком много" in why(code)
    assert invited_with(other_code) == _other
    with pytest.raises(Invalid):
        accept(code, cast.stranger)


@pytest.mark.parametrize("typed", ["", "-", "AAAA", "Ж" * 300, "\x00\x00", "'; DROP TABLE", "🙂🙂🙂🙂🙂🙂"])
def test_what_is_no_code_opens_nothing(tournament: Tournament, cast: Cast, typed: str) -> None:
    invited(tournament, cast)
    assert "Такого приглашения нет" in why(typed)


@pytest.mark.parametrize(
    "given",
    [{"role": "king"}, {"days": 0}, {"days": 10_000}, {"email": "a@b.ru\nBcc: c@d.ru"}, {"email": "nowhere"}],
    ids=str,
)
def test_an_invitation_that_makes_no_sense_is_not_made(tournament: Tournament, cast: Cast, given: Any) -> None:
    with pytest.raises(Invalid):
        invited(tournament, cast, **given)
    assert Invitation.objects.count() == 0


def test_a_form_sent_twice_makes_one_invitation(tournament: Tournament, cast: Cast) -> None:
    uuid = uuid4()
    invite(tournament, "judge", by=cast.organizer, uuid=uuid)
    with pytest.raises(Invalid):
        invite(tournament, "judge", by=cast.organizer, uuid=uuid)
    assert Invitation.objects.count() == 1


def test_five_thousand_invitations_are_refused_and_told_at_once(
    tournament: Tournament, cast: Cast, django_assert_max_num_queries: Any
) -> None:
    made, code = invited(tournament, cast)
    now = timezone.now()
    Invitation.objects.bulk_create(
        Invitation(
            tournament=tournament, role="judge", handle=f"{number:04d}", digest="0" * 64, made_at=now,
            made_by=cast.organizer, closes_at=now + timedelta(days=1),
        )
        for number in range(4999)
    )  # fmt: skip
    with django_assert_max_num_queries(6), pytest.raises(Invalid) as refused:
        invited(tournament, cast)
    assert "5000" in refused.value.messages[0]
    assert invited_with(code) == made


# ---------------------------------------------------------------- roles taken and changed


def test_a_judge_with_games_that_are_not_signed_hands_them_over_first(game: Game, cast: Cast) -> None:
    tournament = game.tournament
    with pytest.raises(Invalid) as refused:
        dismiss(tournament, cast.judge, MemberRole.JUDGE, by=cast.organizer)
    assert refused.value.messages == [
        "У судьи Анна Королёва остались неподписанные игры: игра 1, стол 1 (Отбор). Сначала передайте их."
    ]
    member = Member.objects.get(tournament=tournament, user=cast.judge)
    with pytest.raises(Invalid):
        change_role(member, MemberRole.COMMISSION, by=cast.organizer)
    assert roles(tournament, cast.judge) == ["judge"]
    assert [change.user for change in member_changes_of(tournament)] == [cast.organizer]
    change_role(member, MemberRole.HEAD_JUDGE, by=cast.organizer)
    assert roles(tournament, cast.judge) == ["head_judge"]
    hand_over(game, cast.other_judge)
    dismiss(tournament, cast.judge, MemberRole.HEAD_JUDGE, by=cast.organizer)
    assert roles(tournament, cast.judge) == []
    assert [(each.role, each.what) for each in member_changes_of(tournament)[:3]] == [
        ("head_judge", "taken"), ("judge", "taken"), ("head_judge", "given"),
    ]  # fmt: skip


def test_a_refusal_names_five_games_and_how_many_more(game: Game, cast: Cast) -> None:
    for _ in range(6):
        create_game(game.stage, played_on=game.played_on, judge=cast.judge)
    with pytest.raises(Invalid) as refused:
        dismiss(game.tournament, cast.judge, MemberRole.JUDGE)
    assert "игра 5, стол 1 (Отбор) и ещё 2. Сначала" in refused.value.messages[0]


def test_a_judge_whose_games_are_signed_may_go(game: Game, cast: Cast) -> None:
    written(game, cast.judge, WON_BY_RED)
    seal(game, revision=4, by=cast.judge)
    dismiss(game.tournament, cast.judge, MemberRole.JUDGE, by=cast.organizer)
    assert roles(game.tournament, cast.judge) == []


def test_the_last_organizer_who_can_log_in_stays(tournament: Tournament, cast: Cast) -> None:
    gone = User.objects.create_user("gone", is_active=False)
    appoint(tournament, gone, MemberRole.ORGANIZER)
    with pytest.raises(Invalid):
        dismiss(tournament, cast.organizer, MemberRole.ORGANIZER, by=cast.organizer)
    with pytest.raises(Invalid):
        change_role(Member.objects.get(user=cast.organizer), MemberRole.HEAD_JUDGE, by=cast.organizer)
    assert roles(tournament, cast.organizer) == ["organizer"]
    appoint(tournament, cast.head_judge, MemberRole.ORGANIZER, by=cast.organizer)
    dismiss(tournament, cast.organizer, MemberRole.ORGANIZER, by=cast.organizer)
    assert roles(tournament, cast.organizer) == []


def test_nobody_is_given_a_role_twice(tournament: Tournament, cast: Cast) -> None:
    appoint(tournament, cast.judge, MemberRole.COMMISSION)
    member = Member.objects.get(tournament=tournament, user=cast.judge, role="judge")
    with pytest.raises(Invalid):
        change_role(member, MemberRole.COMMISSION, by=cast.organizer)
    _made, code = invited(tournament, cast)
    with pytest.raises(Invalid):
        accept(code, cast.judge)
    assert invited_with(code).accepted_by is None


def test_a_commissioner_is_given_no_game(game: Game, cast: Cast) -> None:
    with pytest.raises(Invalid):
        hand_over(game, cast.commissioner)
    assert seat_players(game, NICKNAMES).is_written


# ---------------------------------------------------------------- a judge who plays


def plays(tournament: Tournament, user: User, nickname: str, by: User) -> Player | None:
    """What is said of the person's play."""
    member = Member.objects.filter(tournament=tournament, user=user)[0]
    return say_who_plays(member, nickname, by=by)


def test_a_judge_who_plays_is_given_no_table_of_their_own(game: Game, cast: Cast) -> None:
    made = plays(game.tournament, cast.other_judge, " вихрь", cast.organizer)
    assert (made.nickname if made else "", Player.objects.get(nickname="Вихрь").user) == ("Вихрь", cast.other_judge)
    with pytest.raises(Invalid) as refused:
        hand_over(game, cast.other_judge)
    assert refused.value.messages == ["other_judge не может судить за столом 1: играет там, место 3, Вихрь."]
    empty = create_game(game.stage, played_on=game.played_on, judge=cast.other_judge)
    with pytest.raises(Invalid) as refused:
        seat_players(empty, NICKNAMES[::-1])
    assert refused.value.messages == ["Место 8, Вихрь: судья игры в ней не играет."]
    assert seat_players(empty, {seat: name for seat, name in enumerate(NICKNAMES, 1) if name != "Вихрь"}).is_written


def test_a_judge_with_an_unsigned_table_is_no_player_of_it(game: Game, cast: Cast) -> None:
    with pytest.raises(Invalid) as refused:
        plays(game.tournament, cast.judge, "Вихрь", cast.organizer)
    assert refused.value.messages == ["Игра 1, стол 1, место 3, Вихрь: судья игры в ней не играет."]
    assert Player.objects.get(nickname="Вихрь").user is None
    written(game, cast.judge, WON_BY_RED)
    seal(game, revision=4, by=cast.judge)
    assert plays(game.tournament, cast.judge, "Вихрь", cast.organizer) is not None


def test_a_player_is_one_person_who_takes_part(game: Game, cast: Cast) -> None:
    Player.objects.create(nickname="Посторонний")
    for nickname in ("Барс", "Посторонний", "Никто"):  # another's, of no game here, of nobody
        with pytest.raises(Invalid):
            plays(game.tournament, cast.other_judge, nickname, cast.organizer)
    plays(game.tournament, cast.other_judge, "Вихрь", cast.organizer)
    plays(game.tournament, cast.other_judge, "Гранит", cast.organizer)
    assert list(Player.objects.filter(user=cast.other_judge).values_list("nickname", flat=True)) == ["Гранит"]
    written(game, cast.judge, WON_BY_RED[:3])
    with pytest.raises(Invalid) as refused:
        plays(game.tournament, cast.other_judge, "", cast.organizer)
    assert "стол" in refused.value.messages[0]
    assert Player.objects.get(nickname="Гранит").user == cast.other_judge
