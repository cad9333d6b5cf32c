"""A record that is not true to itself, or no file of ours, is refused with its reasons, and nothing is written."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from random import Random
from typing import Any
from uuid import UUID

import fastjsonschema
import pytest
from django.contrib.auth.models import User

from protocols.exchange.canonical import canonical_file, canonical_json, sha256
from protocols.exchange.game_file import SCHEMAS, hash_due
from protocols.exchange.reading import Part, Unreadable
from protocols.exchange.schema import hold, schema_bytes
from protocols.models import Game, Player
from protocols.models.entries import genesis
from protocols.models.seal import digest_of, seal_of
from protocols.services.importing import Target, import_file
from protocols.services.prepare import add_stage, create_game, create_tournament
from protocols.services.sign import reopen, seal
from protocols.services.verify import differences

from .records import (
    PLAYED_ON,
    bytes_of,
    empty_site,
    foul,
    people,
    reopened_game,
    rich_game,
    running_game,
    tournament,
    write,
)
from .taking import reasons

pytestmark = pytest.mark.django_db

Data = dict[str, Any]


@pytest.fixture
def rich(db: None) -> Data:
    """A file of a game signed twice, to be spoiled; the site is empty."""
    who = people()
    data: Data = json.loads(bytes_of(rich_game(who, tournament(who)[1])))
    empty_site()
    return data


@pytest.fixture
def running(db: None) -> Data:
    """The same of a game under way."""
    who = people()
    data: Data = json.loads(bytes_of(running_game(who, tournament(who)[1])))
    empty_site()
    return data


def rechained(data: Data) -> Data:
    """The file with hashes that follow from whatever stands in it now."""
    previous = genesis(UUID(data["uuid"]))
    for entry in data["entries"]:
        entry["hash"] = previous = hash_due(entry, data["uuid"], previous)
    return data


def resealed(sheet: Data) -> None:
    """The seal of a sheet that follows from whatever stands in it now."""
    sheet["sha256"] = seal_of({name: sheet[name] for name in ("sheet", "signature", "players")})


# ---------------------------------------------------------------- the chain


def test_a_broken_chain_is_named_by_its_revision(rich: Data) -> None:
    def spoiled(change: Callable[[list[Data]], object]) -> list[str]:
        data = copy.deepcopy(rich)
        change(data["entries"])
        return reasons(data)

    def broken(*revisions: int) -> list[str]:
        return [f"запись {n} не такая, какой её внесли, или не связана с предыдущей" for n in revisions]

    assert spoiled(lambda entries: entries[4].update(seat=9)) == broken(5)
    assert spoiled(lambda entries: entries[5].update(text="")) != []
    assert spoiled(lambda entries: entries[5].update(text="иначе")) == broken(6)
    assert spoiled(lambda entries: entries[3].update(author=99)) == broken(4)
    assert spoiled(lambda entries: entries[3].update(recorded_at="2026-10-10T18:00:00.000000+00:00")) == broken(4)
    assert spoiled(lambda entries: entries[2].update(hash="0" * 64)) == broken(3, 4)
    assert spoiled(lambda entries: entries.pop(4)) == ["В «entries[5].revision» должно стоять 5, а не 6"]
    assert spoiled(lambda entries: entries.insert(4, dict(entries[4]))) == [
        "В «entries[6].revision» должно стоять 6, а не 5"
    ]
    assert spoiled(lambda entries: entries.pop()) == [
        "бланк 2 подписан по записям, которых нет", "после подписи сделаны записи"
    ]  # fmt: skip


def test_a_record_with_a_new_chain_is_not_the_signed_one(rich: Data) -> None:
    rich["entries"][7]["seat"] = 5
    assert reasons(rechained(rich)) == [
        "бланк 1: записи, по которым он составлен, изменились",
        "бланк 1: по записям выходит другой бланк",
        "бланк 2: записи, по которым он составлен, изменились",
        "бланк 2: по записям выходит другой бланк",
    ]


def test_an_entry_that_no_table_of_ours_takes_is_named(running: Data) -> None:
    def stored(change: Data, at: int = 4) -> list[str]:
        data = copy.deepcopy(running)
        data["entries"][at] |= change
        return reasons(rechained(data))

    unfit = ["запись 5 нельзя сохранить такой, какой она стоит в файле"]
    assert stored({"place": 4}) == []
    empty_site()
    assert stored({"team": "red"}) == unfit  # a team where the penalty defeats none
    assert stored({"clause": "6" * 13}) == ['В «entries[5].clause» не может стоять "6666666666666"']
    assert stored({"of": 3}) == ["Поля «entries[5].of» в таком файле не бывает"]
    assert stored({"of": 9}, at=6) == ["запись 7 нельзя сохранить такой, какой она стоит в файле"]
    assert stored({"uuid": running["entries"][0]["uuid"]}) == unfit
    assert stored({"roles": "ККККККЧЧШШ"}, at=0) == ["запись 1 нельзя сохранить такой, какой она стоит в файле"]


# ---------------------------------------------------------------- sheets


def test_an_altered_sheet_is_refused(rich: Data) -> None:
    def spoiled(change: Callable[[Data], object], *, again: bool = False) -> list[str]:
        data = copy.deepcopy(rich)
        change(data["sheets"][1])
        if again:
            resealed(data["sheets"][1])
        return reasons(data)

    altered = ["бланк 2: бланк не такой, каким его подписали"]
    assert spoiled(lambda sheet: sheet["sheet"].update(result="black")) == altered
    assert spoiled(lambda sheet: sheet["signature"].update(name="Другая")) == altered
    assert spoiled(lambda sheet: sheet["players"].reverse()) == altered
    assert spoiled(lambda sheet: sheet["sheet"].update(result="black"), again=True) == [
        "бланк 2: по записям выходит другой бланк"
    ]
    assert spoiled(lambda sheet: sheet["sheet"]["header"].update(judge="Другой"), again=True) == [
        "шапка не та, что подписана"
    ]
    assert spoiled(lambda sheet: sheet["results"][1].update(extra=2000)) == [
        "бланк 2: результаты мест не те, что в записях"
    ]
    assert spoiled(lambda sheet: sheet.update(revision=12)) == [
        "бланк 2 подписан по записям, которых нет", "после подписи сделаны записи"
    ]  # fmt: skip
    assert spoiled(lambda sheet: sheet.update(salts=[*reversed(sheet["salts"])])) == [
        f"бланк 2: на месте {seat} другой игрок, чем в бланке" for seat in range(1, 11)
    ]


def test_another_nickname_under_the_same_seal_is_refused(rich: Data) -> None:
    for sheet in rich["sheets"]:
        sheet["sheet"]["rows"][2]["nickname"] = "Подмена"
    rich["seats"][2]["nickname"] = "Подмена"
    assert (
        seal_of({name: rich["sheets"][1][name] for name in ("sheet", "signature", "players")})
        == rich["sheets"][1]["sha256"]
    )  # the seal holds digests: it is the salts that give the swap away
    assert reasons(rich) == [f"бланк {number}: на месте 3 другой игрок, чем в бланке" for number in (1, 2)]


def test_seats_that_are_not_those_of_the_sheet_are_refused(rich: Data) -> None:
    rich["seats"][2]["nickname"] = "Подмена"
    assert reasons(rich) == [
        "бланк 2: на месте 3 другой игрок, чем в результате",
        "в бланке другие игроки, чем на местах",
    ]


def test_one_player_on_two_seats_is_refused(running: Data) -> None:
    twice = running["seats"][2]["nickname"] = running["seats"][1]["nickname"].upper()
    assert reasons(running) == [f"{twice}: один игрок на местах 2 и 3."]


@pytest.mark.parametrize("name", ["Анна\u202eБелова", "Анна  Белова", " Анна", "anna@example.org", "Анна @"])
def test_a_name_that_nobody_is_printed_by_is_refused(rich: Data, name: str) -> None:
    for holder, key in (
        (rich["entries"][3], "author_name"),
        (rich["sheets"][0]["signature"], "name"),
        (rich["sheets"][0]["superseded"], "by"),
    ):
        was, holder[key] = holder[key], name
        (said,) = reasons(rich)
        assert said.startswith("В «") and said.partition(" не может стоять ")[0].endswith(f".{key}»")
        holder[key] = was
    assert reasons(rich) == []


def test_a_status_that_does_not_follow_from_the_record_is_refused(rich: Data, running: Data) -> None:
    assert reasons(running | {"game": running["game"] | {"status": "prepared"}}) == [
        "в игре значится «подготовлена», по записям — «идёт»"
    ]
    assert reasons(running | {"game": running["game"] | {"status": "signed"}}) == [
        "в игре значится «подписана», а по бланкам это не так"
    ]
    assert reasons(rich | {"game": rich["game"] | {"status": "annulled"}}) == [
        "в игре значится «аннулирована», по записям — «подписана»"
    ]
    assert reasons(rich | {"game": rich["game"] | {"ended_at": None}}) == [
        "время окончания не согласуется с записями",
        "бланк 2: окончание игры не то, что подписано",
    ]


def test_a_sheet_lent_from_another_game_is_refused(rich: Data) -> None:
    assert reasons(rich) == []
    lent = copy.deepcopy(rich)
    lent["uuid"] = "11111111-2222-3333-4444-555555555555"
    lent["game"]["number"] = 7
    found = reasons(rechained(lent))
    assert found[:2] == ["бланк 1 здесь уже есть — у другой игры", "бланк 2 здесь уже есть — у другой игры"]


def test_a_seat_called_otherwise_than_on_the_signed_sheet_is_refused(rich: Data) -> None:
    seat = rich["seats"][2]
    seat["player"], seat["nickname"] = seat["nickname"], "Подмена"
    signed = rich["sheets"][1]["sheet"]["rows"][2]["nickname"]
    assert reasons(rich) == [f"бланк 2: место 3 названо «Подмена», а на бланке «{signed}»"]


@pytest.mark.parametrize(
    ("source", "path", "value"),
    [
        ({"facts": [1]}, "facts", "[1]"),
        ({"facts": {"players": [1]}}, "facts.players", "[1]"),
        ({"facts": {"players": {"1": 5}}}, "facts.players.1", "5"),
        ({"facts": {"players": {"11": {}}}}, "facts.players.11", "{}"),
        ({"facts": {}, "forms": "zz"}, "forms", '"zz"'),
        ({"facts": {}, "forms": {"1": [1]}}, "forms.1", "[1]"),
        ({"facts": {}, "forms": {"1": {"role": 7}}}, "forms.1.role", "7"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_no_mafiaratings_file_can_have_told_is_refused(running: Data, source: Data, path: str, value: str) -> None:
    running["source"] = {"format": "mafiaratings", **source}
    assert reasons(running) == [f"В «source.{path}» не может стоять {value}"]


# ---------------------------------------------------------------- what is here already


def test_a_game_that_is_here_is_never_written_over() -> None:
    who = people()
    game = running_game(who, tournament(who)[1])
    short = bytes_of(game)
    write(game, [foul(8)], who.judge)
    long = bytes_of(game)
    assert import_file(long, name="x", target=Target()).was_known is True
    assert reasons(short) == ["Эта игра здесь уже есть и продолжается до записи 8, а файл кончается записью 7."]
    empty_site()
    import_file(short, name="x", target=Target())
    before = bytes_of(game)
    assert reasons(long) == [
        "Эта игра здесь уже есть до записи 7, а файл продолжается до записи 8: дописать её из файла нельзя."
    ]
    other = json.loads(short)
    other["entries"][3]["seat"] = 2
    assert reasons(rechained(other)) == [
        "Эта игра здесь уже есть, но записи другие: начиная с записи 4 они расходятся."
    ]
    assert bytes_of(game) == before


def test_a_game_signed_otherwise_is_refused() -> None:
    who = people()
    game = rich_game(who, tournament(who)[1])
    signed = bytes_of(game)
    reopen(game, by=who.head, reason="Ещё раз")
    assert reasons(signed) == ["Эта игра здесь уже есть с теми же записями, но подписаны другие бланки."]
    seal(game, revision=game.revision, by=who.head)
    assert reasons(signed) == ["Эта игра здесь уже есть с теми же записями, но подписаны другие бланки."]


def test_a_known_game_is_not_told_of_in_another_tournament() -> None:
    who = people()
    raw = bytes_of(rich_game(who, tournament(who)[1]))
    create_tournament(title="Другой", starts_on=PLAYED_ON, regulation="A", by=who.head, slug="other")
    assert reasons(raw, tournament="other") == ["Эта игра уже есть на сайте — в другом турнире."]


# ---------------------------------------------------------------- where it goes


def test_a_place_taken_by_another_is_named(rich: Data) -> None:
    user = User.objects.create_user("anna")
    made = create_tournament(title="Иной кубок", starts_on=PLAYED_ON, regulation="A", by=user, slug="cup")
    assert reasons(rich) == ["По адресу «cup» здесь другой турнир: «Иной кубок»."]
    made.title = rich["tournament"]["title"]
    made.save()
    stage = add_stage(made, name="Финал", is_final=True)
    assert reasons(rich) == ["Стадия 1 здесь — «Финал, финал ×1», а в файле — «Отбор ×1»."]
    stage.name, stage.is_final = "Отбор", False
    stage.save()
    create_game(stage, played_on=PLAYED_ON, judge=None)
    assert len(reasons(rich)) == 1
    made.regulation = "F"
    made.save()
    assert reasons(rich) == ["Турнир «Кубок «Ёлки»» идёт по другому регламенту: Федерация."]


def test_a_regulation_with_other_numbers_is_refused(rich: Data) -> None:
    rich["regulation"]["numbers"] |= {"win_red": "2", "own_rule": True}
    assert reasons(rich) == ["Игра сыграна по другим числам регламента, чем знает сайт: own_rule, win_red."]


def test_the_judge_of_an_open_game_does_not_play_in_it(running: Data) -> None:
    judge = User.objects.create_user("anna")
    Player.objects.create(nickname="Барс", user=judge)
    assert reasons(running, judge=judge) == ["Место 2, Барс: судья игры в ней не играет."]


# ---------------------------------------------------------------- the shape


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda data: data.update(version=3), "Файл записан в версии 3 своего формата, а сайт читает версию 2"),
        (lambda data: data.update(more=1), "Поля «more» в таком файле не бывает"),
        (lambda data: data.pop("seats"), "В файле нет «seats»"),
        (lambda data: data["game"].update(number=0), "В «game.number» не может стоять 0"),
        (lambda data: data["game"].update(number=1.5), 'В «game.number» не может стоять "1.5"'),
        (lambda data: data["game"].update(number=True), "В «game.number» не может стоять true"),
        (lambda data: data["game"].update(played_on="2026-02-30"), 'В «game.played_on» не может стоять "2026-02-30"'),
        (lambda data: data["tournament"].update(slug="a/b"), 'В «tournament.slug» не может стоять "a/b"'),
        (lambda data: data["entries"][0].update(kind="kick"), 'В «entries[1].kind» не может стоять "kick"'),
        (lambda data: data["entries"][4].pop("penalty"), "В файле нет «entries[5].penalty»"),
        (lambda data: data["entries"][4].update(seat=11), "В «entries[5].seat» не может стоять 11"),
        (lambda data: data["entries"][4].update(hash="A" * 64), f'В «entries[5].hash» не может стоять "{"A" * 38}…'),
        (lambda data: data["seats"].reverse(), None),
        (lambda data: data["seats"][0].update(nickname=" \u200b"), "« \u200b» — не никнейм"),
        (lambda data: data["sheets"][0].update(superseded=None), "В «sheets[1].superseded» не может стоять null"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named_with_its_path(
    rich: Data, change: Callable[[Data], object], says: str | None
) -> None:
    change(rich)
    [found] = reasons(rich)
    assert says is None or found.startswith(says)


def test_the_published_schema_refuses_what_we_refuse_for_its_shape(rich: Data) -> None:
    """Two thousand spoiled files: ours and an independent validator say the same of each."""
    schema: dict[str, Any] = json.loads(schema_bytes(SCHEMAS[1]))
    validate = fastjsonschema.compile(schema)
    chance = Random(5)
    verdicts = []
    for _ in range(2000):
        data = spoiled_somewhere(rich, chance)
        verdicts.append((_is_fit(lambda: hold(Part(data, ""), SCHEMAS[1])), _is_fit(lambda: validate(data))))  # noqa: B023
    assert [pair for pair in verdicts if pair[0] != pair[1]] == []
    assert 200 < sum(fits for fits, _ in verdicts) < 1800


def _is_fit(check: Callable[[], object]) -> bool:
    try:
        check()
    except (Unreadable, fastjsonschema.JsonSchemaValueException):
        return False
    return True


def spoiled_somewhere(data: Data, chance: Random) -> Data:
    """The file with one value anywhere in it changed, taken out, added or doubled."""
    spoiled = copy.deepcopy(data)
    part: Any = spoiled
    while True:
        keys = list(part) if isinstance(part, dict) else list(range(len(part)))
        key = chance.choice(keys)
        inner = part[key]
        if not isinstance(inner, dict | list) or not inner or chance.random() < 0.05:
            break
        part = inner
    values = [0, 1, 2, 7, -1, 10**12, "", "x", "Ёж", True, False, None, [], {}, [1], inner]
    match chance.choice(["change", "change", "change", "remove", "add"]):
        case "change":
            part[key] = near(inner, chance) if chance.random() < 0.6 else chance.choice(values)
        case "remove":
            part.pop(key)
        case _ if isinstance(part, dict):
            part[chance.choice(["seat", "count", "text", "more", "player"])] = chance.choice(values)
        case _:
            part.append(copy.deepcopy(chance.choice([*part, 0])))
    return spoiled


def near(value: Any, chance: Random) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice([-1, 1])
    if isinstance(value, str) and value:
        return value[:-1] + chance.choice("01aК ")
    return value


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("make", [rich_game, reopened_game, running_game], ids=["signed", "reopened", "running"])
def test_a_file_changed_anywhere_is_refused_or_true_to_itself(make: Callable[..., Game], seed: int) -> None:
    who = people()
    data: Data = json.loads(bytes_of(make(who, tournament(who)[1])))
    chance = Random(seed)
    taken = 0
    for _ in range(25):
        empty_site()
        spoiled = spoiled_somewhere(data, chance)
        if chance.random() < 0.5 and not _is_broken(spoiled):
            spoiled = rechained(spoiled)
        if reasons(spoiled):
            continue
        taken += 1
        game = Game.objects.select_related("tournament", "stage").get()
        assert differences(game) == []
        assert bytes_of(game) == canonical_file(spoiled)
    assert taken < 25


def _is_broken(data: Data) -> bool:
    entries, uuid = data.get("entries"), data.get("uuid")
    is_whole = isinstance(entries, list) and all(isinstance(each, dict) for each in entries)
    return not (is_whole and isinstance(uuid, str) and re.fullmatch("[0-9a-f-]{36}", uuid))


def test_digests_are_what_the_description_says(rich: Data) -> None:
    sheet = rich["sheets"][1]
    names = [row["nickname"] for row in sheet["sheet"]["rows"]]
    assert [digest_of(salt, name) for salt, name in zip(sheet["salts"], names, strict=True)] == sheet["players"]
    assert sha256(canonical_json({"a": 1})) == sha256(b'{"a":1}')
