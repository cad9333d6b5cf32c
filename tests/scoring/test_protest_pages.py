"""Pages of protests: filing by code, by the judge; deciding, announcing; the queue; and who sees what (RULES §8)."""

from __future__ import annotations

import io
from datetime import timedelta
from uuid import uuid4

import pypdf
import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries

from protocols.models import DecisionKind, FiledHow, Game, MemberRole, Protest, ProtestDecision, SignedSheet, Stage
from protocols.protest_words import in_box
from protocols.services.decisions import Points, Ruling, decide, foresee
from protocols.services.hiding import hide
from protocols.services.prepare import appoint
from protocols.services.protests import Words, code_of, file_protest
from protocols.services.sign import reopen
from scoring.cut_selectors import cuts_of
from scoring.cut_services import set_cut_size, take_cut
from scoring.protest_effect import effect_of
from scoring.selectors import progress_of, standings_of

from .tournaments import PASSWORD, person, played, signed, stage_of, tournament

pytestmark = pytest.mark.django_db
TEXT = "Клятвы не было, её дал судья"


@pytest.fixture(autouse=True)
def no_guesses_yet() -> None:
    """Wrong codes are counted in the process."""
    cache.clear()


@pytest.fixture
def stage() -> Stage:
    """The first stage of a tournament, under edition A."""
    return stage_of(tournament())


@pytest.fixture
def game(stage: Stage) -> Game:
    """A signed game that red won, beside another one; it ended just now."""
    signed(stage, "black")
    made = signed(stage, "red", extra={2: "0.5"})
    made.refresh_from_db()
    return made


def client_of(name: str) -> Client:
    """A browser of that person; of anybody for an empty name."""
    client = Client()
    if name:
        client.force_login(User.objects.get(username=name))
    return client


def by_code(game: Game, **fields: str) -> dict[str, str]:
    """What the player's phone sends."""
    return {"code": code_of(game, 8), "text": TEXT, "clause": "A 6.8.1", "links": "", "uuid": str(uuid4()), **fields}


def filed(game: Game, seat: int = 8) -> Protest:
    """A protest against it."""
    return file_protest(game, Words(TEXT, "A 6.8.1"), seat=seat, how=FiledHow.CODE)


def desk_of(protest: Protest) -> str:
    """The address of the page on which it is decided."""
    return f"/t/cup/protests/{protest.uuid}/"


def ruling(game: Game, kind: str = "result_changed", **fields: str) -> dict[str, str]:
    """The decision as the form sends it."""
    result = "black" if kind == "result_changed" else ""
    given = {"revision": str(game.revision), "kind": kind, "result": result, "clause": "A 6.8.1", "extra_2": "0,5"}
    return {**given, "reasons": "Слышно на видео", **fields}


def seen_in(answer: str) -> str:
    """The mark of the effect that was shown."""
    return answer.split('name="seen" value="')[1].split('"')[0]


# ---------------------------------------------------------------- filing


def test_a_player_files_with_the_code_of_the_seat_and_without_a_login(game: Game) -> None:
    address, anybody = f"/games/{game.uuid}/protest/", Client()
    asked = anybody.get(address).content.decode()
    assert ("Код вашего места" in asked, "Кубок" in asked, "data-until" in asked) == (True, False, False)
    form = anybody.post(address, {"code": code_of(game, 8)}).content.decode()
    assert "data-until" in form
    sent = by_code(game, links="https://video.example/7")
    for _ in range(2):  # sent twice it is one
        answer = anybody.post(address, sent)
        assert (answer.status_code, "Протест № 1 подан" in answer.content.decode()) == (200, True)
    made = Protest.objects.get()
    assert (made.seat, made.how, made.text, made.links) == (8, "code", TEXT, ["https://video.example/7"])


