"""Taking in a game's record from a file of ours: proved first, then written as it is, or not at all.

What a record claims must follow from it: the chain of its hashes, what the database asks of each entry, the fold
behind every signed sheet, the seals. Who is named in the file is nobody here: `people.person_of_file`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from ..exchange.game_file import NOT_HASHED, GameFile, broken_links
from ..models import (
    CLOSED,
    PROXIES,
    Entry,
    Game,
    Player,
    RegulationVersion,
    Seat,
    SeatResult,
    SignedSheet,
    Stage,
    Status,
    nickname_key,
)
from ..models.columns import columns_of
from ..models.entries import genesis
from ..models.game import status_words
from ..rules.sheet import RULES_VERSION
from ..selectors import players_named, record_of
from .errors import Invalid, NotReady
from .game_files import RESULT
from .people import person_of_file
from .prepare import new_players
from .readiness import problems_of
from .regulation_files import prove_regulations, versions_of_file
from .shape import fitted, refuse_seats
from .verify import differences

MOST_MESSAGES = 10  # of one kind
SEALED = ("sheet", "signature", "players", "own_regulation")
Versions = Mapping[int, RegulationVersion | None]
PLACED = ("revision", "uuid", "kind", "moment", "place", "author", "device_time", "recorded_at", *NOT_HASHED)
"""Members of an entry in the file that are no columns of its value."""


def known_game(file: GameFile) -> Game | None:
    """The game that stands here with this very record; None where there is none of its number.

    Raises Invalid for another record of the game: it is never overwritten, nor gone on with.
    """
    game = Game.objects.filter(uuid=file.uuid).select_related("tournament", "stage").first()
    if game is None:
        return None
    hashes = list(Entry.objects.filter(game=game).order_by("revision").values_list("hash", flat=True))
    here, there = len(hashes), len(file.hashes)
    words = {"here": here, "there": there}
    common = min(here, there)
    if hashes[:common] != file.hashes[:common]:
        first = next(n for n in range(common) if hashes[n] != file.hashes[n]) + 1
        raise Invalid(
            _("This game is here with another record: from entry %(first)d on the two differ.") % {"first": first}
        )
    if there > here:
        raise Invalid(
            _("This game is here already, up to entry %(here)d; the file goes on to entry %(there)d.") % words
        )
    if there < here:
        raise Invalid(
            _("This game is here already, and goes on to entry %(here)d; the file ends with entry %(there)d.") % words
        )
    if _seals_here(game) != [(each["sha256"], each["superseded"] is None) for each in file.sheets]:
        raise Invalid(_("This game is here with the same entries, but other sheets were signed."))
    return game


def _seals_here(game: Game) -> list[tuple[str, bool]]:
    sheets = SignedSheet.objects.filter(game=game).order_by("number")
    return [(sheet.sha256, sheet.superseded_at is None) for sheet in sheets]


def take(file: GameFile, *, stage: Stage, judge: User | None = None) -> Game:
    """Writes the record into the stage. Raises Invalid with everything that speaks against it; nothing is written then.

    Raises NotReady for a signed record that these rules would not let be signed.
    Whatever its place here, the record keeps its numbers, times, hashes and names. `judge` goes on with an open game.
    """
    _prove(file, stage)
    try:
        with transaction.atomic():
            return _write(file, stage, judge)
    except IntegrityError as error:
        raise Invalid(_("The database does not take this record: %(why)s") % {"why": error}) from None


# ---------------------------------------------------------------- proof before writing


def _prove(file: GameFile, stage: Stage) -> None:
    """What can be said of the file by itself. Raises Invalid."""
    prove_regulations(file, stage.tournament)
    broken = broken_links(file, genesis(file.uuid))
    if broken:
        raise Invalid(
            *(
                _("entry %(revision)d is not as it was written, or not chained to the one before it")
                % {"revision": revision}
                for revision in broken[:MOST_MESSAGES]
            )
        )
    messages = [*_unfit_names(file), *_seated_twice(file), *_unfit_sheets(file)]
    if messages:
        raise Invalid(*messages)


def _unfit_names(file: GameFile) -> list[str]:
    given = [row for seat in file.data["seats"] for row in (seat["nickname"], seat.get("player"))]
    given += [result.get("player") for sheet in file.sheets for result in sheet["results"]]
    return [
        _("“%(nickname)s” is no nickname as it would be stored") % {"nickname": name}
        for name in given
        if name is not None and not nickname_key(name)
    ]


def _seated_twice(file: GameFile) -> list[str]:
    """Players who have more than one seat."""
    messages, first = [], dict[str, int]()
    for seat in file.data["seats"]:
        name = seat.get("player", seat["nickname"])
        before = first.setdefault(nickname_key(name), seat["seat"])
        if before != seat["seat"]:
            words = {"nickname": name, "first": before, "second": seat["seat"]}
            messages.append(_("%(nickname)s is on seats %(first)d and %(second)d; a player has one seat.") % words)
    return messages


def _unfit_sheets(file: GameFile) -> list[str]:
    """What the signed sheets say of each other and of the header."""
    entries, header, messages = len(file.entries), file.data["game"], []
    for sheet in file.sheets:
        words = {"number": sheet["number"]}
        if sheet["revision"] > entries or sheet["signature"]["revision"] != sheet["revision"]:
            messages.append(_("sheet %(number)d was signed for entries that are not there") % words)
        if SignedSheet.objects.filter(sha256=sheet["sha256"]).exists():
            messages.append(_("sheet %(number)d is here already, of another game") % words)
    held = file.sheet_in_force
    if held is not None:
        if held["revision"] != entries:
            messages.append(_("entries were written after the signature"))
        signed = held["sheet"]["header"]
        if [signed[name] for name in ("game", "table", "date", "judge")] != [
            header[name] for name in ("number", "table", "played_on", "judge")
        ]:
            messages.append(_("the header is not the signed one"))
    return messages


# ---------------------------------------------------------------- writing


def _write(file: GameFile, stage: Stage, judge: User | None) -> Game:
    versions = versions_of_file(file, stage.tournament)
    game = _game(file, stage, judge, versions)
    people = _People()
    players = _Players(file)
    seats = [
        Seat(game=game, number=seat["seat"], nickname=seat["nickname"], player=players.of(seat))
        for seat in file.data["seats"]
    ]
    for seat in seats:
        if judge is not None and seat.player.user_id == judge.pk:
            words = {"seat": seat.number, "nickname": seat.nickname}
            raise Invalid(_("Seat %(seat)d, %(nickname)s: the judge of the game can’t play in it.") % words)
    Seat.objects.bulk_create(seats)
    _entries(game, file, people)
    sheet = _sheets(game, file, people, players, versions)
    if sheet is not None:
        game.sheet_in_force = sheet
    game.status = file.data["game"]["status"]
    if game.is_closed != (sheet is not None):
        raise Invalid(_("the game says “%(status)s”, its sheets don’t") % {"status": status_words(game.status)})
    game.save(update_fields=["status", "sheet_in_force"])
    found = [*differences(game), *_misplaced(game, sheet, seats)]
    if found:
        raise Invalid(*found[:MOST_MESSAGES])
    if sheet is not None and sheet.rules_version == RULES_VERSION:  # what older rules let pass stays signed
        record = record_of(game)
        broken = problems_of(record)
        if broken:
            raise NotReady(broken, record.names)
    return game


def _game(file: GameFile, stage: Stage, judge: User | None, versions: Versions) -> Game:
    header = file.data["game"]
    ended_at = header["ended_at"]
    game = Game(
        uuid=file.uuid,
        tournament=stage.tournament,
        stage=stage,
        regulation_version=versions[file.data["regulation"].get("number", 0)],
        number=header["number"],
        table_number=header["table"],
        round=header["round"],
        played_on=header["played_on"],
        judge=judge if header["status"] not in CLOSED else None,
        judge_name=header["judge"],
        status=Status.PREPARED,  # until its sheets are there
        results_only=header["results_only"],
        from_paper=header["from_paper"],
        revision=len(file.entries),
        ended_at=datetime.fromisoformat(ended_at) if ended_at else None,
        protest=header["protest"],
        source=file.data.get("source"),
    )
    try:
        game.full_clean()
    except ValidationError as error:
        raise Invalid(*error.messages) from None
    game.save()
    return game


class _People:
    """The people whom the file names."""

    def __init__(self) -> None:
        self.known: dict[str, User] = {}

    def of(self, name: str) -> User:
        """Who stands here for that printed name."""
        if name not in self.known:
            self.known[name] = person_of_file(name)
        return self.known[name]


class _Players:
    """The players of the file, by the key of the nickname; unknown ones are new here."""

    def __init__(self, file: GameFile) -> None:
        named = [seat.get("player", seat["nickname"]) for seat in file.data["seats"]]
        for sheet in file.sheets:
            rows = sheet["sheet"]["rows"]
            named += [result.get("player", row["nickname"]) for result, row in zip(sheet["results"], rows, strict=True)]
        nicknames = {nickname_key(name): name for name in named}
        self.known = players_named(nicknames)
        self.known |= new_players(name for key, name in nicknames.items() if key not in self.known)

    def of(self, line: dict[str, Any], written: str = "") -> Player:
        """The player of a seat or of a result; `written` is the nickname on the sheet."""
        return self.known[nickname_key(line.get("player") or written or line["nickname"])]


def _entries(game: Game, file: GameFile, people: _People) -> None:
    previous, rows = genesis(game.uuid), []
    for data in file.entries:
        row = _entry(game, data, people, previous)
        _refuse_unfit(row, game)
        rows.append(row)
        previous = row.hash
    try:
        with transaction.atomic():
            Entry.objects.bulk_create(rows)
    except IntegrityError:
        _name_the_first_refused(rows)
        raise


def _entry(game: Game, data: dict[str, Any], people: _People, previous: str) -> Entry:
    day, phase, ballot, step = data["moment"]
    columns = {name: value for name, value in data.items() if name not in PLACED}
    return PROXIES[data["kind"]](
        game=game,
        revision=data["revision"],
        uuid=UUID(data["uuid"]),
        kind=data["kind"],
        day=day,
        phase=phase,
        ballot=ballot,
        step=step,
        place=data["place"],
        author=people.of(data["author_name"]),
        author_number=data["author"],
        device_time=datetime.fromisoformat(data["device_time"]) if data["device_time"] else None,
        recorded_at=datetime.fromisoformat(data["recorded_at"]),
        previous_hash=previous,
        hash=data["hash"],
        **columns,
    )


def _refuse_unfit(row: Entry, game: Game) -> None:
    """Raises Invalid for an entry that no service of ours would have stored, whatever the rules say of it."""
    try:
        value = row.value()
        fitted(value, game)  # words that an older release took stay as they were written
        is_fit = refuse_seats(value, game) is None
        is_fit = is_fit and all(getattr(row, name) == due for name, due in columns_of(value).items())
    except (ValueError, KeyError, TypeError, Invalid):
        is_fit = False
    if not is_fit:
        raise Invalid(_("entry %(revision)d can’t be stored as it stands in the file") % {"revision": row.revision})


def _name_the_first_refused(rows: Sequence[Entry]) -> None:
    """Raises Invalid naming the entry that a constraint of the database refuses."""
    for row in rows:
        row.pk = None
        row._state.adding = True
        try:
            with transaction.atomic():
                row.save()
        except IntegrityError:
            raise Invalid(
                _("entry %(revision)d can’t be stored as it stands in the file") % {"revision": row.revision}
            ) from None


def _sheets(game: Game, file: GameFile, people: _People, players: _Players, versions: Versions) -> SignedSheet | None:
    """The signed sheets with their results; gives the one in force."""
    signed = None
    for data in file.sheets:
        signature, superseded = data["signature"], data["superseded"]
        version = data.get("own_regulation", {}).get("number", 0)
        if version not in versions:
            raise Invalid(_("sheet %(number)d was signed under a regulation that is not in the file") % data)
        signed = SignedSheet.objects.create(
            game=game,
            number=data["number"],
            revision=data["revision"],
            data={name: data[name] for name in SEALED if name in data},
            sha256=data["sha256"],
            record_hash=data["record_hash"],
            rules_version=data["rules_version"],
            regulation=data["regulation"],
            regulation_version=versions[version],
            signed_by=people.of(signature["name"]),
            signed_at=datetime.fromisoformat(signature["at"]),
            superseded_at=datetime.fromisoformat(superseded["at"]) if superseded else None,
            reopened_by=people.of(superseded["by"]) if superseded else None,
            reopen_reason=superseded["reason"] if superseded else "",
        )
        SeatResult.objects.bulk_create(
            SeatResult(
                sheet=signed,
                game=game,
                tournament=game.tournament,
                stage=game.stage,
                player=players.of(result, row["nickname"]),
                in_force=superseded is None,
                salt=data["salts"][result["seat"] - 1] if "salts" in data else "",
                **{name: result[name] for name in RESULT},
            )
            for result, row in zip(data["results"], data["sheet"]["rows"], strict=True)
        )
    return signed if signed is not None and signed.superseded_at is None else None


def _misplaced(game: Game, sheet: SignedSheet | None, seats: Sequence[Seat]) -> list[str]:
    """Whether the sheet in force is about the people who sit at the table."""
    if sheet is None:
        return []
    of_sheet = {result.player_id for result in SeatResult.objects.filter(sheet=sheet)}
    return [] if of_sheet == {seat.player_id for seat in seats} else [_("the sheet names other players than the seats")]
