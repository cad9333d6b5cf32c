"""A whole tournament goes through an archive: rebuilt on an empty site to equal standings, and the same bytes again."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import models
from django.test import Client

from protocols.draft_view import breach_lines
from protocols.exchange.archive import MANIFEST, NotTaken, to_bytes
from protocols.exchange.canonical import canonical_file, sha256
from protocols.exchange.reading import MAX_BYTES, Unreadable
from protocols.models import Draft, Entry, Game, Member, MemberRole, Player, SeatResult, Stage, Tournament
from protocols.services.drafts import discard, take_draft
from protocols.services.errors import Invalid
from protocols.services.invitations import invite
from protocols.services.people import printed_name
from protocols.services.prepare import appoint
from protocols.services.verify import differences
from protocols.wording.files import why_not_taken
from scoring.archives import archive_of, rebuild
from scoring.models import Lot
from scoring.selectors import standings_of
from scoring.services import draw_lots
from scoring.table import drawn_groups, rows_of
from tests.exchange.files import raw as as_bytes
from tests.exchange.records import another_site, empty_site
from tests.exchange.test_drafts import two_wrongs

from .tournaments import PASSWORD, PLAYED_ON, person, played, prepared, signed, stage_of, tournament

pytestmark = pytest.mark.django_db
STORED: list[type[models.Model]] = [Tournament, Stage, Game, Player, Entry, SeatResult, Lot, User, Member, Draft]


@pytest.fixture
def cup(db: None) -> Tournament:
    """A tournament with a final, penalties, an expelled player, ties and lots, and games not signed yet."""
    made = tournament()
    stage = stage_of(made)
    signed(stage, "black", shot=1, hits=2, extra={10: "0.5"})
    signed(stage, "red", shot=2, removed=(3,))
    signed(stage, "annulled")
    played(stage)
    signed(stage_of(made, "Финал", "1.5"), "red", extra={2: "1"}, expelled=(9,))
    prepared(stage)
    head = User.objects.get(username="head")
    for tied in standings_of(made).table.due[:1]:
        draw_lots(made, tied, by=head)
    return made


def standings(made: Tournament) -> object:
    """The whole value of the standings, with nicknames and numbers of stages in the place of this site's keys.

    Without regard to capitals: a site keeps to the spelling of a player it knows.
    """
    found = standings_of(made)
    names, stages = (
        {key: name.casefold() for key, name in found.nicknames.items()},
        {stage.pk: stage.number for stage in found.stages},
    )
    places = [
        (
            names[place.player_id],
            replace(place, rating=replace(place.rating, player_id=0, stages=())),
            {stages[each.tally.stage_id]: (each.multiplier, each.figures) for each in place.rating.stages},
        )
        for place in found.table.places
    ]
    rows = [
        (row.place, row.nickname.casefold(), row.rating, row.games, row.wins, row.points, row.decision)
        for row in rows_of(found)
    ]
    lots = [([name.casefold() for name in group.nicknames], by, at) for group, by, at in drawn_groups(found)]
    return places, rows, lots


@pytest.mark.parametrize("site", [empty_site, another_site], ids=["empty", "another"])
def test_a_tournament_is_rebuilt_to_equal_standings_and_equal_bytes(cup: Tournament, site: Callable[[], None]) -> None:
    raw, before = archive_of(cup), standings(cup)
    assert len(standings_of(cup).lots) == 1
    site()
    rebuilt = rebuild(raw)
    assert rebuilt.was_known is False
    assert standings(rebuilt.tournament) == before
    games = list(Game.objects.select_related("tournament", "stage"))
    assert [differences(game) for game in games] == [[]] * 6
    if site is empty_site:
        assert archive_of(rebuilt.tournament) == raw
    assert rebuild(raw).was_known is True


def test_people_of_an_archive_keep_their_names_and_have_no_login(cup: Tournament) -> None:
    raw = archive_of(cup)
    another_site()
    made = rebuild(raw).tournament
    members = [(m.user.get_full_name(), m.role, m.user.is_active) for m in Member.objects.filter(tournament=made)]
    assert sorted(members) == [
        ("Главная", "head_judge", False), ("Орлова", "organizer", False), ("Соколова", "judge", False)
    ]  # fmt: skip


def test_a_commission_travels_and_invitations_do_not(cup: Tournament) -> None:
    plain = archive_of(cup)
    organizer = cup.members.get(role=MemberRole.ORGANIZER).user
    invite(cup, MemberRole.JUDGE, by=organizer, whom="Зоя", email="zoya@example.org", uuid=uuid4())
    assert archive_of(cup) == plain
    appoint(cup, person("council", "Совет"), MemberRole.COMMISSION, by=organizer)
    raw = archive_of(cup)
    empty_site()
    made = rebuild(raw).tournament
    assert [m.user.last_name for m in made.members.filter(role=MemberRole.COMMISSION)] == ["Совет"]
    assert archive_of(made) == raw


def test_who_rebuilds_it_organizes_it_in_the_place_of_the_same_name(cup: Tournament) -> None:
    raw = archive_of(cup)
    empty_site()
    organizer = person("somebody", "Орлова")
    made = rebuild(raw, by=organizer).tournament
    assert [m.user for m in Member.objects.filter(tournament=made, role=MemberRole.ORGANIZER)] == [organizer]
    assert archive_of(made) == raw
    empty_site()
    other = person("other", "Иная")
    made = rebuild(raw, by=other).tournament
    names = [m.user.last_name for m in Member.objects.filter(tournament=made, role=MemberRole.ORGANIZER)]
    assert sorted(names) == ["Иная", "Орлова"]


def test_commands_write_an_archive_and_rebuild_it(
    cup: Tournament, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cup.zip"
    call_command("export_tournament", "cup", output=str(file))
    assert file.read_bytes() == archive_of(cup)
    empty_site()
    capsys.readouterr()
    call_command("import_tournament", str(file))
    call_command("import_tournament", str(file))
    assert capsys.readouterr().out == f"{file}: принят: Кубок\n{file}: уже есть: Кубок\n"
    with pytest.raises(CommandError, match="Турнира «none» нет"):
        call_command("export_tournament", "none", output=str(file))
    file.write_bytes(b"PK")
    with pytest.raises(CommandError, match="Файл не принят, ничего не записано"):
        call_command("import_tournament", str(file))
    assert capsys.readouterr().err == f"{file}: Файл — не архив турнира\n"


# ---------------------------------------------------------------- what is refused


def reasons(raw: bytes) -> list[str]:
    """Why the archive is not taken; nothing is half written."""
    before = [model._base_manager.count() for model in STORED]
    try:
        rebuild(raw)
    except (Unreadable, NotTaken, Invalid) as error:
        assert [model._base_manager.count() for model in STORED] == before
        return why_not_taken(error)
    return []


def files_of(raw: bytes) -> dict[str, bytes]:
    """The files of an archive."""
    with zipfile.ZipFile(io.BytesIO(raw)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def packed(files: dict[str, bytes], *more: tuple[str, bytes]) -> bytes:
    """An archive of these files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in (*files.items(), *more):
            target.writestr(name, data)
    return made.getvalue()


