"""A copy of the running site brings everything back that was answered before it was made, also after a crash."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection

from protocols.models import Entry, Game
from protocols.services.prepare import create_game
from protocols.services.verify import differences

from .conftest import Cast
from .play import BEGUN, WON_BY_RED, written

ROOT = Path(__file__).resolve().parents[2]
RECORDS = """
import io
import json
from protocols.exchange.game_file import to_bytes
from protocols.models import Game
from protocols.services.game_files import file_of
print(json.dumps({str(game.uuid): to_bytes(file_of(game)).decode() for game in Game.objects.all()}))
"""


@dataclass(frozen=True)
class Site:
    """A site of its own, run as it is in earnest: by processes that know only its data folder."""

    data: Path
    database: str = ""

    @property
    def environment(self) -> dict[str, str]:
        """What its processes find."""
        address = {"DATABASE_URL": self.database} if self.database else {}
        rest = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        return {**rest, **address, "VAR_DIR": str(self.data), "DJANGO_SETTINGS_MODULE": "mafia_site.settings"}

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """A command of the site's, ended."""
        return subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=self.environment, capture_output=True, text=True
        )  # fmt: skip

    def start(self, *command: str) -> subprocess.Popen[str]:
        """A command that goes on."""
        return subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=self.environment, stdout=subprocess.PIPE, text=True
        )  # fmt: skip

    def records(self) -> dict[str, str]:
        """The file of every game."""
        done = self.run("manage.py", "shell", "--no-imports", "-c", RECORDS)
        assert done.returncode == 0, done.stderr
        found: dict[str, str] = json.loads(done.stdout)
        return found

    def copy(self) -> Path:
        """A copy, made now."""
        done = self.run("-m", "mafia_site.backup", "make")
        assert (done.returncode, done.stderr) == (0, "")
        return Path(done.stdout.strip().partition(": ")[2])

    def restore(self, file: Path, *more: str) -> subprocess.CompletedProcess[str]:
        """What becomes of putting a copy back."""
        return self.run("-m", "mafia_site.backup", "restore", str(file), *more)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a site with the demo's games."""
    site = Site(tmp_path_factory.mktemp("first"))
    for command in (["migrate", "--verbosity", "0"], ["demo"]):
        done = site.run("manage.py", *command)
        assert done.returncode == 0, done.stderr
    (site.data / "media" / "sheets").mkdir(parents=True)
    (site.data / "media" / "sheets" / "бланк.pdf").write_bytes(b"%PDF-1.7 of a signed sheet")
    (site.data / "media" / "sheets" / ".new-half").write_bytes(b"half")
    (site.data / "media" / "maker.lock").touch()
    return site.data


@pytest.fixture
def site(first: Path, tmp_path: Path) -> Site:
    """A site of this test's own, with the same data."""
    data = tmp_path / "var"
    data.mkdir(mode=0o700)
    with (
        closing(sqlite3.connect(first / "db.sqlite3")) as source,
        closing(sqlite3.connect(data / "db.sqlite3")) as copy,
    ):
        source.backup(copy)
    for path in (first / "media").rglob("*"):
        target = data / "media" / path.relative_to(first / "media")
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file():
            target.write_bytes(path.read_bytes())
    return Site(data)


def running_game(site: Site) -> str:
    """The number of the demo's game that is under way."""
    with closing(sqlite3.connect(site.data / "db.sqlite3")) as database:
        [(number,)] = database.execute("SELECT uuid FROM protocols_game WHERE status = 'running'").fetchall()
    return str(number)


def answers_of(server: subprocess.Popen[str]) -> Iterator[int]:
    """The revisions that the server has answered for."""
    assert server.stdout is not None
    for line in server.stdout:
        if line.count(" ") == 2 and line.endswith("\n"):
            yield int(line.split()[1])


