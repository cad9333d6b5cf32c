"""Results hidden for the last rounds: whoever does not run the tournament finds them on no page and in no file."""

from __future__ import annotations

import io
from collections.abc import Iterator

import openpyxl  # type: ignore[import-untyped]
import pypdf
import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.converters import IntConverter, UUIDConverter

from protocols.models import Game, SignedSheet, Tournament
from protocols.models.written_once import WrittenOnceError
from protocols.rules import entries as e
from protocols.rules.terms import AFTER, ROLE_OF_LETTER, SETUP, Moment, Phase, Result
from protocols.services import hiding
from protocols.services.errors import Invalid
from scoring.announced import hidden_games
from scoring.release import seen_by, seen_by_the_public
from scoring.selectors import standings_of

from .tournaments import ROLES, person, player, prepared, signed, stage_of, tournament, write

pytestmark = pytest.mark.django_db
SECRET = "0,35"


@pytest.fixture
def cup() -> Tournament:
    """Two games of one stage; in the second the sheriff has 0.35 extra points."""
    made = tournament("F")
    stage = stage_of(made)
    signed(stage, "red", extra={2: "0.1"})
    signed(stage, "red", extra={1: "0.35"})
    return made


def hide(made: Tournament, what: str, number: int = 2) -> None:
    hiding.hide(made, what=what, stage=made.stages.get(), number=number, by=User.objects.get(username="organizer"))


def client_of(username: str) -> Client:
    client = Client()
    if username:
        client.force_login(User.objects.get(username=username))
    return client


def rating(made: Tournament, username: str, nickname: str) -> str:
    user = User.objects.filter(username=username).first()
    place = standings_of(made, seen_by(user, made)).table.of(player(nickname).pk)
    assert place is not None
    return str(place.rating.total)


def test_whole_table_hidden_is_seen_as_before_the_round(cup: Tournament) -> None:
    first = standings_of(cup, seen_by_the_public(cup, "1.1"))
    hide(cup, "table")
    assert standings_of(cup, seen_by_the_public(cup)).table == first.table
    with pytest.raises(KeyError):
        seen_by_the_public(cup, "1.2")


def test_hidden_extra_points_are_not_counted(cup: Tournament) -> None:
    name = cup.games.order_by("number")[0].seats.get(number=1).nickname
    assert rating(cup, "", name) == "2350000"
    hide(cup, "extra")
    assert rating(cup, "", name) == rating(cup, "judge", name) == "2000000"
    assert rating(cup, "organizer", name) == rating(cup, "head", name) == "2350000"


def test_announcing_shows_all_and_can_be_taken_back(cup: Tournament) -> None:
    by = User.objects.get(username="head")
    whole = standings_of(cup)
    with pytest.raises(Invalid):
        hiding.announce(cup, by=by)
    hide(cup, "table")
    hiding.announce(cup, by=by)
    assert standings_of(cup, seen_by_the_public(cup)).table == whole.table
    hiding.take_back(cup, by=by)
    assert seen_by_the_public(cup).veil.hides_table
    acts = cup.hidings.order_by("pk")
    assert [(act.what, act.done_by.username) for act in acts] == [
        ("table", "organizer"), ("nothing", "head"), ("table", "head"),
    ]  # fmt: skip
    with pytest.raises(WrittenOnceError), transaction.atomic():
        acts.update(what="extra")


def test_hidden_from_the_first_round_on_nothing_is_seen(cup: Tournament) -> None:
    hide(cup, "table", 1)
    seen = seen_by_the_public(cup)
    assert seen.is_empty
    assert standings_of(cup, seen).table.places == ()
    assert client_of("").get("/t/cup/standings/").status_code == 200


def names(patterns: list[URLPattern | URLResolver] | None = None) -> Iterator[URLPattern]:
    for each in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(each, URLPattern):
            yield each
        elif each.namespace != "admin":
            yield from names(each.url_patterns)


def addresses(made: Tournament, game: Game) -> Iterator[str]:
    """Every address of the site that can be filled in with the tournament and the game."""
    sheet = SignedSheet.objects.get(game=game)
    who = game.seats.get(number=1).player_id
    given = {
        "slug": made.slug, "uuid": game.uuid, "pk": who, "number": 1, "table": game.table_number,
        "code": sheet.sha256[:12], "name": "game-1",
    }  # fmt: skip
    keys: dict[type, object] = {IntConverter: 1, UUIDConverter: game.uuid}
    for each in names():
        if each.name is None:
            continue
        words = {
            name: keys.get(type(converter), "x") if name == "key" else given[name]
            for name, converter in each.pattern.converters.items()
            if name == "key" or name in given
        }
        if len(words) != len(each.pattern.converters):
            continue
        address = reverse(each.name, kwargs=words)
        yield from (address, f"{address}?after=1.2", f"{address}?stage=1", f"{address}?sheet=1", f"{address}?step=999")