@pytest.fixture
def files(cup: Tournament) -> dict[str, bytes]:
    """The files of an archive, to be spoiled; the site is empty."""
    found = files_of(archive_of(cup))
    empty_site()
    return found


def with_manifest(files: dict[str, bytes], change: Callable[[Any], object]) -> bytes:
    """The archive with a changed manifest."""
    manifest = json.loads(files[MANIFEST])
    change(manifest)
    return packed(files | {MANIFEST: canonical_file(manifest)})


OTHERS = ["В архиве другие файлы, чем перечислены в его описи"]
NO_ARCHIVE = ["Файл — не архив турнира"]


def test_what_is_no_archive_is_refused(files: dict[str, bytes]) -> None:
    whole = packed(files)
    assert reasons(b"") == NO_ARCHIVE
    assert reasons(b"PK\x03\x04" + b"x" * 100) == NO_ARCHIVE
    assert reasons(whole[:-30]) == NO_ARCHIVE
    assert reasons(packed({"games/x.json": b"{}"})) == NO_ARCHIVE
    assert reasons(with_manifest(files, lambda manifest: manifest.update(format="other"))) == NO_ARCHIVE
    assert reasons(with_manifest(files, lambda manifest: manifest.update(version=4))) == [
        "Файл записан в версии 4 своего формата, а сайт читает версию 3"
    ]
    assert reasons(with_manifest(files, lambda manifest: manifest.update(version=2))) != []
    assert reasons(with_manifest(files, lambda manifest: manifest.update(more=1))) == [
        "Поля «more» в таком файле не бывает"
    ]


def test_files_that_the_manifest_does_not_list_are_refused(files: dict[str, bytes]) -> None:
    game = next(name for name in files if name != MANIFEST)
    assert reasons(packed(files, ("../../etc/passwd", b"x"))) == OTHERS
    assert reasons(packed(files, ("/etc/passwd", b"x"))) == OTHERS
    assert reasons(packed({name: data for name, data in files.items() if name != game})) == OTHERS
    with pytest.warns(UserWarning, match="Duplicate name"):
        doubled = packed(files, (game, files[game]))
    assert reasons(doubled) == OTHERS

    def renamed(manifest: Any, name: str) -> None:
        manifest["games"][0].update(file=name)

    for name in ("../x.json", "games/../../x.json", "/tmp/x.json", "games/x.json"):
        [reason] = reasons(with_manifest(files, partial(renamed, name=name)))
        assert reason == f'В «games[1].file» не может стоять "{name}"'
    other = f"games/{'1' * 8}-1111-1111-1111-{'1' * 12}.json"
    assert reasons(with_manifest(files, lambda manifest: manifest["games"][0].update(file=other))) == [
        f'В «games[1].file» не может стоять "{other[:38]}…'
    ]


