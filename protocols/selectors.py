"""What is read: the record of a game, its sheet, and lists for pages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import BigIntegerField, BooleanField, ExpressionWrapper, F, Q, QuerySet
from django.utils import timezone

from . import access
from .models import CLOSED, Draft, Entry, Game, Member, Player, Seat, SignedSheet, Stage, Tournament, nickname_key
from .models.columns import VALUE_COLUMNS, value_of
from .models.entries import Row, genesis
from .models.prepared import Prepared
from .rules import entries as e
from .rules.fold import replay, step, struck_revisions
from .rules.sheet import Header, Sheet, sheet
from .rules.state import GameState
from .rules.terms import SEATS

Order = tuple[tuple[int, int, int, int, int], int, int]
NOWHERE: Order = ((-1, 0, 0, 0, 0), 0, 0)  # before every moment


class Person(NamedTuple):
    """Who sits on a seat as it was written, before chair corrections."""

    seat: int
    nickname: str
    player: int
    user: int | None


@dataclass(slots=True)
class Record:
    """The entries of a game in the order of writing, and the state that follows from them.

    `values` are the entries as the rules know them, `rows` who wrote each, when, and under which numbers.
    """

    game: Game
    rows: list[Row]
    values: list[e.Entry]
    state: GameState
    _nicknames: dict[int, str] | None = field(default=None, repr=False)
    _struck: dict[int, int] | None = field(default=None, repr=False)
    _furthest: Order | None = field(default=None, repr=False)
    _people: list[Person] | None = field(default=None, repr=False)

    @property
    def revision(self) -> int:
        """How many entries are written."""
        return len(self.rows)

    @property
    def head(self) -> str:
        """The hash that the next entry is chained to."""
        return self.rows[-1].hash if self.rows else genesis(self.game.uuid)

    @property
    def struck(self) -> dict[int, int]:
        """Revision struck out → revision of the strike."""
        if self._struck is None:
            self._struck = struck_revisions(self.values)
        return self._struck

    @property
    def furthest(self) -> Order:
        """Where in play the record has come to."""
        if self._furthest is None:
            self._furthest = furthest_of(self.values)
        return self._furthest

    def of(self, values: list[e.Entry]) -> Record:
        """The record as if only these of its entries had been written."""
        rows = {row.revision: row for row in self.rows}
        state = replay(values, self.game.rules, results_only=self.game.results_only)
        return Record(self.game, [rows[value.revision] for value in values], values, state)

    @property
    def nicknames(self) -> dict[int, str]:
        """Seat → nickname as written, before chair corrections; one query, at the first asking."""
        if self._nicknames is None:
            self._nicknames = nicknames_of(self.game)
        return self._nicknames

    @property
    def people(self) -> list[Person]:
        """Who sits at the table, in seat order, before chair corrections; one query, at the first asking."""
        if self._people is None:
            self._people = _people_of([self.game])[self.game.pk]
        return self._people

    @property
    def names(self) -> dict[int, str]:
        """Seat → nickname of whoever sits there, chair corrections applied."""
        chairs = self.state.chairs
        return {seat: self.nicknames[at] for seat, at in chairs.items() if at in self.nicknames}


def record_of(game: Game) -> Record:
    """The record of a game and the state that follows from it: one query, one replay."""
    return _replayed(game, _lines(Entry.objects.filter(game=game)))


def live_record_of(game: Game) -> Record:
    """The same for a game that is being written: a query for what this process has not read yet, played on top.

    Entries are only ever added, each chained by its hash to the one before: where the last one kept still stands, so
    do all before it. What is signed or proved is read whole, by `record_of`.
    """
    kept, record = _kept.pop(_key_of(game), None), None
    if kept is not None:
        record = _continued(game, kept)
    if record is None:
        record = record_of(game)
    keep(record)
    return record


def keep(record: Record) -> None:
    """Keeps the record for `live_record_of`, which looks whether the database still has its last entry."""
    if record.rows:
        _kept[_key_of(record.game)] = _Kept(record.rows, record.values, record.state, record.furthest)
        for old in list(_kept)[:-KEPT]:  # a list, for another thread may be adding to it
            _kept.pop(old, None)


def _key_of(game: Game) -> _Key:
    return game.uuid, str(game.regulation_version_id or game.tournament.regulation), game.results_only


class _Kept(NamedTuple):
    """What is kept of a record. Nobody changes any of it: a longer record has lists and a state of its own."""

    rows: list[Row]
    values: list[e.Entry]
    state: GameState
    furthest: Order


KEPT = 64  # records; twenty tables play at once
_Key = tuple[UUID, str, bool]
_kept: dict[_Key, _Kept] = {}  # the one looked at last is the last


def _continued(game: Game, kept: _Kept) -> Record | None:
    """The record kept with what was written since; None where its last entry is not in the database."""
    rows, values = _read(_lines_since(game.pk, kept.rows[-1].revision))
    if not rows or rows[0].hash != kept.rows[-1].hash:
        return None
    written, state, furthest = list(kept.values), kept.state, kept.furthest
    for value in values[1:]:
        in_turn = comes_next(value, furthest) and not state.set_aside
        furthest = furthest_of([value], furthest)
        written.append(value)
        state = step(state, value) if in_turn else replay(written, game.rules, results_only=game.results_only)
    return Record(game, [*kept.rows, *rows[1:]], written, state, _furthest=furthest)


_lines_since = Prepared(
    lambda game, revision: _lines(Entry.objects.filter(game=game, revision__gte=revision)),
    (BigIntegerField(), 1_000_001),
    (BigIntegerField(), 1_000_002),
)


def comes_next(entry: e.Entry, furthest: Order) -> bool:
    """Whether the entry is played after all of those written, so that it is one step from the state they lead to."""
    return not isinstance(entry, e.Strike) and entry.order > furthest


def furthest_of(entries: Iterable[e.Entry], before: Order = NOWHERE) -> Order:
    """Where in play the last of these, and of what was written before, stands."""
    # The clause of a foul, added later, stands after the end of the game, but bears on nothing that is played.
    return max([before, *(entry.order for entry in entries if not isinstance(entry, e.FoulClause))])


def records_of(games: Sequence[Game]) -> dict[int, Record]:
    """The records of several games by the games' keys, with their nicknames: two queries, a replay each."""
    lines: dict[int, list[tuple[Any, ...]]] = {game.pk: [] for game in games}
    for key, *line in _lines(Entry.objects.filter(game__in=lines), "game_id"):
        lines[key].append(tuple(line))
    people = _people_of(games)
    found = {game.pk: _replayed(game, lines[game.pk]) for game in games}
    for key, record in found.items():
        record._people = people[key]
        record._nicknames = {person.seat: person.nickname for person in people[key]}
    return found