def told(client: Client, address: str) -> str:
    """What the address answers, as text; of a workbook the cells."""
    response = client.get(address, follow=True)
    raw = b"".join(response.streaming_content) if response.streaming else response.content  # type: ignore[attr-defined]
    if raw.startswith(b"PK"):
        book = openpyxl.load_workbook(io.BytesIO(raw))
        return " ".join(str(cell) for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row)
    if raw.startswith(b"%PDF"):
        return " ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(raw)).pages)
    return raw.decode(errors="replace")


FIGURES = ("0,35", "0.35", "2,35", "2.35")


@pytest.mark.parametrize("username", ["", "plain"])
@pytest.mark.parametrize("what", ["table", "extra"])
def test_no_public_address_tells_what_is_hidden(cup: Tournament, what: str, username: str) -> None:
    person("plain")
    hidden = cup.games.get(number=2)
    hide(cup, what)
    client = client_of(username)
    leaks = [
        (address, figure)
        for address in addresses(cup, hidden)
        for text in [told(client, address)]
        for figure in FIGURES
        if figure in text
    ]
    assert leaks == []


def test_the_same_walk_finds_the_figures_once_announced(cup: Tournament) -> None:
    """The walk above would see a leak: it sees what is announced."""
    shown = [address for address in addresses(cup, cup.games.get(number=2)) if SECRET in told(client_of(""), address)]
    assert {"/t/cup/standings/", "/t/cup/standings.csv", "/t/cup/nominations/"} <= set(shown)
    assert any("/games/" in address for address in shown)


def test_protocol_of_a_hidden_table_is_not_found_and_its_result_not_told(cup: Tournament) -> None:
    hide(cup, "table")
    hidden, open_one = cup.games.get(number=2), cup.games.get(number=1)
    public = client_of("")
    for name in ("game", "sheet-pdf", "record", "replay", "account"):
        assert public.get(reverse(name, args=[hidden.uuid])).status_code == 404
    assert public.get(reverse("game", args=[open_one.uuid])).status_code == 200
    page = public.get("/t/cup/").content.decode()
    assert str(hidden.uuid) not in page
    assert str(open_one.uuid) in page
    assert client_of("judge").get(reverse("game", args=[hidden.uuid])).status_code == 200  # the judge of the table


def test_record_of_a_game_is_denied_while_its_extra_points_are_hidden(cup: Tournament) -> None:
    hide(cup, "extra")
    hidden = cup.games.get(number=2)
    assert client_of("").get(reverse("record", args=[hidden.uuid])).status_code == 403
    assert client_of("head").get(reverse("record", args=[hidden.uuid])).status_code == 200
    assert client_of("").get(reverse("game", args=[hidden.uuid])).status_code == 200


def test_only_who_runs_the_tournament_hides_and_announces(cup: Tournament) -> None:
    data = {"part": "hide", "what": "table", "stage": "1", "number": "2"}
    assert client_of("judge").post("/t/cup/release/", data).status_code == 403
    assert client_of("head").post("/t/cup/release/", data).status_code == 302
    page = client_of("").get("/t/cup/standings/").content.decode()
    assert "Таблица скрыта" in page
    assert client_of("organizer").post("/t/cup/release/", {"part": "announce"}).status_code == 302
    assert "скрыта" not in client_of("").get("/t/cup/standings/").content.decode()


def test_games_of_hidden_rounds_are_known_until_the_announcement(cup: Tournament) -> None:
    hide(cup, "extra")
    hidden = hidden_games()
    assert hidden is not None
    assert {game.number for game in Game.objects.filter(hidden)} == {2}
    hiding.announce(cup, by=User.objects.get(username="head"))
    assert hidden_games() is None


def test_a_game_that_is_not_signed_changes_no_figure(cup: Tournament) -> None:
    paths = ("/t/cup/standings.csv", "/t/cup/games.csv", "/t/cup/standings.json", "/t/cup/standings/")
    public = client_of("")
    game = prepared(cup.stages.get())
    before = [public.get(path).content for path in paths]
    roles = tuple(ROLE_OF_LETTER[letter] for letter in ROLES)
    for entry in (
        e.Roles(moment=SETUP, roles=roles),
        e.Shot(moment=Moment(1, Phase.NIGHT), target=3),
        e.GameOver(moment=AFTER, result=Result.BLACK),
        e.ExtraPoints(moment=AFTER, seat=3, points=500),
    ):
        write(game, [entry])
        game.refresh_from_db()
        assert [public.get(path).content for path in paths] == before