def test_before_the_code_nothing_tells_whether_the_game_is_over(stage: Stage, game: Game) -> None:
    from .tournaments import prepared

    other = prepared(stage)
    pages = [Client().get(f"/games/{each.uuid}/protest/").content.decode() for each in (game, other)]
    shown = [page.split("csrfmiddlewaretoken")[0] for page in pages]
    assert shown[0] == shown[1]
    form = Client().post(f"/games/{other.uuid}/protest/", {"code": code_of(other, 3)}).content.decode()
    assert "Окончание игры ещё не записано" in form


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"code": "00000000"}, "Это не код этой игры"),
        ({"text": "ы" * 1_000_000}, "не более 2000"),
        ({"text": " "}, "Обязательное поле"),
        ({"links": "javascript:alert(1)"}, "не адрес страницы"),
        ({"clause": "A" * 41}, "не более 40"),
    ],
)
def test_what_is_not_taken_is_said_in_words(game: Game, fields: dict[str, str], said: str) -> None:
    answer = Client().post(f"/games/{game.uuid}/protest/", by_code(game, **fields))
    assert (answer.status_code, said in answer.content.decode(), Protest.objects.count()) == (422, True, 0)


def test_a_late_player_is_told_by_how_much_and_the_head_judge_may_admit(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(ended_at=timezone.now() - timedelta(minutes=12, seconds=29.5))
    answer = Client().post(f"/games/{game.uuid}/protest/", by_code(game))
    assert answer.status_code == 422
    assert "опоздание 2:3" in answer.content.decode()
    written = {"seat": "8", "text": TEXT, "uuid": str(uuid4()), "admitted_because": "бланк был у судьи"}
    assert client_of("judge").post(f"/games/{game.uuid}/protests/", written).status_code == 422
    assert client_of("head").post(f"/games/{game.uuid}/protests/", written).status_code == 302
    made = Protest.objects.get()
    assert (made.admitted_by, made.admitted_because) == (User.objects.get(username="head"), "бланк был у судьи")


def test_the_judge_shows_the_codes_while_there_is_time_and_writes_protests_down(game: Game) -> None:
    address, judge = f"/games/{game.uuid}/protests/", client_of("judge")
    code = code_of(game, 8)
    assert f"{code[:4]} {code[4:]}" in judge.get(address).content.decode()
    assert judge.post(address, {"seat": "8", "text": TEXT, "made_at": "25:77", "uuid": str(uuid4())}).status_code == 422
    assert judge.post(address, {"seat": "8", "text": TEXT, "uuid": str(uuid4())}).status_code == 302
    again = judge.post(address, {"seat": "8", "text": "Ещё", "uuid": str(uuid4())})
    assert (again.status_code, "протест на эту игру уже подан" in again.content.decode()) == (422, True)
    Game.objects.filter(pk=game.pk).update(ended_at=timezone.now() - timedelta(minutes=11))
    assert f"{code[:4]} {code[4:]}" not in judge.get(address).content.decode()


def test_the_protest_stands_in_the_box_of_the_protocol_on_page_and_paper(game: Game) -> None:
    Client().get(f"/games/{game.uuid}/sheet.pdf")  # drawn before
    filed(game)
    page = Client().get(f"/games/{game.uuid}/").content.decode()
    assert (page.count(TEXT), "не рассмотрен" in page) == (2, True)
    response = Client().get(f"/games/{game.uuid}/sheet.pdf")
    pdf = pypdf.PdfReader(io.BytesIO(b"".join(response.streaming_content)))  # type: ignore[attr-defined]
    words = " ".join(" ".join(each.extract_text() for each in pdf.pages).split())
    assert "Клятвы не было, её дал судья" in words
    assert SignedSheet.objects.get(game=game).sheet.protest == ""


def test_a_long_protest_says_in_the_box_where_the_rest_is(game: Game) -> None:
    protest = filed(game)
    protest.text = "я" * 600
    assert in_box(protest).endswith(": " + "я" * 600)
    protest.text = "я" * 601
    assert in_box(protest).endswith(": " + "я" * 600 + "… [весь текст — на странице игры]")


def test_a_public_page_has_the_clock_only_while_it_runs(game: Game) -> None:
    assert "data-until" in Client().get(f"/games/{game.uuid}/").content.decode()
    Game.objects.filter(pk=game.pk).update(ended_at=timezone.now() - timedelta(minutes=11))
    assert "data-until" not in Client().get(f"/games/{game.uuid}/").content.decode()


# ---------------------------------------------------------------- deciding


def test_the_whole_path_from_the_preview_to_the_announced_decision(game: Game) -> None:
    protest, head = filed(game), client_of("head")
    desk = desk_of(protest)
    assert (progress_of(game.tournament).protests, progress_of(game.tournament).decided) == (1, 0)
    before = [(place.player_id, place.number) for place in standings_of(game.tournament).table.places]
    early = head.post(desk, {**ruling(game), "part": "give"})
    assert (early.status_code, ProtestDecision.objects.count()) == (422, 0)
    shown = head.post(desk, {**ruling(game), "part": "preview"}).content.decode()
    assert ("победа красных" in shown, "победа чёрных" in shown, "→" in shown) == (True, True, True)
    assert ProtestDecision.objects.count() == 0
    given = head.post(desk, {**ruling(game), "part": "give", "seen": seen_in(shown)})
    assert given.status_code == 302
    document = f"/games/{game.uuid}/protests/1/"
    assert [Client().get(each).status_code for each in (document, f"{document}decision.pdf")] == [404, 404]
    assert document not in Client().get("/t/cup/standings/").content.decode()
    public = Client().get(f"/games/{game.uuid}/").content.decode()
    assert ("не рассмотрен" in public, "Слышно на видео" in public) == (True, False)
    assert [(p.player_id, p.number) for p in standings_of(game.tournament).table.places] == before
    wrong = head.post(desk, {"part": "announce", "password": "not this one"})
    assert (wrong.status_code, "Пароль неверный" in wrong.content.decode() or wrong.status_code == 422) == (422, True)
    assert head.post(desk, {"part": "announce", "password": PASSWORD}).headers["Location"] == document
    page = Client().get(document).content.decode()
    assert ("Слышно на видео" in page, "результат изменён" in page.lower(), "8.7.4" in page) == (True, True, True)
    pdf = pypdf.PdfReader(io.BytesIO(_bytes(Client().get(f"{document}decision.pdf"))))
    assert "Решение по протесту № 1" in pdf.pages[0].extract_text()
    assert document in Client().get(f"/games/{game.uuid}/").content.decode()
    assert (progress_of(game.tournament).protests, progress_of(game.tournament).decided) == (0, 1)
    assert document in Client().get("/t/cup/standings/").content.decode()
    again = head.post(desk, {**ruling(game, "dismissed"), "part": "preview"})
    assert again.status_code in (409, 422)
    assert ProtestDecision.objects.count() == 1


def _bytes(response: object) -> bytes:
    return b"".join(response.streaming_content) if getattr(response, "streaming", False) else response.content  # type: ignore[attr-defined]


def test_the_effect_that_is_shown_is_the_one_that_comes(game: Game) -> None:
    protest, head = filed(game), User.objects.get(username="head")
    changed = Ruling(DecisionKind.RESULT_CHANGED, "A 6.8.1", "x", result="black")
    effect = effect_of(foresee(protest, changed, by=head))
    decide(protest, changed, revision=game.revision, by=head)
    client_of("head").post(desk_of(protest), {"part": "announce", "password": PASSWORD})
    found = standings_of(game.tournament)
    now = {found.nicknames[place.player_id]: (place.number, place.rating.total) for place in found.table.places}
    foreseen = {each.nickname: (each.now.number, each.now.rating.total) for each in effect.moved if each.now}
    assert len(foreseen) == 10
    assert foreseen == {name: now[name] for name in foreseen}


def test_who_would_pass_or_miss_the_cut_is_told(stage: Stage, game: Game) -> None:
    final = stage_of(game.tournament, "Финал")
    set_cut_size(final, 4)
    protest, head = filed(game), User.objects.get(username="head")
    given = (Points(2, "extra", 0), Points(3, "extra", 1000))
    changed = Ruling(DecisionKind.POINTS_CHANGED, "A 8.4", "x", points=given)
    nicknames = {seat.number: seat.nickname for seat in game.seats.all()}
    (cut,) = effect_of(foresee(protest, changed, by=head)).cuts
    assert (cut.stage, cut.is_taken, cut.comes, cut.goes, cut.tied) == (
        "Финал", False, (nicknames[3],), (nicknames[2],), (),
    )  # fmt: skip


def test_a_cut_that_is_taken_stands_and_a_later_stage_is_named(stage: Stage, game: Game) -> None:
    final = stage_of(game.tournament, "Финал")
    set_cut_size(final, 4)
    head = User.objects.get(username="head")
    cut = cuts_of(game.tournament).of(final.number)
    assert cut is not None
    take_cut(final, seen=cut.fingerprint, confirmed=True, by=User.objects.get(username="organizer"))
    played(final)
    protest = filed(game)
    given = (Points(2, "extra", 0), Points(3, "extra", 1000))
    changed = Ruling(DecisionKind.POINTS_CHANGED, "A 8.4", "x", points=given)
    effect = effect_of(foresee(protest, changed, by=head))
    nicknames = {seat.number: seat.nickname for seat in game.seats.all()}
    (told,) = effect.cuts
    assert (told.is_taken, told.comes, told.goes) == (True, (nicknames[3],), (nicknames[2],))
    assert [(each.name, each.games, each.signed) for each in effect.later] == [("Финал", 1, 0)]
    dismissed = effect_of(foresee(protest, Ruling(DecisionKind.DISMISSED, "A 8.4", "x"), by=head))
    assert (dismissed.moved, dismissed.cuts) == ((), ())


def test_points_of_a_decision_are_hidden_while_extra_points_are(stage: Stage, game: Game) -> None:
    head = User.objects.get(username="head")
    protest = filed(game)
    changed = Ruling(DecisionKind.POINTS_CHANGED, "A 8.4", "Забыт балл", points=(Points(3, "extra", 1000),))
    decide(protest, changed, revision=game.revision, by=head)
    client_of("head").post(desk_of(protest), {"part": "announce", "password": PASSWORD})
    hide(game.tournament, what="extra", stage=stage, number=1, by=head)
    document = f"/games/{game.uuid}/protests/1/"
    shown = [client_of(who).get(document).content.decode().count("доп. баллы") for who in ("", "head")]
    assert (shown[0], shown[1] > 0) == (0, True)
    assert "доп. баллы</th>" not in Client().get(f"/games/{game.uuid}/").content.decode()
    hide(game.tournament, what="table", stage=stage, number=1, by=head)
    assert Client().get(document).status_code == 404
    assert document not in Client().get("/t/cup/standings/").content.decode()


def test_two_head_judges_decide_at_once_and_one_is_told(game: Game) -> None:
    appoint(game.tournament, person("second", "Вторая"), MemberRole.HEAD_JUDGE)
    protest = filed(game)
    one, other = client_of("head"), client_of("second")
    sent = [{**ruling(game, kind), "part": "preview"} for kind in ("dismissed", "replay")]
    seals = [
        seen_in(client.post(desk_of(protest), each).content.decode())
        for client, each in zip((one, other), sent, strict=True)
    ]
    first, second = (
        client.post(desk_of(protest), {**each, "part": "give", "seen": seal})
        for client, each, seal in zip((one, other), sent, seals, strict=True)
    )
    assert (first.status_code, second.status_code) == (302, 422)
    assert "уже принято, оно окончательное" in second.content.decode()
    assert ProtestDecision.objects.get().kind == "dismissed"


def test_a_decision_while_the_protocol_is_corrected_is_refused_in_words(game: Game) -> None:
    protest, head = filed(game), client_of("head")
    seal = seen_in(head.post(desk_of(protest), {**ruling(game), "part": "preview"}).content.decode())
    reopen(game, by=User.objects.get(username="head"), reason="Описка")
    answer = head.post(desk_of(protest), {**ruling(game), "part": "give", "seen": seal})
    assert (answer.status_code, "исправляется" in answer.content.decode()) == (422, True)
    assert ProtestDecision.objects.count() == 0
    stale = head.post(desk_of(protest), {**ruling(game), "part": "preview", "revision": "0"})
    assert (stale.status_code, "Слышно на видео" in stale.content.decode() or stale.status_code == 409) == (409, True)


def test_points_beyond_the_caps_are_refused_with_the_clause(game: Game) -> None:
    sent = {**ruling(game, "points_changed"), "part": "preview", "extra_2": "2", "extra_3": "0,5"}
    answer = client_of("head").post(desk_of(filed(game)), sent)
    assert (answer.status_code, "8.4.2" in answer.content.decode()) == (422, True)


# ---------------------------------------------------------------- who sees what


def test_who_may_open_decide_and_file(game: Game) -> None:
    appoint(game.tournament, person("member", "Комиссарова"), MemberRole.COMMISSION)
    appoint(game.tournament, person("other", "Другова"), MemberRole.JUDGE)
    person("plain", "Простова")
    protest = filed(game)
    addresses = [desk_of(protest), "/t/cup/queue/", f"/games/{game.uuid}/protests/"]
    preview = {**ruling(game, "dismissed"), "part": "preview"}
    vote = {"part": "vote", "vote-kind": "dismissed"}
    table = {
        name: [
            *(client_of(name).get(each).status_code for each in addresses),
            client_of(name).post(desk_of(protest), preview).status_code,
            client_of(name).post(desk_of(protest), vote).status_code,
        ]
        for name in ("organizer", "head", "member", "judge", "other", "plain", "")
    }
    assert table == {
        "organizer": [200, 200, 200, 403, 403],
        "head": [200, 200, 200, 200, 403],
        "member": [200, 200, 403, 200, 302],
        "judge": [403, 403, 200, 403, 403],
        "other": [403, 403, 403, 403, 403],
        "plain": [403, 403, 404, 403, 403],
        "": [302, 302, 302, 401, 401],
    }


def test_the_queue_holds_everything_that_waits_the_oldest_first(stage: Stage, game: Game) -> None:
    protest = filed(game)
    unsigned = played(stage)
    client_of("judge").post(f"/games/{game.uuid}/correction/", {"text": "Фол дан не тому"})
    page = client_of("head").get("/t/cup/queue/").content.decode()
    order = [page.index(words) for words in ("Окончена и не подписана", "Просят исправить", desk_of(protest))]
    assert len(order) == 3
    assert client_of("head").get("/waiting/").json() == {
        "n": 2, "words": "2 ждут ответа", "address": "/t/cup/queue/",
    }  # fmt: skip
    assert client_of("judge").get("/waiting/").json() == {"n": 0}
    assert Client().get("/waiting/").json() == {"n": 0}
    head = client_of("head")
    asked = page.split('name="of" value="')[1].split('"')[0]
    assert head.post("/t/cup/queue/", {"of": asked, "answer": " "}).status_code == 422
    assert head.post("/t/cup/queue/", {"of": asked, "answer": "Фол тот"}).status_code == 302
    assert "Фол тот" in client_of("judge").get(f"/games/{game.uuid}/").content.decode()
    assert unsigned.status == "over"


def test_the_queue_asks_the_database_as_often_for_three_as_for_one(
    stage: Stage, game: Game, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    head = client_of("head")
    filed(game)
    head.get("/t/cup/queue/")
    for seats in ((), (3, 4)):
        for seat in seats:
            filed(game, seat)
            played(stage)
        with django_assert_num_queries(12):
            head.get("/t/cup/queue/")