def _people_of(games: Sequence[Game]) -> dict[int, list[Person]]:
    """Who sits at these tables, by the games' keys: one query."""
    found: dict[int, list[Person]] = {game.pk: [] for game in games}
    seats = Seat.objects.filter(game__in=found).order_by("number")
    for key, *rest in seats.values_list("game_id", "number", "nickname", "player_id", "player__user_id"):
        found[key].append(Person._make(rest))
    return found


def _lines(entries: QuerySet[Entry], *before: str) -> QuerySet[Entry, tuple[Any, ...]]:
    """The cells that make a record, in the order of writing."""
    return entries.order_by("revision").values_list(*before, *Row._fields, *VALUE_COLUMNS)


def _read(lines: Iterable[tuple[Any, ...]]) -> tuple[list[Row], list[e.Entry]]:
    rows, values, own = list[Row](), list[e.Entry](), len(Row._fields)
    for line in lines:
        rows.append(Row(*line[:own]))
        values.append(value_of(line[own:]))
    return rows, values


def _replayed(game: Game, lines: Iterable[tuple[Any, ...]]) -> Record:
    rows, values = _read(lines)
    return Record(game, rows, values, replay(values, game.rules, results_only=game.results_only))


def nicknames_of(game: Game) -> dict[int, str]:
    """Seat → nickname as written for this game; no query where `access` has just fetched them with it."""
    if "seat_nicknames" in game.__dict__:
        found = json.loads(game.__dict__["seat_nicknames"] or "{}")
        return {seat: found[str(seat)] for seat in SEATS if str(seat) in found}
    return dict(Seat.objects.filter(game=game).order_by("number").values_list("number", "nickname"))


def header_of(game: Game) -> Header:
    """The header of the game's sheet (A 9.2)."""
    return Header(
        tournament=game.tournament.title,
        stage=game.stage.name,
        game=game.number,
        table=game.table_number,
        date=game.played_on.isoformat(),
        judge=game.judge_name,
    )


def sheet_of(game: Game, viewer: access.Viewer) -> Sheet:
    """The official protocol as this person may see it: the signed sheet, or what the record says so far.

    Roles, and what gives them away, are left out for whoever must not know them (RULES §9).
    """
    if game.sheet_in_force_id is not None:
        return SignedSheet.objects.get(pk=game.sheet_in_force_id).sheet
    found = sheet_from(record_of(game))
    return found if access.sees_roles(viewer, game) else found.without_roles()


