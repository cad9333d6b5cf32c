"""A game's record goes through a file to any other site without loss: the same bytes come out again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import fastjsonschema
import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from protocols.exchange import formats
from protocols.exchange.canonical import canonical_file
from protocols.exchange.game_file import SCHEMAS, GameFile, to_bytes
from protocols.exchange.schema import schema_bytes
from protocols.models import Entry, Game, Player, SeatResult, SignedSheet, Stage, Status, Tournament
from protocols.models.columns import FIELDS
from protocols.rules import entries as e
from protocols.rules.regulation import PRESETS
from protocols.selectors import record_of
from protocols.services.importing import Target, import_file
from protocols.services.prepare import create_game, seat_players
from protocols.services.record import record_batch
from protocols.services.sign import problems_of, seal
from protocols.services.verify import differences
from tests.games.random_play import ROLES_ARE, RandomGame

from .records import (
    CIVIL_NAME,
    EMAIL,
    GAMES,
    LOGIN,
    NICKNAMES,
    PLAYED_ON,
    another_site,
    bytes_of,
    empty_site,
    people,
    rich_game,
    running_game,
    tournament,
    write,
)

pytestmark = pytest.mark.django_db

SITES = {"an empty site": empty_site, "another site": another_site}


def take(raw: bytes, **target: Any) -> Game:
    """The game of the file, taken in and true to itself."""
    taken = import_file(raw, name="game.json", target=Target(**target))
    assert taken.was_known is False
    [game] = taken.games
    stored = Game.objects.select_related("tournament", "stage").get(pk=game.pk)
    assert differences(stored) == []
    return stored


@pytest.mark.parametrize("site", SITES.values(), ids=SITES.keys())
@pytest.mark.parametrize("make", GAMES.values(), ids=GAMES.keys())
def test_a_file_taken_in_gives_the_same_file(make: Callable[..., Game], site: Callable[[], None]) -> None:
    who = people()
    game = make(who, tournament(who)[1])
    whole, public = bytes_of(game), bytes_of(game, is_public=True)
    for raw, is_public in ((whole, False), (public, True)):
        site()
        taken = take(raw)
        assert bytes_of(taken, is_public=is_public) == raw
        assert bytes_of(taken, is_public=True) == public


def test_what_a_file_keeps_is_the_record_itself() -> None:
    who = people()
    game = rich_game(who, tournament(who)[1])

    def stored() -> list[list[Any]]:
        columns = ("revision", "uuid", "kind", "recorded_at", "device_time", "hash", "previous_hash", "text")
        entries = Entry.objects.order_by("revision").values_list(*columns)
        sheets = SignedSheet.objects.order_by("number").values_list("data", "sha256", "record_hash", "superseded_at")
        results = SeatResult.objects.order_by("sheet__number", "seat").values_list("seat", "extra", "in_force")
        return [list(entries), list(sheets), list(results)]

    before = stored()
    raw = bytes_of(game)
    another_site()
    taken = take(raw)
    assert (taken.uuid, taken.status, taken.revision, taken.round) == (game.uuid, Status.SIGNED, 13, 3)
    assert stored() == before
    assert taken.source == {"facts": {"ids": [1, 2.5]}}


def test_whom_a_file_names_has_no_login_here() -> None:
    who = people()
    game = rich_game(who, tournament(who)[1])
    raw = bytes_of(game)
    another_site()
    take(raw, judge=None)
    authors = {entry.author for entry in Entry.objects.select_related("author")}
    assert {author.get_full_name() for author in authors} == {"Анна Королёва", "Олег Ветров"}
    assert {(author.is_active, author.has_usable_password()) for author in authors} == {(False, False)}
    assert {author.username for author in authors} & {"x", "y", "z", "judge"} == set()


def test_players_are_known_by_their_nickname_whatever_its_letters() -> None:
    who = people()
    raw = bytes_of(rich_game(who, tournament(who)[1]))
    another_site()
    take(raw)
    assert sorted(Player.objects.values_list("nickname", flat=True)) == sorted(
        ["Чужой", "БАРС", "ёлка 7", "Вихрь", "Гранит", "Дельта", "Астра", "Майский Жук", "Зенит", "Ирис", "Клён 🍁"]
    )


def test_an_open_game_goes_on_at_the_other_site() -> None:
    who = people()
    raw = bytes_of(running_game(who, tournament(who)[1]))
    another_site()
    judge = User.objects.get(username="judge")
    game = take(raw, judge=judge)
    assert (game.judge, game.judge_name) == (judge, "Анна Королёва")
    seat_players(game, NICKNAMES, confirm_new=True)
    write(game, [e.Foul(moment=record_of(game).state.moment, seat=9)], judge)
    assert differences(Game.objects.get(pk=game.pk)) == []
    raw = bytes_of(game)
    empty_site()
    assert bytes_of(take(raw)) == raw


@pytest.mark.parametrize("seed", range(12))
def test_games_played_at_random_go_through_a_file(seed: int) -> None:
    chance = Random(seed)
    code = "ABF"[seed % 3]
    table = RandomGame(chance, PRESETS[code], roles=ROLES_ARE[seed % 2], disorder=0.3, longest=120).play()
    who = people()
    game = create_game(tournament(who, code)[1], played_on=PLAYED_ON, judge=who.judge)
    seat_players(game, NICKNAMES, confirm_new=True)
    answer = record_batch(table.entries, game=game, revision=0, by=who.judge, uuid=game.uuid, confirmed=True)
    assert answer.kind == "written", (answer.refusal, answer.index)
    if not problems_of(record_of(game)):
        seal(game, revision=game.revision, by=who.judge)
    raw = bytes_of(game)
    another_site()
    taken = take(raw)
    assert bytes_of(taken) == raw
    assert record_of(taken).state == record_of(Game.objects.get(pk=taken.pk)).state


# ---------------------------------------------------------------- the format


def test_the_file_reads_as_it_was_written() -> None:
    who = people()
    raw = bytes_of(rich_game(who, tournament(who)[1]))
    read = formats.read(raw)
    assert isinstance(read, GameFile)
    assert to_bytes(read) == raw
    assert canonical_file(json.loads(raw)) == raw
    spread = json.dumps(dict(reversed(json.loads(raw).items())), indent=4).encode()
    assert to_bytes(formats.read(spread)) == raw  # type: ignore[arg-type]


def test_a_stranger_proves_the_chain_with_the_standard_library() -> None:
    who = people()
    file = json.loads(bytes_of(rich_game(who, tournament(who)[1]), is_public=True))
    previous = hashlib.sha256(f"game {file['uuid']}".encode()).hexdigest()
    for entry in file["entries"]:
        hashed = {name: value for name, value in entry.items() if name not in ("hash", "author_name")}
        hashed |= {"game": file["uuid"], "previous": previous}
        text = json.dumps(hashed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        previous = hashlib.sha256(text.encode()).hexdigest()
        assert entry["hash"] == previous
    sheet = file["sheets"][-1]
    sealed = {"head": previous, "players": sheet["players"], "revision": len(file["entries"])}
    text = json.dumps(sealed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest() == sheet["record_hash"]


def published(version: int = 1) -> Callable[[Any], Any]:
    """The published schema, applied by a validator that is not ours."""
    schema: dict[str, Any] = json.loads(schema_bytes(SCHEMAS[version]))
    compiled: Callable[[Any], Any] = fastjsonschema.compile(schema)
    return compiled


@pytest.mark.parametrize("make", GAMES.values(), ids=GAMES.keys())
def test_every_file_fits_the_published_schema(make: Callable[..., Game]) -> None:
    who = people()
    game = make(who, tournament(who)[1])
    validate = published()
    for is_public in (False, True):
        data = json.loads(bytes_of(game, is_public=is_public))
        assert validate(data) == data


def test_the_schema_knows_every_kind_with_the_members_of_its_columns() -> None:
    entry = json.loads(schema_bytes(SCHEMAS[2]))["definitions"]["entry"]
    assert entry["properties"]["kind"]["enum"] == list(FIELDS)
    told = {
        each["if"]["properties"]["kind"]["const"]: set(each["then"]["propertyNames"]["anyOf"][1]["enum"])
        for each in entry["allOf"]
    }
    assert told == {kind: {column.name for _, column in parts} for kind, parts in FIELDS.items()}


def test_the_description_of_the_format_names_everything() -> None:
    words = (Path(formats.__file__).parent / "FORMAT.md").read_text(encoding="utf-8")
    schema = json.loads(schema_bytes(SCHEMAS[2]))
    names = {name for each in (schema, *schema["definitions"].values()) for name in each.get("properties", ())}
    numbers = {name for preset in PRESETS.values() for name in vars(preset)} - {"code"}
    assert sorted(name for name in {*names, *numbers, *FIELDS} if f"`{name}`" not in words) == []


# ---------------------------------------------------------------- what is personal


def test_a_file_tells_nicknames_and_printed_names_and_nothing_else_of_anybody() -> None:
    who = people()
    _made, stage = tournament(who)
    game = rich_game(who, stage)
    whole, public = bytes_of(game).decode(), bytes_of(game, is_public=True).decode()
    secrets = [EMAIL, "example.org", LOGIN, CIVIL_NAME, "Гражданский"]
    assert [secret for secret in secrets if secret in whole] == []
    salts = [player.salt for player in Player.objects.all()]
    assert [salt in whole for salt in salts] == [True] * 10
    assert [salt for salt in salts if salt in public] == []
    assert set(json.loads(whole)) - set(json.loads(public)) == {"source"}


def test_an_author_without_a_name_is_told_by_what_stands_before_the_at_sign() -> None:
    who = people()
    _made, stage = tournament(who)
    game = create_game(stage, played_on=PLAYED_ON, judge=who.organizer)
    write(game, [e.Foul(moment=e.Roles(moment=record_of(game).state.moment, roles=()).moment, seat=1)], who.organizer)
    file = json.loads(bytes_of(game))
    assert (file["game"]["judge"], file["entries"][0]["author_name"]) == ("koroleva", "koroleva")


# ---------------------------------------------------------------- commands


def test_commands_write_files_and_take_them_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    who = people()
    _made, stage = tournament(who)
    games = [rich_game(who, stage), running_game(who, stage)]
    files = [bytes_of(game) for game in games]
    call_command("export_game", games[0].uuid)
    assert capsys.readouterr().out.encode() == files[0]
    call_command("export_game", games[1].uuid, output=str(tmp_path / "one.json"))
    call_command("export_game", *(game.uuid for game in games), output=str(tmp_path / "all"))
    assert (tmp_path / "one.json").read_bytes() == files[1]
    names = [tmp_path / "all" / f"{game.uuid}.json" for game in games]
    assert [name.read_bytes() for name in names] == files
    call_command("export_game", games[0].uuid, "--public", output=str(tmp_path / "public.json"))
    assert (tmp_path / "public.json").read_bytes() == bytes_of(games[0], is_public=True)
    another_site()
    call_command("import_game", *map(str, names))
    assert [bytes_of(game) for game in games] == files
    assert Tournament.objects.get().is_public is False
    capsys.readouterr()
    call_command("import_game", str(names[0]))
    assert capsys.readouterr().out == f"{names[0]}: уже есть: Кубок «Ёлки»\n"


def test_a_game_that_is_not_there_is_named(db: None) -> None:
    number = "11111111-2222-3333-4444-555555555555"
    with pytest.raises(CommandError, match=f"Игры {number} нет."):
        call_command("export_game", number)


def test_a_game_goes_where_it_is_asked_to(tmp_path: Path) -> None:
    who = people()
    raw = bytes_of(rich_game(who, tournament(who)[1]))
    another_site()
    game = take(raw, tournament="elsewhere", stage="Полуфинал")
    assert (game.tournament.slug, game.stage.name, game.stage.number) == ("elsewhere", "Полуфинал", 1)
    assert Stage.objects.count() == 1