@pytest.mark.database
def test_a_killed_site_comes_back_as_it_was_copied_in_the_middle_of_writing(site: Site) -> None:
    before = site.records()
    game = running_game(site)
    server = site.start("-m", "tests.storage.writer", game)
    answers = answers_of(server)
    answered = [next(answers) for _ in range(15)]
    copy = site.copy()  # while it writes
    server.kill()
    while_copied = list(answers)
    server.wait()
    (site.data / "db.sqlite3").write_bytes(b"a disk that has died")
    (site.data / "media" / "sheets" / "бланк.pdf").write_bytes(b"")

    done = site.restore(copy)
    assert done.returncode == 0, done.stderr
    verified = site.run("manage.py", "verify")
    assert (verified.returncode, verified.stdout) == (0, "9 игр сходится.\n")
    after = site.records()
    number = str(next(uuid for uuid in after if uuid.replace("-", "") == game))
    entries = json.loads(after[number])["entries"]
    assert [entry["revision"] for entry in entries] == list(range(1, len(entries) + 1))
    assert answered[-1] <= len(entries) < while_copied[-1]  # all that was answered before, and no more than was then
    assert entries[: answered[0] - 1] == json.loads(before[number])["entries"]
    del before[number], after[number]
    assert after == before
    assert (site.data / "media" / "sheets" / "бланк.pdf").read_bytes() == b"%PDF-1.7 of a signed sheet"
    [aside] = (site.data / "backups").glob("replaced-*")
    assert (aside / "database.sqlite3").read_bytes() == b"a disk that has died"
    assert (aside / "media" / "sheets" / "бланк.pdf").exists()

    server = site.start("-m", "tests.storage.writer", game)  # and goes on
    assert next(answers_of(server)) == len(entries) + 1
    server.kill()
    server.wait()


def test_a_copy_is_the_owners_alone_and_holds_nothing_half_written(site: Site) -> None:
    copy = site.copy()
    assert oct(copy.stat().st_mode & 0o777) == "0o600"
    with tarfile.open(copy) as tar:
        assert tar.getnames() == ["database.sqlite3", "media/sheets/бланк.pdf", "manifest.json"]
        manifest = json.load(tar.extractfile("manifest.json"))  # type: ignore[arg-type]
    assert [line["name"] for line in manifest["files"]] == ["database.sqlite3", "media/sheets/бланк.pdf"]
    assert sorted(path.name for path in (site.data / "backups").iterdir()) == [copy.name]


def test_a_running_site_is_not_replaced_unless_forced(site: Site) -> None:
    copy = site.copy()
    server = site.start("-c", HOLDS_THE_DATA)
    assert server.stdout is not None
    assert server.stdout.readline() == "holds\n"
    before = (site.data / "db.sqlite3").read_bytes()
    done = site.restore(copy)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Похоже, сайт запущен: сначала остановите его. С FORCE=1 восстановление пойдёт всё равно.\n"
    assert (site.data / "db.sqlite3").read_bytes() == before
    assert site.restore(copy, "--force").returncode == 0
    server.kill()
    server.wait()
    assert site.restore(copy).returncode == 0


HOLDS_THE_DATA = """
import time
from mafia_site.running import work_on_data
file = work_on_data()
print("holds", flush=True)
time.sleep(60)
"""


def test_a_database_that_anybody_has_open_is_not_replaced(site: Site) -> None:
    copy = site.copy()
    with closing(sqlite3.connect(site.data / "db.sqlite3")) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("SELECT count(*) FROM protocols_game").fetchone()
        assert site.restore(copy).returncode == 1
    assert site.restore(copy).returncode == 0


def test_what_a_forced_restore_brings_back_is_seen_by_whoever_had_the_database_open(site: Site) -> None:
    copy = site.copy()
    with closing(sqlite3.connect(site.data / "db.sqlite3", isolation_level=None)) as worker:
        worker.execute("PRAGMA journal_mode=WAL")
        worker.execute("UPDATE protocols_game SET judge_name = 'После копии'")
        done = site.restore(copy, "--force")
        assert (done.returncode, done.stderr) == (0, "")
        of_that_day = "SELECT count(*) FROM protocols_game WHERE judge_name = 'После копии'"
        assert worker.execute(of_that_day).fetchone() == (0,)
        worker.execute("UPDATE protocols_game SET judge_name = 'После восстановления'")  # goes into no file moved away
    with closing(sqlite3.connect(site.data / "db.sqlite3")) as database:
        assert database.execute("SELECT DISTINCT judge_name FROM protocols_game").fetchall() == [
            ("После восстановления",)
        ]
    [aside] = (site.data / "backups").glob("replaced-*/database.sqlite3")
    with closing(sqlite3.connect(aside)) as database:
        assert database.execute("SELECT DISTINCT judge_name FROM protocols_game").fetchall() == [("После копии",)]