def test_a_bomb_is_not_unpacked(files: dict[str, bytes]) -> None:
    game = next(name for name in files if name != MANIFEST)
    huge = b" " * 300_000_000
    number = json.loads(files[game])["game"]["number"]
    assert reasons(packed(files | {game: huge})) == [
        f"Игра {number}, стол 1: В архиве файл «{game}» не тот, что в описи"
    ]
    assert reasons(packed(files | {MANIFEST: huge})) == [f"Файл больше {MAX_BYTES // 1_000_000} МБ"]
    assert len(reasons(with_manifest(files, lambda manifest: manifest["games"][0].update(bytes=MAX_BYTES + 1)))) == 1


def test_a_game_that_is_not_what_the_manifest_says_is_named(files: dict[str, bytes]) -> None:
    manifest = json.loads(files[MANIFEST])
    line = manifest["games"][0]
    where = f"Игра {line['number']}, стол {line['table']}"
    altered = json.loads(files[line["file"]])
    altered["entries"][0]["roles"] = "ККККККШЧЧД"
    raw = canonical_file(altered)
    assert reasons(packed(files | {line["file"]: raw})) == [
        f"{where}: В архиве файл «{line['file']}» не тот, что в описи"
    ]

    def listed(manifest: Any) -> None:
        manifest["games"][0].update(bytes=len(raw), sha256=sha256(raw))

    broken = with_manifest(files | {line["file"]: raw}, listed)
    assert reasons(broken) == [f"{where}: запись 1 не такая, какой её внесли, или не связана с предыдущей"]
    assert reasons(with_manifest(files, lambda manifest: manifest["games"][0].update(number=9))) == [
        f"Игра 9, стол {line['table']}: в описи архива другая игра"
    ]
    assert reasons(with_manifest(files, lambda manifest: manifest["tournament"].update(title="Иной"))) == [
        f"{where}: в описи архива другая игра"
    ]


def test_a_lot_among_others_than_its_players_is_refused(files: dict[str, bytes]) -> None:
    def strangers(manifest: Any) -> None:
        manifest["lots"][0]["players"][0] = "Чужой"

    assert reasons(with_manifest(files, strangers)) == [
        "Жребий называет игроков, которых нет в архиве, или одного дважды."
    ]


def test_another_tournament_at_the_address_is_left_alone(cup: Tournament) -> None:
    raw = archive_of(cup)
    prepared(Stage.objects.filter(tournament=cup)[0])
    assert reasons(raw) == ["По адресу «cup» здесь другой турнир: «Кубок»."]


# ---------------------------------------------------------------- drafts


@pytest.fixture
def drafts(cup: Tournament) -> list[Draft]:
    """A draft that waits, one put aside, and one settled by a game."""
    by = User.objects.get(username="organizer")
    made = []
    for number in range(3):
        content = two_wrongs() | {"id": number}
        made.append(take_draft(as_bytes(content) + b"\r\n", name=f"игра {number}.json", tournament=cup, by=by))
    discard(made[1], by=by, reason="Прислали\nдругой файл")
    Draft.objects.filter(pk=made[2].pk).update(game=Game.objects.filter(tournament=cup).first())
    return list(Draft.objects.order_by("pk"))


def as_stored() -> list[tuple[object, ...]]:
    """Everything that is stored of the drafts, people by their names."""
    return [
        (
            draft.uuid, draft.name, bytes(draft.raw), draft.sha256, draft.regulation, draft.contradictions,
            printed_name(draft.taken_by), draft.taken_at, printed_name(draft.discarded_by), draft.discarded_at,
            draft.discard_reason, draft.game.uuid if draft.game else None, breach_lines(draft),
        )
        for draft in Draft.objects.order_by("name")
    ]  # fmt: skip


def test_drafts_go_through_an_archive_byte_by_byte(cup: Tournament, drafts: list[Draft]) -> None:
    raw, before = archive_of(cup), as_stored()
    manifest = json.loads(files_of(raw)[MANIFEST])
    assert (manifest["version"], len(manifest["drafts"])) == (2, 3)
    assert files_of(raw)[f"drafts/{drafts[0].uuid}.json"] == bytes(drafts[0].raw)
    empty_site()
    rebuilt = rebuild(raw)
    assert as_stored() == before
    assert archive_of(rebuilt.tournament) == raw
    assert rebuild(raw).was_known is True


