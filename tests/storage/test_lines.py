"""Words that are printed hold nothing that can't be seen, whichever way they come."""

from __future__ import annotations

import json
from datetime import date

import pytest
from django.contrib.auth.models import User
from django.db import models
from django.test import Client
from django.utils import timezone

from protocols.exchange import archive
from protocols.exchange.canonical import canonical_file
from protocols.exchange.game_file import read
from protocols.exchange.reading import Unreadable, parse
from protocols.models import Draft, Game, Player, SignedSheet, Stage, Tournament
from protocols.models.lines import LineField
from protocols.services.drafts import discard
from protocols.services.errors import Invalid
from protocols.services.game_files import file_of
from protocols.services.people import printed_name
from protocols.services.prepare import (
    add_stage,
    create_game,
    create_tournament,
    set_header,
    set_stage,
    set_tournament,
)
from protocols.wording.files import why_not_taken
from scoring.archives import archive_of

from .conftest import PASSWORD, Cast

UNSEEN = "\u202eКу\u200bбок \x07\n\u2028\u2066Ёлки\u2069\ufeff"
SEEN = "Кубок Ёлки"
OTHER_TEXTS = {
    "Player": {"nickname", "nickname_key", "salt"},  # nicknames are lines by themselves
    "Tournament": {"slug", "regulation", "time_zone"},
    "Member": {"role"},
    "Stage": set[str](),
    "Game": {"status", "protest"},  # written from entries, see services.shape
    "Draft": {"sha256", "regulation", "discard_reason"},
    "SignedSheet": {"sha256", "record_hash", "rules_version", "regulation", "reopen_reason"},
}
"""Columns of characters that nobody types, or that may have several lines and come through `plain_text`."""


def test_every_column_that_is_printed_on_one_line_is_one() -> None:
    for model in (Player, Tournament, Stage, Game, Draft, SignedSheet):
        texts = [each for each in model._meta.get_fields() if isinstance(each, models.CharField | models.TextField)]
        assert {each.name for each in texts if not isinstance(each, LineField)} == OTHER_TEXTS[model.__name__]


def test_titles_cities_stages_and_judges_are_stored_as_they_are_seen(tournament: Tournament, cast: Cast) -> None:
    made = create_tournament(title=UNSEEN, city=UNSEEN, starts_on=date(2024, 1, 5), regulation="A", by=cast.organizer)
    stage = add_stage(made, name=UNSEEN)
    game = create_game(stage, played_on=date(2024, 1, 5), judge=None, judge_name=UNSEEN)
    set_tournament(tournament, title=UNSEEN, city=UNSEEN, starts_on=date(2024, 1, 5), regulation="A")
    set_stage(add_stage(tournament, name="Финал"), name=UNSEEN, multiplier=stage.multiplier, is_final=False)
    other = create_game(add_stage(tournament, name="x"), played_on=date(2024, 1, 5), judge=None)
    set_header(other, stage=other.stage, number=1, table_number=1, played_on=other.played_on, judge_name=UNSEEN)
    Player.objects.create(nickname="Астра", name=UNSEEN)
    stored = {
        *Tournament.objects.filter(pk__in=[made.pk, tournament.pk]).values_list("title", "city"),
        *Stage.objects.exclude(name="x").values_list("name", "name"),
        *Game.objects.filter(pk__in=[game.pk, other.pk]).values_list("judge_name", "judge_name"),
        *Player.objects.filter(nickname="Астра").values_list("name", "name"),
    }
    assert stored == {(SEEN, SEEN)}
    assert (made.title, stage.name, game.judge_name) == (SEEN, SEEN, SEEN)


def test_a_way_round_the_services_stores_the_same(tournament: Tournament) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(title=UNSEEN)
    Stage.objects.bulk_create([Stage(tournament=tournament, name=UNSEEN, number=7)])
    assert (Tournament.objects.get(pk=tournament.pk).title, Stage.objects.get(number=7).name) == (SEEN, SEEN)


@pytest.mark.parametrize("nothing", ["\u200b\u202e", "\n\t", "\ufeff"])
def test_what_holds_nothing_visible_is_no_title(cast: Cast, client: Client, nothing: str) -> None:
    with pytest.raises(Invalid):
        create_tournament(title=nothing, starts_on=date(2024, 1, 5), regulation="A", by=cast.organizer)
    User.objects.filter(pk=cast.organizer.pk).update(is_staff=True)
    client.login(username="organizer", password=PASSWORD)
    sent = {"title": nothing, "starts_on": "2024-01-05", "regulation": "A", "slug": "x"}
    answer = client.post("/t/new/", sent)
    assert (answer.status_code, Tournament.objects.count()) == (422, 0)
    assert "Обязательное поле." in answer.content.decode()


def test_a_judge_is_printed_as_the_name_is_seen(cast: Cast) -> None:
    cast.judge.first_name, cast.judge.last_name = "Анна\u200b", "\u202eКоролёва\n"
    assert printed_name(cast.judge) == "Анна Королёва"


def test_a_draft_is_named_and_discarded_in_words_that_are_seen(tournament: Tournament, cast: Cast) -> None:
    draft = Draft.objects.create(
        tournament=tournament, name=UNSEEN, raw=b"{}", sha256="0" * 64, regulation="A", contradictions=[],
        taken_by=cast.organizer, taken_at=timezone.now(),
    )  # fmt: skip
    with pytest.raises(Invalid):
        discard(draft, by=cast.organizer, reason="\u200b \u202e")
    discard(draft, by=cast.organizer, reason="Другой\u202e файл\x00")
    stored = Draft.objects.get(pk=draft.pk)
    assert (stored.name, stored.discard_reason) == (SEEN, "Другой файл")


@pytest.mark.parametrize(
    ("part", "name", "path"),
    [
        ("tournament", "title", "tournament.title"),
        ("tournament", "city", "tournament.city"),
        ("stage", "name", "stage.name"),
        ("game", "judge", "game.judge"),
    ],
)
def test_a_file_with_words_that_can_not_be_seen_is_refused(game: Game, part: str, name: str, path: str) -> None:
    data = json.loads(canonical_file(file_of(game).data))
    data[part][name] = "Ку\u200bбок"
    with pytest.raises(Unreadable) as refused:
        read(parse(canonical_file(data)))
    assert why_not_taken(refused.value) == [f'В «{path}» не может стоять "Ку\\u200bбок"']


@pytest.mark.parametrize("change", ["title", "stage", "member"])
def test_an_archive_with_words_that_can_not_be_seen_is_refused(game: Game, change: str) -> None:
    facts = archive.read(archive_of(game.tournament)).manifest
    facts = {name: value for name, value in facts.items() if name not in ("format", "version", "games")}
    if change == "title":
        facts["tournament"]["title"] = UNSEEN
    else:
        facts[f"{change}s"][0]["name"] = UNSEEN
    with pytest.raises(Unreadable):
        archive.read(archive.to_bytes(facts, [file_of(game)]))
