"""A login that expires under any form of the site: what was typed in it is offered again, or the press repeated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from html.parser import HTMLParser
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from protocols.models import CorrectionRequest, Draft, FiledHow, SeatingRun, SeatingState
from protocols.services import seating_people
from protocols.services.prepare import add_stage, printed_name
from protocols.services.protests import Words, file_protest
from scoring.season_services import create_season
from scoring.team_services import add_team

from .markup import Page
from .world import PASSWORD, World, world

NOTHING_TYPED_BEFORE = {
    "login": "is how one logs in",
    "logout": "ends the login; it takes nothing",
    "login-again": "is how one logs in again",
    "join": "is for whoever has a code, with a login or without",
    "invitation": "makes an account, or is pressed with a login; the address keeps the code",
    "clock": "is sent by the board’s script: the timer, in which nothing is typed",
    "queue": "is sent by the board’s script, which keeps its taps until they are answered",
    "register": "is for people without a login",
    "application": "is for people without a login; it takes nothing",
    "protest-file": "is for whoever has the code of a seat, without a login",
    "throw-away": "forgets what was typed, of a session that an expired login has not",
}
"""Views that take a POST and keep nothing, each with its reason; Django’s own admin aside."""

DUMMIES: dict[str, Any] = {
    "UUIDConverter": UUID(int=7),
    "IntConverter": 1,
    "SlugConverter": "x",
    "StringConverter": "x",
}
DRAFT = UUID(int=8)


@dataclass(frozen=True)
class Typed:
    """A form of the site: by whom, where it is shown, what is typed in it; `shown` where the page spells it anew."""

    view: str
    by: str = "organizer"
    page: str = ""  # the view of its page, if another one
    fields: dict[str, str] = field(default_factory=dict)
    hidden: dict[str, str] = field(default_factory=dict)  # sent along, not shown again
    has_file: bool = False


GAME = {"number": "77", "table_number": "5", "played_on": "2026-10-11"}
FORMS = [
    Typed("tournament-new", fields={"title": "Кубок Ё", "city": "Омск", "starts_on": "2026-11-01", "slug": "yo"}),
    Typed(
        "tournament-edit", fields={"tournament-title": "Иное", "tournament-city": "Уфа"}, hidden={"part": "tournament"}
    ),
    Typed("tournament-edit", fields={"stage-name": "Полуфинал", "stage-multiplier": "1,25"}, hidden={"part": "stage"}),
    Typed("people", fields={"invite-whom": "Пётр", "invite-days": "3"}, hidden={"part": "invite"}),
    Typed("people", fields={"member-username": "plain"}, hidden={"part": "member"}),
    Typed("member", fields={"role": "commission"}, hidden={"part": "role"}),
    Typed("member", fields={"nickname": "Ёлка"}, hidden={"part": "plays"}),
    Typed("tournament-edit", fields={f"game-{name}": text for name, text in GAME.items()}, hidden={"part": "game"}),
    Typed("regulation-edit", fields={"name": "Студенческий", "win_red": "2,5"}, hidden={"from": "A"}),
    Typed("qualifying", fields={"ratings": "Астра 12"}),
    Typed("participants", fields={"nicknames": "Ёлка"}, hidden={"part": "add"}),
    Typed("apart", fields={"most": "3"}, hidden={"part": "pair"}),
    Typed("registration", fields={"places": "40"}, hidden={"part": "open"}),
    Typed("merge", fields={"gone": "Ёлка", "kept": "Кот"}),
    Typed("roster", fields={"text": "Ёлка; Анна"}, has_file=True),
    Typed("seating", fields={"games": "7", "tables": "2"}, hidden={"part": "draw"}),
    Typed("changes", "head", fields={"came": "Ёлка", "reason": "Заболел"}, hidden={"part": "replace"}),
    Typed("round", "head", fields={"round": "7", "table": "5"}, hidden={"part": "move"}),
    Typed("seating-run", fields={"first_round": "3", "minutes": "45"}, hidden={"part": "use"}),
    Typed("stage-edit", fields={"name": "Первая", "multiplier": "два"}),
    Typed("game-new", "judge", fields=GAME),
    Typed("upload", fields={"stage": "Отборочная"}, hidden={"as_draft": "on"}, has_file=True),
    Typed("draft-correct", page="draft", fields={"stage": "Отборочная"}, has_file=True),
    Typed("draft-discard", page="draft", fields={"reason": "Прислали другой файл"}),
    Typed("hand-over", "judge", fields={"judge": "other"}),
    Typed("reopen", "head", page="game", fields={"reason": "Спутаны баллы"}),
    Typed("game-protests", "judge", fields={"text": "Не слышал «Спасибо»", "clause": "A 6.6.1"}),
    Typed("ask-correction", "judge", page="game", fields={"text": "Фол дан не тому"}),
    Typed("protest", "head", fields={"clause": "A 6.6.1", "reasons": "Слышно на видео"}, hidden={"part": "preview"}),
    Typed("discipline", "head", fields={"points": "1,5", "reason": "Опоздание"}, hidden={"part": "give"}),
    Typed("tournament-queue", "head", fields={"answer": "Фол тот"}, hidden={"of": "0"}),
    Typed("prepare", "judge", fields={"nickname_3": "Ёлка", "judge_name": "Иванова", "number": "9"}),
    Typed("paper", "judge", fields={"nominees_1": "5 9", "best_move": "1 2 3"}, hidden={"revision": "0"}),
    Typed("finish", "judge", fields={"extra_3": "0,35", "comment_3": "за речь"}, hidden={"revision": "0"}),
    Typed("archive-upload", has_file=True),
    Typed("cut", fields={"size": "7"}, hidden={"part": "size"}),
    Typed("teams-edit", fields={"name": "Север", "city": "Омск"}),
    Typed("teams-paste", fields={"text": "Север: Астра"}),
    Typed("team-edit", fields={"points": "1,5", "reason": "Опоздание"}, hidden={"part": "penalty"}),
    Typed("release", fields={"number": "7"}, hidden={"part": "hide"}),
    Typed("season-new", fields={"title": "Осень", "slug": "autumn"}),
    Typed("season-edit", fields={"title": "Весь год", "owners": "organizer, head"}),
]
BUTTONS = {
    "invitation-withdraw": ("people", {}),
    "photo-attach": ("photos", {}),
    "draw-lots": ("standings", {"player": "1"}),
    "running-forms": ("desk", {}),
    "cut-lot": ("cut-lot", {}),
    "regulation-choose": ("regulation", {"number": "0"}),
    "regulation-games": ("regulation-games", {"game": "7"}),
}
ELSEWHERE = {"entries": "test_board_login.py plays it", "final": "scoring/test_final.py takes its cut first"}


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    """Every address of the site, Django’s own admin aside."""
    for each in resolver.url_patterns:
        if isinstance(each, URLPattern):
            yield each
        elif each.namespace != "admin":
            yield from patterns(each)


def dummies(pattern: URLPattern) -> dict[str, Any]:
    """Arguments that fit the address, of nothing that there is."""
    return {name: DUMMIES[type(converter).__name__] for name, converter in pattern.pattern.converters.items()}


def views_that_take_a_post() -> set[str]:
    """The names of views that answer a stranger’s POST with anything but «this is only read»."""
    found = set()
    for pattern in patterns(get_resolver()):
        if Client().post(reverse(str(pattern.name), kwargs=dummies(pattern)), {"typed": "«слова»"}).status_code != 405:
            found.add(str(pattern.name))
    return found


def test_every_form_of_the_site_is_kept_by_a_test(db: None) -> None:
    known = {typed.view for typed in FORMS} | set(BUTTONS) | set(ELSEWHERE)
    assert views_that_take_a_post() - set(NOTHING_TYPED_BEFORE) == known


def test_every_view_that_takes_a_post_asks_a_stranger_to_log_in_again(db: None) -> None:
    for name in sorted(views_that_take_a_post() - set(NOTHING_TYPED_BEFORE)):
        pattern = next(each for each in patterns(get_resolver()) if each.name == name)
        answer = Client().post(reverse(name, kwargs=dummies(pattern)), {"typed": "«слова»"})
        asked = next(form for form in Page(answer.content.decode()).forms if form.action == "/login/again/")
        assert (name, answer.status_code, "typed" in dict(asked.fields)) == (name, 401, True)


# ---------------------------------------------------------------- each form


class Shown(HTMLParser):
    """What the fields of a page hold."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.values: dict[str, str] = {}
        self._select = self._area = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Fields and what is chosen in them."""
        found = {name: value or "" for name, value in attrs}
        name = found.get("name", "")
        if tag == "select":
            self._select = name
        elif tag == "textarea":
            self._area = name
        elif tag == "option" and "selected" in found:
            self.values[self._select] = found.get("value", "")
        elif tag == "input" and found.get("type") == "radio":
            if "checked" in found:
                self.values[name] = found.get("value", "")
        elif tag == "input":
            self.values[name] = found.get("value", "")

    def handle_data(self, data: str) -> None:
        """The words of an area."""
        if self._area:
            self.values[self._area] = self.values.get(self._area, "") + data.strip()

    def handle_endtag(self, tag: str) -> None:
        """The end of an area."""
        if tag == "textarea":
            self._area = ""


@pytest.fixture
def cup(db: None) -> World:
    """The tournament, with a draft."""
    made = world()
    add_stage(made.tournament, name="Финал", multiplier=Decimal(1), is_final=True, number=9)
    seating_people.register(made.tournament, made.nicknames)
    SeatingRun.objects.create(
        uuid=made.over.uuid, stage=made.stage, games=1, tables=1, seed=1, seconds=0, state=SeatingState.DONE,
        players=[each.player_id for each in made.tournament.participants.all()], plan=[[list(range(10))]],
        asked_by=made.people["organizer"], asked_at=datetime(2026, 10, 10, tzinfo=UTC),
    )  # fmt: skip
    Draft.objects.create(
        uuid=DRAFT, tournament=made.tournament, name="game.json", raw=b"{}", sha256="0" * 64, regulation="F",
        contradictions=[], taken_by=made.people["organizer"], taken_at=datetime(2026, 10, 10, tzinfo=UTC),
    )  # fmt: skip
    file_protest(made.signed, Words("Не слышал «Спасибо»"), seat=2, how=FiledHow.CODE, uuid=made.over.uuid)
    CorrectionRequest.objects.create(
        game=made.running, text="Фол", asked_by=made.people["judge"], asked_at=datetime(2026, 10, 10, tzinfo=UTC)
    )
    day = made.tournament.starts_on
    add_team(made.tournament, name="Юг")
    create_season(title="Сезон", slug="cup", starts_on=day, ends_on=day, by=made.people["organizer"])
    return made


def address(name: str, cup: World) -> str:
    """The address of the view, with the tournament’s own things in it."""
    signed = dict.fromkeys(("reopen", "game", "ask-correction", "photos", "photo-attach"), cup.signed)
    game = {**signed, "hand-over": cup.prepared}.get(name, cup.over)
    given = {
        "slug": "cup",
        "key": next(iter(cup.tournament.members.values_list("pk", flat=True))),
        "pk": next(iter(cup.tournament.teams.values_list("pk", flat=True))),
        "number": 9 if name.startswith("cut") else 1,
        "stage": 1,
        "uuid": DRAFT if name.startswith("draft") else game.uuid,
    }
    pattern = next(each for each in patterns(get_resolver()) if each.name == name)
    return reverse(name, kwargs={key: given[key] for key in pattern.pattern.converters})


def logged_in_again(client: Client, asked: str, by: str) -> str:
    """Fills the form that asks for a login again; where it leads."""
    form = next(form for form in Page(asked).forms if form.action == "/login/again/")
    answer = client.post(form.action, form.sent() | {"username": [by], "password": [PASSWORD]})
    return str(answer.headers.get("Location", answer.status_code))


@pytest.mark.parametrize("typed", FORMS, ids=[f"{typed.view}-{len(typed.fields)}" for typed in FORMS])
def test_what_was_typed_when_the_login_had_gone_stands_in_its_form_again(
    client: Client, cup: World, typed: Typed
) -> None:
    fields = {name: str(cup.people[text].pk) if name == "judge" else text for name, text in typed.fields.items()}
    file = {"file": SimpleUploadedFile("game.json", b"{}")} if typed.has_file else {}
    answer = client.post(address(typed.view, cup), {**fields, **typed.hidden, **file})
    assert answer.status_code == 401
    page = address(typed.page or typed.view, cup)
    assert logged_in_again(client, answer.content.decode(), typed.by) == page
    for _ in range(2):  # it waits
        shown = client.get(page)
        assert shown.status_code == 200
        html = shown.content.decode()
        found = Shown(html).values
        assert {name: found.get(name) for name in fields} == fields
        assert ("Файл сохранить нельзя: выберите его ещё раз." in html) == (typed.has_file and bool(fields))


@pytest.mark.parametrize("name", BUTTONS)
def test_a_button_pressed_when_the_login_had_gone_is_shown_again(client: Client, cup: World, name: str) -> None:
    page, sent = BUTTONS[name]
    answer = client.post(address(name, cup), sent)
    assert answer.status_code == 401
    assert "ничего не сделано: войдите и нажмите кнопку ещё раз" in answer.content.decode()
    assert logged_in_again(client, answer.content.decode(), "organizer") == address(page, cup)
    assert "typed-again" not in client.get(address(page, cup)).content.decode()


def kept_stage(client: Client, cup: World) -> str:
    """The page of settings, on which a new stage waits to be written."""
    page = address("tournament-edit", cup)
    answer = client.post(page, {"part": "stage", "stage-name": "Полуфинал"})
    logged_in_again(client, answer.content.decode(), "organizer")
    assert Shown(client.get(page).content.decode()).values["stage-name"] == "Полуфинал"
    return page


def test_what_was_typed_is_forgotten_once_it_is_written(client: Client, cup: World) -> None:
    page = kept_stage(client, cup)
    sent = {"part": "stage", "stage-name": "Полуфинал", "stage-number": "2", "stage-multiplier": "1"}
    assert client.post(page, sent).status_code == 302
    assert Shown(client.get(page).content.decode()).values["stage-name"] == ""


def test_what_was_typed_may_be_thrown_away(client: Client, cup: World) -> None:
    page = kept_stage(client, cup)
    form = next(form for form in Page(client.get(page).content.decode()).forms if form.action.endswith("/forget/"))
    assert client.post(form.action, form.sent()).headers["Location"] == page
    assert Shown(client.get(page).content.decode()).values["stage-name"] == ""


def test_only_a_page_on_which_something_waits_is_led_to(client: Client, cup: World) -> None:
    kept_stage(client, cup)
    for elsewhere in ("https://example.org/", "//example.org/", "/t/cup/", ""):
        assert client.post("/login/again/forget/", {"page": elsewhere}).headers["Location"] == "/"


def test_a_reason_typed_by_the_head_judge_is_shown_to_no_other(client: Client, cup: World) -> None:
    page = address("game", cup)
    answer = client.post(address("reopen", cup), {"reason": "Спутаны баллы"})
    assert logged_in_again(client, answer.content.decode(), "judge") == page
    assert "Спутаны баллы" not in client.get(page).content.decode()
    assert printed_name(User.objects.get(username="judge")) == "Соколова"