def rewritten(copy: Path, change: str) -> Path:
    """The copy as somebody might have spoiled it."""
    spoiled = copy.with_name(f"{change}.tar.gz")
    with tarfile.open(copy) as source, tarfile.open(spoiled, "w:gz") as target:
        for member in source:
            file = source.extractfile(member)
            assert file is not None
            data = file.read()
            member.pax_headers = {}  # they would keep the name as it was
            if change == "altered" and member.name == "database.sqlite3":
                data = data[:5000] + b"x" + data[5001:]
            if change == "path" and member.name.startswith("media"):
                member.name = "media/../../outside"
            if change == "without manifest" and member.name == "manifest.json":
                continue
            if change == "link" and member.name.startswith("media"):
                member.type, member.linkname, member.size = tarfile.SYMTYPE, "/etc/passwd", 0
                target.addfile(member)
                continue
            member.size = len(data)

            target.addfile(member, io.BytesIO(data))
    return spoiled


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("altered", "database.sqlite3 не такой, каким его скопировали"),
        ("path", "в нём есть то, чего в копиях не бывает: media/../../outside"),
        ("link", "в нём есть то, чего в копиях не бывает: media/sheets/бланк.pdf"),
        ("without manifest", "в нём нет описи: возможно, он обрезан"),
    ],
)
def test_a_spoiled_copy_replaces_nothing(site: Site, change: str, says: str) -> None:
    spoiled = rewritten(site.copy(), change)
    before = site.records()
    done = site.restore(spoiled)
    assert (done.returncode, done.stderr) == (1, f"Из этого файла восстановить нельзя: {says}\n")
    assert site.records() == before
    assert [path.name for path in (site.data / "backups").iterdir() if path.is_dir()] == []
    assert not (site.data / "outside").exists()


def test_a_copy_cut_short_replaces_nothing(site: Site) -> None:
    copy = site.copy()
    copy.write_bytes(copy.read_bytes()[:-200])
    before = site.records()
    assert site.restore(copy).returncode == 1
    assert site.records() == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.database
def test_the_database_under_test_comes_back_as_it_was_copied(game: Game, cast: Cast, tmp_path: Path) -> None:
    written(game, cast.judge, BEGUN)
    over = create_game(game.stage, played_on=game.played_on, judge=cast.judge)
    written(over, cast.judge, WON_BY_RED)
    site = Site(tmp_path, address_of_the_database_under_test())
    before = site.records()
    server = site.start("-m", "tests.storage.writer", str(game.uuid))
    answers = answers_of(server)
    answered = [next(answers) for _ in range(15)]
    copy = site.copy()
    assert site.restore(copy).returncode == 1  # the writer has it open
    server.kill()
    while_copied = list(answers)
    server.wait()
    connection.close()

    done = site.restore(copy)
    assert done.returncode == 0, done.stderr
    stored = Game.objects.select_related("tournament", "stage").get(uuid=game.uuid)
    revisions = list(Entry.objects.filter(game=stored).order_by("revision").values_list("revision", flat=True))
    assert answered[-1] <= len(revisions) < while_copied[-1]
    assert [differences(each) for each in Game.objects.all()] == [[], []]
    assert site.records()[str(over.uuid)] == before[str(over.uuid)]
    [aside] = (tmp_path / "backups").glob("replaced-*")
    assert max(replaced.stat().st_size for replaced in aside.iterdir()) > 10_000


def address_of_the_database_under_test() -> str:
    """SQLite's file, or the database in the PostgreSQL cluster of this run."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
