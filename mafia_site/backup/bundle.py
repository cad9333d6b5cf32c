"""The one file of a copy: a compressed tar of the database, the media, and at its end a manifest with checksums."""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any

from django.utils.translation import gettext as _

FORMAT, VERSION = "sports-mafia-backup", 1
MANIFEST, MEDIA = "manifest.json", "media"
DATABASES = {"sqlite": "database.sqlite3", "postgresql": "database.sql"}
CHUNK = 1 << 20


class Unfit(Exception):
    """The file is no whole copy of a site; the message says why."""


@dataclass(frozen=True)
class Unpacked:
    """A copy, unpacked and proved: the folder it lies in, and the kind of its database."""

    folder: Path
    vendor: str
    made_at: str

    @property
    def database(self) -> Path:
        """The database's file."""
        return self.folder / DATABASES[self.vendor]

    @property
    def media(self) -> Path:
        """The folder of media; made where the copy had none."""
        folder = self.folder / MEDIA
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder


def pack(target: Path, *, vendor: str, database: Path, media: Path) -> None:
    """Writes the copy, whole or not at all, readable by its owner alone."""
    made: list[dict[str, Any]] = []
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".new-", delete=False) as fresh:
        try:
            with tarfile.open(fileobj=fresh, mode="w:gz", compresslevel=6) as tar:
                made.append(_add(tar, DATABASES[vendor], database))
                made += [_add(tar, f"{MEDIA}/{path.relative_to(media).as_posix()}", path) for path in _kept(media)]
                now = datetime.now(UTC).isoformat(timespec="seconds")
                facts = {"format": FORMAT, "version": VERSION, "made_at": now, "database": vendor, "files": made}
                raw = (json.dumps(facts, ensure_ascii=False, indent=1) + "\n").encode()
                info = tarfile.TarInfo(MANIFEST)
                info.size, info.mode = len(raw), 0o600
                tar.addfile(info, io.BytesIO(raw))
            fresh.flush()
            os.fsync(fresh.fileno())
            os.link(fresh.name, target)  # never over a file that is there
        finally:
            Path(fresh.name).unlink()


def _kept(media: Path) -> Iterator[Path]:
    """The files of the media folder that are whole: no half-written ones, no locks."""
    for path in sorted(media.rglob("*")):
        if path.is_file() and not path.is_symlink() and not path.name.startswith(".") and path.suffix != ".lock":
            yield path


def _add(tar: tarfile.TarFile, name: str, path: Path) -> dict[str, Any]:
    """Adds the file as it is now, and gives its line of the manifest."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        info = tarfile.TarInfo(name)
        info.size, info.mode = os.fstat(file.fileno()).st_size, 0o600
        info.mtime = int(os.fstat(file.fileno()).st_mtime)
        tar.addfile(info, _Hashed(file, digest))
    return {"name": name, "bytes": info.size, "sha256": digest.hexdigest()}


class _Hashed(io.RawIOBase):
    """A file that is hashed as it is read."""

    def __init__(self, file: IO[bytes], digest: Any) -> None:
        self.file, self.digest = file, digest

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        data = self.file.read(size)
        self.digest.update(data)
        return data


def unpack(source: Path, folder: Path) -> Unpacked:
    """Unpacks the copy into the folder and holds every file against the manifest. Raises Unfit."""
    found: dict[str, tuple[int, str]] = {}
    facts = None
    try:
        with tarfile.open(source, "r:gz") as tar:
            for member in tar:
                file = tar.extractfile(member) if member.isreg() else None
                if file is None or not _is_allowed(member.name) or member.name in found:
                    raise Unfit(_("it holds something that no copy has: %(name)s") % {"name": member.name})
                if member.name == MANIFEST:
                    facts = json.loads(file.read(member.size))
                else:
                    found[member.name] = _save(file, folder / member.name)
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        raise Unfit(str(error)) from None
    return _proved(folder, facts, found)


def _is_allowed(name: str) -> bool:
    path = PurePosixPath(name)
    if name in (MANIFEST, *DATABASES.values()):
        return True
    is_plain = str(path) == name and not path.is_absolute() and ".." not in path.parts
    return is_plain and path.parts[0] == MEDIA and len(path.parts) > 1


def _save(file: IO[bytes], path: Path) -> tuple[int, str]:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    digest, size = hashlib.sha256(), 0
    with path.open("xb") as target:
        while chunk := file.read(CHUNK):
            target.write(chunk)
            digest.update(chunk)
            size += len(chunk)
        os.fsync(target.fileno())
    path.chmod(0o600)
    return size, digest.hexdigest()


def _proved(folder: Path, facts: Any, found: dict[str, tuple[int, str]]) -> Unpacked:
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise Unfit(_("it has no manifest, so it may have been cut short"))
    if facts.get("version") != VERSION or facts.get("database") not in DATABASES:
        raise Unfit(_("it was made by a newer version of the site"))
    due = {line["name"]: (line["bytes"], line["sha256"]) for line in facts["files"]}
    for name in sorted({*due, *found}):
        if due.get(name) != found.get(name):
            raise Unfit(_("%(name)s is not as it was copied") % {"name": name})
    if DATABASES[facts["database"]] not in found:
        raise Unfit(_("it holds no database"))
    return Unpacked(folder, facts["database"], str(facts["made_at"]))
