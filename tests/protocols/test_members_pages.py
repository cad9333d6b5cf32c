"""The people of a tournament on their page: who sees and changes what; an invitation from the form to the new judge."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from protocols.models import Invitation, Member, MemberRole
from protocols.services.invitations import accept, invite
from protocols.services.prepare import appoint

from .test_pages_tournaments import messages_of, text_of
from .world import PASSWORD, World, person, world

PEOPLE = ["organizer", "head", "commission", "judge", "other", "player", "plain", "foreign", "anonymous"]


@pytest.fixture
def cup(db: None) -> World:
    """The tournament, its commission and a player who logs in."""
    made = world()
    made.people.update({"commission": person("commission", "Совет"), "player": person("player", "Игрок")})
    appoint(made.tournament, made.people["commission"], MemberRole.COMMISSION)
    seated = made.running.seats.select_related("player").order_by("number")[0].player
    seated.user = made.people["player"]
    seated.save()
    return made


def client_of(cup: World, name: str) -> Client:
    """A browser in which that person is logged in."""
    client = Client()
    if name != "anonymous":
        client.force_login(cup.people[name])
    return client


def invitation_of(cup: World, role: str = "judge") -> tuple[Invitation, str]:
    """An invitation, and its code."""
    return invite(cup.tournament, role, by=cup.people["organizer"], whom="Пётр", uuid=uuid4())


def sent(**fields: object) -> dict[str, object]:
    """The form of an invitation as the browser sends it."""
    told = {"role": "judge", "whom": "Пётр", "days": "7", "uuid": uuid4(), **fields}
    return {"part": "invite", **{f"invite-{name}": value for name, value in told.items()}}


def code_on(page: str) -> str:
    """The code that the page shows."""
    return str(re.findall(r'class="invited__code">([^<]+)<', page)[0])


def test_who_sees_and_changes_the_people(cup: World) -> None:
    made, _code = invitation_of(cup)
    key = Member.objects.get(tournament=cup.tournament, user=cup.people["other"]).pk
    at = "/t/cup/people/"
    asked: dict[str, tuple[str, str, dict[str, Any]]] = {
        "the list": ("get", at, {}),
        "one of them": ("get", f"{at}{key}/", {}),
        "inviting": ("post", at, sent(role="king")),
        "appointing": ("post", at, {"part": "member", "member-username": "nobody", "member-role": "judge"}),
        "changing": ("post", f"{at}{key}/", {"part": "role", "role": "king"}),
        "withdrawing": ("post", f"{at}invitations/{uuid4()}/withdraw/", {}),
    }
    answers = {
        what: [getattr(client_of(cup, who), method)(path, data).status_code for who in PEOPLE]
        for what, (method, path, data) in asked.items()
    }
    others = [403] * 7
    assert answers == {
        "the list": [200, 200, 200, 200, 200, 403, 403, 403, 302],
        "one of them": [200, *others, 302],
        "inviting": [422, *others, 401],
        "appointing": [422, *others, 401],
        "changing": [422, *others, 401],
        "withdrawing": [404, *others, 401],
    }
    made.refresh_from_db()
    assert made.withdrawn_at is None


def test_invitations_and_changes_are_for_those_who_run_the_tournament(cup: World) -> None:
    invitation_of(cup)
    seen = {
        who: [client_of(cup, who).get("/t/cup/people/").content.decode().count(f'id="{part}"')
              for part in ("serving", "invite", "invitations", "changes")]
        for who in PEOPLE[:5]
    }  # fmt: skip
    assert seen == {
        "organizer": [1, 1, 1, 1], "head": [1, 0, 1, 1], "commission": [1, 0, 0, 0], "judge": [1, 0, 0, 0],
        "other": [1, 0, 0, 0],
    }  # fmt: skip


def test_a_tournament_that_is_not_public_has_no_people_for_strangers(cup: World) -> None:
    cup.tournament.is_public = False
    cup.tournament.save()
    assert [client_of(cup, who).get("/t/cup/people/").status_code for who in PEOPLE] == [200] * 5 + [404] * 3 + [302]


def test_another_tournaments_organizer_touches_nobody_here(cup: World) -> None:
    made, _code = invitation_of(cup)
    key = Member.objects.get(tournament=cup.tournament, user=cup.people["judge"]).pk
    foreign = client_of(cup, "foreign")
    assert foreign.post(f"/t/elsewhere/people/{key}/", {"part": "dismiss"}).status_code == 404
    assert foreign.post(f"/t/elsewhere/people/invitations/{made.uuid}/withdraw/").status_code == 404
    assert Member.objects.filter(pk=key).exists()


def test_posts_need_the_token_of_the_form(cup: World) -> None:
    made, code = invitation_of(cup)
    client = Client(enforce_csrf_checks=True)
    client.force_login(cup.people["organizer"])
    paths = ["/t/cup/people/", f"/t/cup/people/invitations/{made.uuid}/withdraw/", "/join/", f"/join/{code}/"]
    assert [client.post(path).status_code for path in paths] == [403] * 4


# ---------------------------------------------------------------- inviting


def test_the_code_is_shown_once_and_works(cup: World) -> None:
    organizer = client_of(cup, "organizer")
    form = sent()
    answer = organizer.post("/t/cup/people/", form)
    page = answer.content.decode()
    code = code_on(page)
    assert (answer.status_code, "no-store" in answer["Cache-Control"]) == (200, True)
    assert f"http://testserver/join/{code}/" in page
    assert code not in organizer.get("/t/cup/people/").content.decode()
    again = organizer.post("/t/cup/people/", form)
    assert (again.status_code, Invitation.objects.count()) == (422, 1)
    client = Client()
    assert client.post("/join/", {"code": code.lower().replace("-", " ")})["Location"] == f"/join/{code}/"
    new = {
        "username": "petr", "first_name": "Пётр", "last_name": "Новый", "password1": PASSWORD, "password2": PASSWORD,
    }  # fmt: skip
    joined = client.post(f"/join/{code}/", new, follow=True)
    assert messages_of(joined.content.decode()) == ["Добро пожаловать на «Кубок»! Ваша роль — судья."]
    assert joined.redirect_chain == [("/t/cup/", 302)]
    assert client.get("/t/cup/people/").status_code == 200
    used = Client().get(f"/join/{code}/")
    assert (used.status_code, "работает один раз" in text_of(used.content.decode())) == (404, True)


def test_a_new_account_has_a_password_by_the_rules_and_a_name_of_ones_own(cup: World) -> None:
    _made, code = invitation_of(cup)
    given = {"username": "petr", "first_name": "Пётр", "last_name": "Новый", "password1": "12345", "password2": "12345"}
    bad = [given, {**given, "password1": PASSWORD, "password2": PASSWORD, "username": "JUDGE"},
           {**given, "password1": PASSWORD, "password2": PASSWORD, "username": "file.0123"},
           {**given, "password1": PASSWORD, "password2": "another long one"},
           {**given, "password1": PASSWORD, "password2": PASSWORD, "last_name": ""}]  # fmt: skip
    assert [Client().post(f"/join/{code}/", each).status_code for each in bad] == [422] * 5
    assert Member.objects.filter(tournament=cup.tournament, role="judge").count() == 2


def test_somebody_who_is_logged_in_accepts_as_themselves(cup: World) -> None:
    _made, code = invitation_of(cup, "organizer")
    plain = client_of(cup, "plain")
    assert "Принять: Простова" in text_of(plain.get(f"/join/{code}/").content.decode())
    assert plain.post(f"/join/{code}/")["Location"] == "/t/cup/desk/"
    assert plain.get("/t/cup/edit/").status_code == 200


def test_somebody_who_serves_so_already_leaves_the_code_to_others(cup: World) -> None:
    _made, code = invitation_of(cup)
    judge = client_of(cup, "judge")
    assert "у вас уже есть" in text_of(judge.get(f"/join/{code}/").content.decode())
    assert judge.post(f"/join/{code}/").status_code == 422
    assert client_of(cup, "plain").post(f"/join/{code}/").status_code == 302


def test_without_a_mail_server_the_page_says_so(cup: World, settings: Settings) -> None:
    settings.HAS_MAIL = False
    page = text_of(client_of(cup, "organizer").get("/t/cup/people/").content.decode())
    assert "почтовый сервер на сайте не настроен" in page
    client_of(cup, "organizer").post("/t/cup/people/", sent(email="petr@example.org"))
    assert (Invitation.objects.get().email, mail.outbox) == ("", [])


def test_a_letter_holds_the_link_and_goes_to_one_address(cup: World, settings: Settings) -> None:
    settings.HAS_MAIL = True
    cup.tournament.title = "Кубок\u2028Ёлки"
    page = client_of(cup, "organizer").post("/t/cup/people/", sent(email="petr@example.org")).content.decode()
    letter = mail.outbox[0]
    assert (letter.to, letter.subject) == (["petr@example.org"], "«Кубок»: приглашение, роль — судья")
    assert f"http://testserver/join/{code_on(page)}/" in letter.body
    assert Invitation.objects.get().mailed_at is not None
    for email in ("petr@example.org\nBcc: all@example.org", "petr@example.org, zoya@example.org", "nowhere"):
        assert client_of(cup, "organizer").post("/t/cup/people/", sent(email=email)).status_code == 422
    assert len(mail.outbox) == 1


def test_a_letter_that_did_not_go_is_told(cup: World, settings: Settings) -> None:
    settings.HAS_MAIL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    page = client_of(cup, "organizer").post("/t/cup/people/", sent(email="petr@example.org")).content.decode()
    assert "Письмо на petr@example.org не ушло" in text_of(page)
    assert Invitation.objects.get().mailed_at is None


# ---------------------------------------------------------------- changing


def test_a_role_is_changed_and_taken_and_who_did_it_is_told(cup: World) -> None:
    organizer = client_of(cup, "organizer")
    member = Member.objects.get(tournament=cup.tournament, user=cup.people["other"])
    organizer.post(f"/t/cup/people/{member.pk}/", {"part": "role", "role": "commission"})
    member = Member.objects.get(tournament=cup.tournament, user=cup.people["other"])
    assert member.role == "commission"
    page = organizer.post(f"/t/cup/people/{member.pk}/", {"part": "dismiss"}, follow=True).content.decode()
    assert not Member.objects.filter(tournament=cup.tournament, user=cup.people["other"]).exists()
    assert messages_of(page)[-1] == "Другова больше не член апелляционной комиссии."
    told = text_of(page)
    assert "Другова: теперь член апелляционной комиссии" in told
    assert "Другова: больше не член апелляционной комиссии" in told


def test_a_judge_with_open_games_stays_and_the_games_are_named(cup: World) -> None:
    member = Member.objects.get(tournament=cup.tournament, user=cup.people["judge"])
    answer = client_of(cup, "organizer").post(f"/t/cup/people/{member.pk}/", {"part": "dismiss"})
    assert answer.status_code == 422
    said = "У судьи Соколова остались неподписанные игры: игра 1, стол 1 (Отборочная), игра 2, стол 1 (Отборочная), "
    assert said + "игра 3, стол 1 (Отборочная). Сначала передайте их." in text_of(answer.content.decode())
    assert Member.objects.filter(pk=member.pk).exists()


def test_a_judge_who_plays_is_told_on_the_page(cup: World) -> None:
    member = Member.objects.get(tournament=cup.tournament, user=cup.people["other"])
    organizer = client_of(cup, "organizer")
    seat = cup.running.seats.order_by("number")[4]
    answer = organizer.post(f"/t/cup/people/{member.pk}/", {"part": "plays", "nickname": seat.nickname}, follow=True)
    assert messages_of(answer.content.decode()) == [f"Другова играет как {seat.nickname}."]
    assert f"играет как {seat.nickname}" in text_of(organizer.get("/t/cup/people/").content.decode())
    refused = organizer.post(f"/t/cup/people/{member.pk}/", {"part": "plays", "nickname": ""})
    assert (refused.status_code, f"место 5, {seat.nickname}" in text_of(refused.content.decode())) == (422, True)


def test_the_last_organizer_stays(cup: World) -> None:
    member = Member.objects.get(tournament=cup.tournament, user=cup.people["organizer"])
    answer = client_of(cup, "organizer").post(f"/t/cup/people/{member.pk}/", {"part": "dismiss"})
    assert (answer.status_code, Member.objects.filter(pk=member.pk).exists()) == (422, True)


@pytest.mark.parametrize(
    ("username", "role", "said"),
    [
        ("nobody", "judge", "Пользователя «nobody» на сайте нет."),
        ("judge", "judge", "Соколова — уже судья."),
    ],
)
def test_nobody_unknown_and_nobody_twice(cup: World, username: str, role: str, said: str) -> None:
    fields = {"part": "member", "member-username": username, "member-role": role}
    answer = client_of(cup, "organizer").post("/t/cup/people/", fields)
    assert answer.status_code == 422
    assert said in text_of(answer.content.decode())


def test_somebody_with_an_account_is_given_a_role_at_once(cup: World) -> None:
    fields = {"part": "member", "member-username": "plain", "member-role": "judge"}
    answer = client_of(cup, "organizer").post("/t/cup/people/", fields, follow=True)
    assert messages_of(answer.content.decode()) == ["Простова теперь судья."]
    assert Member.objects.filter(tournament=cup.tournament, user=cup.people["plain"], role="judge").count() == 1


@pytest.mark.parametrize("many", [1, 30])
def test_the_page_asks_as_often_whoever_many_are_invited(
    cup: World, many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(many):
        _made, code = invitation_of(cup)
        accept(code, person(f"judge{number}"))
        invitation_of(cup)
    client = client_of(cup, "organizer")
    with django_assert_num_queries(7):
        client.get("/t/cup/people/")