def test_a_draft_that_came_or_was_settled_since_makes_it_another_tournament(
    cup: Tournament, drafts: list[Draft]
) -> None:
    raw = archive_of(cup)
    discard(drafts[0], by=User.objects.get(username="organizer"), reason="Не нужен")
    assert reasons(raw) == ["По адресу «cup» здесь другой турнир: «Кубок»."]


def test_an_archive_without_drafts_is_of_the_first_version(cup: Tournament) -> None:
    assert json.loads(files_of(archive_of(cup))[MANIFEST])["version"] == 1


def test_drafts_that_are_not_what_the_manifest_says_are_refused(cup: Tournament, drafts: list[Draft]) -> None:
    files = files_of(archive_of(cup))
    name = f"drafts/{drafts[0].uuid}.json"
    empty_site()
    assert reasons(packed(files | {name: b"{}"})) == [f"В архиве файл «{name}» не тот, что в описи"]
    assert reasons(packed({each: data for each, data in files.items() if each != name})) == OTHERS

    def changed(manifest: Any, **more: object) -> None:
        manifest["drafts"][0].update(more)

    words = "Черновик «игра 0.json»"
    unread = [f"{words}: записанные противоречия не читаются"]
    unknown: list[dict[str, Any]] = [{"Breach": {"code": 1}}, {"Nothing": {}}, {}, {"Moment": [1, 2, 3, 4]}]
    for found in unknown:
        assert reasons(with_manifest(files, partial(changed, contradictions=[found]))) == unread
    assert reasons(with_manifest(files, partial(changed, game="1" * 8 + "-1111-1111-1111-" + "1" * 12))) == [
        f"{words} закрыт игрой, которой нет в архиве"
    ]
    assert reasons(with_manifest(files, partial(changed, name="игра\u202e.json"))) == [
        'В «drafts[1].name» не может стоять "игра\\u202e.json"'
    ]
    assert reasons(with_manifest(files, partial(changed, file="drafts/../x.json"))) == [
        'В «drafts[1].file» не может стоять "drafts/../x.json"'
    ]


def test_an_archive_without_games_is_one_too(db: None) -> None:
    made = tournament()
    raw = archive_of(made)
    empty_site()
    assert archive_of(rebuild(raw).tournament) == raw
    assert to_bytes(json.loads(files_of(raw)[MANIFEST]) | {}, []) != b""


# ---------------------------------------------------------------- pages


def client_of(name: str) -> Client:
    """A browser in which that person is logged in; of anybody for an empty name."""
    client = Client()
    assert not name or client.login(username=name, password=PASSWORD)
    return client


def test_the_archive_is_the_organizers_alone(cup: Tournament) -> None:
    answers = [client_of(name).get("/t/cup/archive.zip") for name in ("organizer", "head", "judge", "")]
    assert [answer.status_code for answer in answers] == [200, 403, 403, 302]
    assert answers[0].content == archive_of(cup)
    assert answers[0].headers["Content-Disposition"] == "attachment; filename*=UTF-8''cup.zip"


def test_an_organizer_who_plays_at_an_open_table_does_not_get_the_roles(cup: Tournament) -> None:
    Player.objects.filter(nickname="Барс").update(user=User.objects.get(username="organizer"))
    answer = client_of("organizer").get("/t/cup/archive.zip")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/t/cup/edit/")


def test_a_tournament_is_set_up_from_an_archive_by_the_staff(cup: Tournament) -> None:
    raw, before = archive_of(cup), standings(cup)
    empty_site()
    staff = person("staff", "Орлова")
    User.objects.filter(pk=staff.pk).update(is_staff=True)
    person("plain")
    sent = {"file": SimpleUploadedFile("cup.zip", raw)}
    assert [client_of(name).get("/t/new/archive/").status_code for name in ("staff", "plain", "")] == [200, 403, 302]
    assert client_of("plain").post("/t/new/archive/", sent).status_code == 403
    bad = client_of("staff").post("/t/new/archive/", {"file": SimpleUploadedFile("cup.zip", raw[:-50])})
    assert (bad.status_code, Tournament.objects.count()) == (422, 0)
    assert "Файл — не архив турнира" in bad.content.decode()
    sent = {"file": SimpleUploadedFile("cup.zip", raw)}
    answer = client_of("staff").post("/t/new/archive/", sent)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/t/cup/edit/")
    made = Tournament.objects.get()
    assert (standings(made), archive_of(made), made.starts_on) == (before, raw, PLAYED_ON)
    again = client_of("staff").post("/t/new/archive/", {"file": SimpleUploadedFile("cup.zip", raw)})
    assert (again.status_code, Tournament.objects.count()) == (302, 1)