def sheet_from(record: Record) -> Sheet:
    """The sheet that the record says so far, roles included: for whoever may know them, and for signing."""
    game = record.game
    ended_at = timezone.localtime(game.ended_at).isoformat(timespec="minutes") if game.ended_at else ""
    return sheet(record.state, header_of(game), record.nicknames, ended_at=ended_at, protest=game.protest)


def signed_sheets_of(game: Game) -> QuerySet[SignedSheet]:
    """Every sheet signed for the game, the newest first; what was superseded stays readable."""
    return SignedSheet.objects.filter(game=game).select_related("signed_by", "reopened_by").order_by("-number")


def sheets_sealed(beginning: str) -> list[SignedSheet]:
    """The signed sheets whose SHA-256 begins with these hex digits: none, one, or two of more than one.

    Whoever holds a sheet knows these; what else they may see of its game is for `access` to say.
    """
    sealed = SignedSheet.objects.filter(sha256__gte=beginning, sha256__lt=f"{beginning}g")  # "g" is above any digit
    return list(sealed.select_related("game").order_by("sha256")[:2])


def sheets_in_force_of(tournament: Tournament, stage: Stage | None = None) -> QuerySet[SignedSheet]:
    """The signed sheets of the stage, or of the whole tournament, in the order of play."""
    sheets = SignedSheet.objects.filter(game__tournament=tournament, game__sheet_in_force=F("pk"))
    if stage is not None:
        sheets = sheets.filter(game__stage=stage)
    return sheets.order_by("game__stage__number", "game__number", "game__table_number")


def games_of_judge(user: User) -> QuerySet[Game]:
    """The games that this person judges, those still to be signed first, then the newest."""
    closed = ExpressionWrapper(Q(status__in=CLOSED), BooleanField())
    return (
        Game.objects.filter(judge=user)
        .select_related("tournament", "stage")
        .order_by(closed, "-played_on", "-tournament_id", "stage__number", "number", "table_number")
    )


def games_of(tournament: Tournament) -> QuerySet[Game]:
    """All games of a tournament in the order of play, for those who oversee it."""
    return (
        Game.objects.filter(tournament=tournament)
        .select_related("tournament", "stage", "judge")
        .order_by("stage__number", "number", "table_number")
    )


def visible_games_of(tournament: Tournament, viewer: access.Viewer) -> QuerySet[Game]:
    """The games of a tournament that this person may know of, in the order of play."""
    return access.visible_games(viewer, games_of(tournament))


def tournaments_for(viewer: access.Viewer) -> QuerySet[Tournament]:
    """The tournaments that this person may know of, the newest first."""
    if viewer is not None and viewer.is_authenticated:
        if getattr(viewer, "is_superuser", False):
            return Tournament.objects.all()
        mine = Member.objects.filter(user=viewer.pk).values("tournament")
        return Tournament.objects.filter(is_public=True) | Tournament.objects.filter(pk__in=mine)
    return Tournament.objects.filter(is_public=True)


def drafts_of(tournament: Tournament) -> QuerySet[Draft]:
    """The tournament's drafts without their files, the newest first; those that are closed, too."""
    found: QuerySet[Draft] = Draft.objects.filter(tournament=tournament).select_related("tournament")
    return found.defer("raw")


def members_of(tournament: Tournament) -> QuerySet[Member]:
    """Who serves in the tournament."""
    return Member.objects.filter(tournament=tournament).select_related("user").order_by("user_id", "role")


def judges_of(tournament: Tournament) -> QuerySet[User]:
    """Who may be given a game of the tournament: its judges and head judges."""
    serving = Member.objects.filter(tournament=tournament, role__in=["judge", "head_judge"]).values("user")
    return User.objects.filter(pk__in=serving, is_active=True).order_by("last_name", "username")


def player_suggestions(prefix: str, limit: int = 8) -> list[str]:
    """Nicknames that begin with these letters, whatever their case."""
    key = nickname_key(prefix)
    if not key:
        return []
    found = Player.objects.filter(nickname_key__startswith=key, merged_into=None).order_by("nickname_key")[:limit]
    return [player.nickname for player in found]


def players_named(keys: Iterable[str]) -> dict[str, Player]:
    """Who has these keys of nicknames; of a player who turned out to be another one, that other. One query."""
    found = Player.objects.filter(nickname_key__in=list(keys)).select_related("merged_into")
    return {player.nickname_key: player.merged_into or player for player in found}
