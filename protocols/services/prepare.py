"""What is prepared before a game: the tournament and its stages, headers, seats, and who judges (A 9.2, 9.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import Max
from django.utils.text import slugify
from django.utils.translation import gettext as _

from ..exchange.lines import line_written
from ..exchange.reading import YEARS
from ..models import (
    NICKNAME_LENGTH,
    OPEN,
    Game,
    Member,
    MemberRole,
    Player,
    Seat,
    SignedSheet,
    Stage,
    Tournament,
    nickname_key,
    nickname_written,
)
from ..rules.refusal import Refusal
from ..rules.terms import SEATS
from ..selectors import players_named
from .errors import Invalid, Refused
from .judges import conflicts_of, refuse_judge
from .members import appoint, dismiss
from .people import printed_name

NEW_PLAYERS = 1867  # PostgreSQL's number of the turn to make players; any that nothing else uses
LATIN = str.maketrans(
    dict(zip("абвгдезийклмнопрстуфэыё", "abvgdeziiklmnoprstufeye", strict=True))
    | {"ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ь": "", "ю": "iu", "я": "ia"}
)

# ---------------------------------------------------------------- tournaments


def create_tournament(
    *,
    title: str,
    starts_on: date,
    regulation: str,
    by: User,
    city: str = "",
    slug: str = "",
    is_public: bool = True,
    time_zone: str = "",
) -> Tournament:
    """Sets up a tournament; whoever does it is its organizer. Raises Invalid.

    Without a `slug` the address follows from the title, in Latin letters, with a number where it is taken.
    """
    tournament = Tournament(
        title=line_written(title), starts_on=starts_on, regulation=regulation, city=line_written(city),
        is_public=is_public, slug=slug or _free_slug(title), time_zone=time_zone,
    )  # fmt: skip
    with transaction.atomic():
        _save(tournament)
        appoint(tournament, by, MemberRole.ORGANIZER, by=by)
    return tournament


def set_tournament(
    tournament: Tournament,
    *,
    title: str,
    starts_on: date,
    regulation: str,
    city: str = "",
    is_public: bool = True,
    time_zone: str = "",
) -> Tournament:
    """Changes a tournament. Its regulation stays as it is once a sheet is signed. Raises Invalid.

    Another time zone moves no start that was set: the same instants are told by the other clock.
    """
    with transaction.atomic():
        held = Tournament.objects.select_for_update().get(pk=tournament.pk)
        if regulation != held.regulation and SignedSheet.objects.filter(game__tournament=held).exists():
            raise Invalid(_("The regulation can’t change: protocols have been signed under it."))
        if regulation != held.regulation:
            tournament.regulation_version = None
            begins = Game.objects.filter(tournament=held, revision=0, stage__regulation_version=None)
            begins.update(regulation_version=None)
        tournament.title, tournament.city = line_written(title), line_written(city)
        tournament.starts_on, tournament.regulation = starts_on, regulation
        tournament.is_public = is_public
        tournament.time_zone = time_zone or tournament.time_zone
        _check(tournament)
        tournament.save()
    return tournament


def add_stage(
    tournament: Tournament,
    *,
    name: str,
    multiplier: Decimal = Decimal(1),
    is_final: bool = False,
    number: int | None = None,
    group: str = "",
) -> Stage:
    """Adds a stage, after the others unless `number` says where. Raises Invalid."""
    if number is None:
        last = Stage.objects.filter(tournament=tournament).aggregate(last=Max("number"))["last"] or 0
        number = last + 1
    stage = Stage(
        tournament=tournament,
        name=line_written(name),
        number=number,
        multiplier=multiplier,
        is_final=is_final,
        group=line_written(group),
    )
    _save(stage)
    return stage


def set_stage(stage: Stage, *, name: str, multiplier: Decimal, is_final: bool, group: str | None = None) -> Stage:
    """Changes a stage; those of one `group` are counted as one for Ci, None leaves it as it is. Raises Invalid."""
    if group is not None:
        stage.group = line_written(group)
    stage.name, stage.multiplier, stage.is_final = line_written(name), multiplier, is_final
    _check(stage)
    stage.save()
    return stage


# ---------------------------------------------------------------- games

PLACE = ("number", "table_number")


def create_game(
    stage: Stage,
    *,
    played_on: date,
    judge: User | None,
    number: int | None = None,
    table_number: int = 1,
    judge_name: str = "",
    round: int | None = None,
    results_only: bool = False,
    from_paper: bool = False,
    source: Any = None,
    ended_at: datetime | None = None,
) -> Game:
    """Opens the protocol of a game; without a `number` it is the next one at its table. Raises Invalid.

    `ended_at` is for a game that was played and written down elsewhere.
    """
    if number is None:
        games = Game.objects.filter(stage=stage, table_number=table_number)
        number = (games.aggregate(last=Max("number"))["last"] or 0) + 1
    game = Game(
        tournament=stage.tournament, stage=stage, number=number, table_number=table_number, round=round,
        played_on=played_on, judge=judge, judge_name=line_written(judge_name) or printed_name(judge),
        results_only=results_only, from_paper=from_paper, source=source, ended_at=ended_at,
        regulation_version_id=stage.regulation_version_id or stage.tournament.regulation_version_id,
    )  # fmt: skip
    _save(game)
    return game


def set_header(
    game: Game,
    *,
    stage: Stage,
    number: int,
    table_number: int,
    played_on: date,
    judge_name: str,
    round: int | None = None,
) -> Game:
    """Changes the header of a protocol that is not signed. Raises Invalid, or Refused for a signed one."""
    with transaction.atomic():
        _hold(game)
        if stage.tournament_id != game.tournament_id:
            raise Invalid(_("The stage belongs to another tournament."))
        if stage.pk != game.stage_id and game.revision == 0:
            game.regulation_version_id = stage.regulation_version_id or stage.tournament.regulation_version_id
        game.stage, game.number, game.table_number, game.round = stage, number, table_number, round
        game.played_on, game.judge_name = played_on, line_written(judge_name)
        _check(game)
        try:
            with transaction.atomic():
                game.save(update_fields=["regulation_version", "stage", "round", "played_on", "judge_name", *PLACE])
        except IntegrityError:
            raise _taken() from None
    return game


def hand_over(game: Game, to_user: User) -> Game:
    """Gives the game to another judge of the tournament, also in the middle.

    Raises Invalid for whoever plays in it or has a listed conflict with somebody there, and Refused when it is signed.
    """
    with transaction.atomic():
        _hold(game)
        roles = [MemberRole.JUDGE, MemberRole.HEAD_JUDGE]
        if not Member.objects.filter(
            tournament=game.tournament_id, user=to_user, user__is_active=True, role__in=roles
        ).exists():
            raise Invalid(_("%(judge)s does not judge in this tournament.") % {"judge": printed_name(to_user)})
        refuse_judge(game, to_user)
        game.judge, game.judge_name = to_user, printed_name(to_user)
        game.save(update_fields=["judge", "judge_name"])
    return game


# ---------------------------------------------------------------- seats


@dataclass(frozen=True, slots=True)
class Seating:
    """What became of the nicknames: `unknown` ones, seat → nickname, wait for a confirmation and nothing is written."""

    unknown: dict[int, str]

    @property
    def is_written(self) -> bool:
        """Whether the seats are as asked."""
        return not self.unknown


def seat_players(game: Game, nicknames: Sequence[str] | Mapping[int, str], *, confirm_new: bool = False) -> Seating:
    """Seats the players named, an empty name leaving the seat free; until the protocol is signed.

    Known players are found whatever the case of the letters; Ё is not Е. Nicknames that nobody has are given back
    to be confirmed, unless `confirm_new` says they are. Raises Invalid naming seats and nicknames for an eleventh
    player, for one player on two seats, and for the game's own judge; Refused for a signed protocol.
    """
    wanted = _wanted(nicknames)
    with transaction.atomic():
        _hold(game)
        keys = {seat: nickname_key(name) for seat, name in wanted.items()}
        known = players_named(keys.values())
        unknown = {seat: wanted[seat] for seat, key in keys.items() if key not in known}
        if unknown and not confirm_new:
            return Seating(unknown)
        known |= new_players(unknown.values())
        players = {seat: known[key] for seat, key in keys.items()}
        _refuse_one_player_twice(wanted, players)
        _refuse_judge(game, players)
        Seat.objects.filter(game=game).delete()
        Seat.objects.bulk_create(
            Seat(game=game, number=seat, player=player, nickname=player.nickname)
            for seat, player in sorted(players.items())
        )
    game.__dict__.pop("seat_nicknames", None)  # what access fetched holds no longer
    return Seating({})


def new_players(nicknames: Iterable[str]) -> dict[str, Player]:
    """Players of these nicknames by their keys, made where nobody has the nickname; inside a transaction.

    Others may be confirming the same nicknames at this moment: whoever makes players waits for whoever does so
    already, for two that wait for each other's nicknames would wait for ever.
    """
    if connection.vendor == "postgresql":  # SQLite has one writer anyway
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [NEW_PLAYERS])
    named: dict[str, str] = {}
    for nickname in nicknames:
        named.setdefault(nickname_key(nickname), nickname_written(nickname))
    found = players_named(named) if named else {}
    made = [Player(nickname=named[key], nickname_key=key) for key in named if key not in found]
    return found | {player.nickname_key: player for player in Player.objects.bulk_create(made)}


def _wanted(nicknames: Sequence[str] | Mapping[int, str]) -> dict[int, str]:
    """Seat → nickname as it is stored, for seats that have one."""
    given = nicknames if isinstance(nicknames, Mapping) else dict(enumerate(nicknames, start=1))
    wanted = {seat: nickname_written(name) for seat, name in given.items()}
    wanted = {seat: name for seat, name in sorted(wanted.items()) if name}
    messages = []
    taken: dict[str, int] = {}
    for seat, name in wanted.items():
        words = {"seat": seat, "nickname": name, "most": NICKNAME_LENGTH}
        if seat not in SEATS:
            messages.append(_("Seat %(seat)d, %(nickname)s: a table has ten seats.") % words)
        if len(name) > NICKNAME_LENGTH:
            messages.append(_("Seat %(seat)d: the nickname is longer than %(most)d characters.") % words)
        first = taken.setdefault(nickname_key(name), seat)
        if first != seat:
            both = {"nickname": name, "first": first, "second": seat}
            messages.append(_("%(nickname)s is on seats %(first)d and %(second)d; a player has one seat.") % both)
    if messages:
        raise Invalid(*messages)
    return wanted


def _refuse_one_player_twice(wanted: Mapping[int, str], players: Mapping[int, Player]) -> None:
    """Two nicknames may be of one player, where two have turned out to be one."""
    first: dict[int, int] = {}
    for seat, player in players.items():
        if first.setdefault(player.pk, seat) != seat:
            words = {"nickname": wanted[seat], "other": wanted[first[player.pk]], "seat": seat}
            raise Invalid(_("Seat %(seat)d: %(nickname)s and %(other)s are one player, who has one seat.") % words)


def _refuse_judge(game: Game, players: Mapping[int, Player]) -> None:
    for seat, player in players.items():
        if game.judge_id is not None and player.user_id == game.judge_id:
            words = {"seat": seat, "nickname": player.nickname}
            raise Invalid(_("Seat %(seat)d, %(nickname)s: the judge of the game can’t play in it.") % words)
    listed = conflicts_of(game)
    messages = [
        _("Seat %(seat)d, %(nickname)s: a conflict with the judge of the game is listed; give the game another judge.")
        % {"seat": seat, "nickname": player.nickname}
        for seat, player in players.items()
        if player.pk in listed
    ]
    if messages:
        raise Invalid(*messages)


# ---------------------------------------------------------------- common


def _hold(game: Game) -> None:
    """Holds the game's row until the transaction ends. Raises Refused where it is signed (A 9.9)."""
    held = Game.objects.select_for_update().get(pk=game.pk)
    game.revision, game.status, game.judge_id = held.revision, held.status, held.judge_id
    if held.status not in OPEN:
        raise Refused(Refusal("signed", game.rules.cite("signature")))


def _check(row: Tournament | Stage | Game) -> None:
    """Raises Invalid with what Django's own checks of fields and constraints say."""
    try:
        row.full_clean()
    except ValidationError as error:
        raise Invalid(*error.messages) from None
    for day in (getattr(row, "played_on", None), getattr(row, "starts_on", None)):
        if day is not None and day.year not in YEARS:
            words = {"first": YEARS[0], "last": YEARS[-1]}
            raise Invalid(_("The date is of no game: the year is to be from %(first)d to %(last)d.") % words)


def _save(row: Tournament | Stage | Game) -> None:
    """Checks and adds the row. Raises Invalid, also where its number or address was taken at this very moment."""
    _check(row)
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        raise _taken() from None


def _taken() -> Invalid:
    return Invalid(_("This number or address has just been taken; please choose another one."))


def _free_slug(title: str) -> str:
    base = slugify(title.lower().translate(LATIN))[:50] or "tournament"
    # «new» is the address of the form that sets a tournament up.
    taken = {"new", *Tournament.objects.filter(slug__startswith=base).values_list("slug", flat=True)}
    number = 2
    slug = base
    while slug in taken:
        slug, number = f"{base}-{number}", number + 1
    return slug


__all__ = [
    "Seating", "add_stage", "appoint", "create_game", "create_tournament", "dismiss", "hand_over",
    "new_players", "printed_name", "seat_players", "set_header", "set_stage", "set_tournament",
]  # fmt: skip
