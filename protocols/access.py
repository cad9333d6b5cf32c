"""Who may what: every call fetches and authorises at once, so that no view can forget either.

A game or a tournament that a person must not know of is not found (404); one that the person knows but may not
touch is denied (403). A superuser may whatever an organizer may.

============================  ======  ==========  =========  =================  ==========  ========
                              judge   head judge  organizer  other judge there  commission  stranger
============================  ======  ==========  =========  =================  ==========  ========
signed game                   reads   reads       reads      reads              reads       reads, where it is public
the hall's screen of a table  sees    sees        sees       sees               sees        sees, where it is public
game not signed               reads   reads       reads      404                404         404
its board                     reads   reads       reads      403                403         404
its entries                   writes  writes      403        403                403         404
header, seats, handing over   writes  writes      writes     403                403         404
a game of one's own           opens   opens       opens      opens              403         403
protests                      403     reads       reads      403                reads       403
============================  ======  ==========  =========  =================  ==========  ========

A signed game whose round is hidden until it is announced is read by the commission all the same: it decides on it.
Whoever plays at a table that is not over sees neither its board nor its roles, whatever else they are (RULES §9).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.db.models import (
    BooleanField,
    Case,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    TextField,
    UUIDField,
    Value,
    When,
)
from django.db.models.expressions import RawSQL
from django.http import Http404

from .hiding import OPEN as NOTHING_HIDDEN
from .hiding import Veil, veil_of
from .models import CLOSED, Game, Round, Status, Tournament
from .models.prepared import Prepared

Viewer = AbstractBaseUser | AnonymousUser | None
"""Whoever looks; None and AnonymousUser are anybody without a login."""

OVER = (Status.OVER, *CLOSED)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a person is to a game, or, `is_judge` and `plays` apart, to a tournament."""

    user_id: int | None
    is_judge: bool = False
    is_head_judge: bool = False
    is_organizer: bool = False
    is_commissioner: bool = False  # sits on the appeals commission
    is_member: bool = False  # serves in the tournament, as whatever
    is_crew: bool = False  # serves as organizer, head judge or judge: whoever may open a game of one's own
    plays: bool = False

    @property
    def oversees(self) -> bool:
        """Whether the person sees all games of the tournament."""
        return self.is_head_judge or self.is_organizer

    @property
    def serves(self) -> bool:
        """Whether the person judges this game or oversees it."""
        return self.is_judge or self.oversees

    @property
    def hears_protests(self) -> bool:
        """Whether the person reads what is protested: the commission, and whoever oversees the tournament (A 8.7.2)."""
        return self.is_commissioner or self.oversees


# ---------------------------------------------------------------- tournaments


def tournament_for(user: Viewer, slug: str) -> Tournament:
    """A tournament that is public or that the person serves in. Raises Http404."""
    tournament: Tournament = _first(
        _as_seen_by(user, Tournament.objects.filter(slug=slug).select_related("regulation_version", "cancellation"))
    )
    if not (tournament.is_public or standing_in(user, tournament).is_member):
        raise Http404
    return tournament


def organized(user: Viewer, slug: str) -> Tournament:
    """A tournament that the person organizes. Raises Http404, or PermissionDenied for a tournament they see."""
    tournament = tournament_for(user, slug)
    if not standing_in(user, tournament).is_organizer:
        raise PermissionDenied
    return tournament


def overseen(user: Viewer, slug: str) -> Tournament:
    """A tournament that the person organizes or heads. Raises Http404, or PermissionDenied for one they see."""
    tournament = tournament_for(user, slug)
    if not standing_in(user, tournament).oversees:
        raise PermissionDenied
    return tournament


def served(user: Viewer, slug: str) -> Tournament:
    """A tournament in which the person serves and so may open a game. Raises Http404 or PermissionDenied.

    Whoever sits on its appeals commission and is nothing else does not.
    """
    tournament = tournament_for(user, slug)
    if not standing_in(user, tournament).is_crew:
        raise PermissionDenied
    return tournament


def joined(user: Viewer, slug: str) -> Tournament:
    """A tournament that the person serves in, as whatever. Raises Http404, or PermissionDenied for one they see."""
    tournament = tournament_for(user, slug)
    standing = standing_in(user, tournament)
    if not (standing.is_member or standing.is_organizer):
        raise PermissionDenied
    return tournament


def heard(user: Viewer, slug: str) -> Tournament:
    """A tournament whose protests the person reads. Raises Http404, or PermissionDenied for one they see."""
    tournament = tournament_for(user, slug)
    if not standing_in(user, tournament).hears_protests:
        raise PermissionDenied
    return tournament


def is_head_judge(user: Viewer, tournament: Tournament) -> bool:
    """Whether the person is head judge of the tournament."""
    return standing_in(user, tournament).is_head_judge


# ---------------------------------------------------------------- games


def public_game(user: Viewer, uuid: UUID) -> Game:
    """A signed game of a tournament the person may see, or any game that they judge or oversee. Raises Http404.

    A game of a round whose results are hidden until they are announced is not found, as if it were not signed; the
    appeals commission reads it.
    """
    game, standing = _game(user, uuid)
    if standing.serves or (standing.is_commissioner and game.is_closed):
        return game
    is_everybodys = game.is_closed and (game.tournament.is_public or standing.is_member)
    if is_everybodys and not _veil_over(game).hides_protocol(game):
        return game
    raise Http404


def veil_for(user: Viewer, tournament: Tournament) -> Veil:
    """What is hidden of the tournament from this person: nothing from whoever oversees it; otherwise one query."""
    return NOTHING_HIDDEN if standing_in(user, tournament).oversees else veil_of(tournament)


def sees_extra(user: Viewer, game: Game) -> bool:
    """Whether the person may know the game's extra points now: whoever serves in it, and others where none are hidden.

    One query for those, unless the game was fetched for them. The appeals commission knows those of signed games.
    """
    standing = standing_at(user, game)
    if standing.serves or (standing.is_commissioner and game.is_closed):
        return True
    return not _veil_over(game).hides_extra_of(game)


def _veil_over(game: Game) -> Veil:
    """What is hidden of its tournament; asked once for a game that was fetched."""
    if "veil" not in game.__dict__:
        game.__dict__["veil"] = veil_of(game.tournament)
    found: Veil = game.__dict__["veil"]
    return found


def game_on_screen(slug: str, table: int) -> Game:
    """The game that the hall's screen of this table shows to anybody: of a public tournament. Raises Http404.

    The one that is played; otherwise the last one played, until the next begins; before the first one, that one. What
    of it may be seen is for `screen` to say: before the protocol is signed no more than the hall has seen and heard.
    """
    played = Case(When(status=Status.RUNNING, then=0), When(status=Status.PREPARED, then=2), default=1)
    later_first = Case(When(status=Status.PREPARED, then=1), default=-1)
    games = Game.objects.select_related("tournament", "stage", "clock", "regulation_version").filter(
        tournament__slug=slug, tournament__is_public=True, table_number=table
    )
    has_rounds = Exists(Round.objects.filter(stage=OuterRef("stage")))
    order = (played, F("stage__number") * later_first, F("number") * later_first)
    game: Game = _first(games.annotate(seat_nicknames=_nicknames(), has_rounds=has_rounds).order_by(*order))
    if game.status == Status.PREPARED and game.__dict__["has_rounds"] and not game.stage.seating_is_public:
        game.__dict__["seat_nicknames"] = None  # who plays where is not published before the game begins
    return game


def judged_game(user: Viewer, uuid: UUID) -> Game:
    """A game whose board the person may read: its judge, the head judge, the organizer.

    Raises Http404 for a stranger, PermissionDenied for another judge of the tournament and for whoever plays at
    the table before the game is over.
    """
    return _served_game(user, uuid, lambda standing: standing.serves)


def writable_game(user: Viewer, uuid: UUID) -> Game:
    """A game whose record the person writes: its judge and the head judge. Raises as `judged_game`."""
    return _served_game(user, uuid, lambda standing: standing.is_judge or standing.is_head_judge)


def prepared_game(user: Viewer, uuid: UUID) -> Game:
    """A game whose header and seats the person sets, or hands over: judge, head judge, organizer."""
    return _served_game(user, uuid, lambda standing: standing.serves)


def headed_game(user: Viewer, uuid: UUID) -> Game:
    """A game that the person may reopen: the head judge's. Raises as `judged_game`."""
    return _served_game(user, uuid, lambda standing: standing.is_head_judge)


def heard_game(user: Viewer, uuid: UUID) -> Game:
    """A signed game whose protests the person reads, or one that they oversee. Raises as `judged_game`.

    The commission does not learn here of a game that is not signed: 403, as another judge of the tournament.
    """
    game = _served_game(user, uuid, lambda standing: standing.hears_protests)
    if not (game.is_closed or standing_at(user, game).oversees):
        raise PermissionDenied
    return game


def sees_roles(user: Viewer, game: Game) -> bool:
    """Whether the person may know the roles now: anybody once the game is signed, before that those who serve.

    Whoever plays at the table does not before the game is over (RULES §9).
    """
    if game.is_closed:
        return True
    standing = standing_at(user, game)
    return standing.serves and (not standing.plays or game.status in OVER)


def standing_at(user: Viewer, game: Game) -> Standing:
    """What the person is to the game; no query where the game was fetched for this person."""
    found = _remembered(user, game)
    return found or _standing(_first(_as_seen_by(user, Game.objects.filter(pk=game.pk))), user)


def standing_in(user: Viewer, tournament: Tournament) -> Standing:
    """What the person is to the tournament; no query where the tournament was fetched for this person."""
    found = _remembered(user, tournament)
    if found:
        return found
    return _standing(_first(_as_seen_by(user, Tournament.objects.filter(pk=tournament.pk))), user)


def visible_games(user: Viewer, games: QuerySet[Game]) -> QuerySet[Game]:
    """Those of the games that the person may know of, in one query with what the person is to each."""
    seen = _as_seen_by(user, games.select_related("tournament", "stage"))
    closed = Q(status__in=CLOSED)
    if user is None or not user.is_authenticated:
        return seen.filter(closed, tournament__is_public=True)
    if getattr(user, "is_superuser", False):
        return seen
    serves = Q(judge=user.pk) | Q(viewer_roles__in=[roles for roles in range(16) if roles & (HEAD | ORGANIZER)])
    return seen.filter(serves | (closed & (Q(tournament__is_public=True) | Q(viewer_roles__gt=0))))


def _game(user: Viewer, uuid: UUID) -> tuple[Game, Standing]:
    found = _game_for(user.pk, uuid) if user is not None and user.is_authenticated else list(_games(uuid))
    if not found:
        raise Http404
    game: Game = found[0]
    return game, _standing(game, user)


def _games(uuid: UUID) -> QuerySet[Game]:
    games = Game.objects.select_related("tournament", "stage", "clock", "regulation_version")
    return games.filter(uuid=uuid).order_by().annotate(seat_nicknames=_nicknames())


_game_for = Prepared(
    lambda viewer, uuid: _with_standing(viewer, _games(uuid)),
    (IntegerField(), 1_000_001),
    (UUIDField(), UUID(int=1001)),
)


def _served_game(user: Viewer, uuid: UUID, may: Any) -> Game:
    game, standing = _game(user, uuid)
    if not (standing.is_member or standing.serves):
        raise Http404
    if not may(standing) or (standing.plays and game.status not in OVER):
        raise PermissionDenied
    return game


# ---------------------------------------------------------------- one query

ORGANIZER, HEAD, JUDGE, COMMISSION = 1, 2, 4, 8
"""Bits of the number that holds a person's roles in a tournament."""

# In SQL, because compiling the same from expressions takes as long as all the rest of a tap.
_ROLES = """
    COALESCE((SELECT SUM(CASE role WHEN 'organizer' THEN 1 WHEN 'head_judge' THEN 2 WHEN 'judge' THEN 4
    WHEN 'commission' THEN 8 ELSE 0 END) FROM protocols_member
    WHERE tournament_id = {} AND user_id = %s), 0)
"""
_ROLES_AT_A_GAME = _ROLES.format("protocols_game.tournament_id")
_ROLES_IN_A_TOURNAMENT = _ROLES.format("protocols_tournament.id")
_PLAYS = """
    EXISTS (SELECT 1 FROM protocols_seat JOIN protocols_player ON protocols_player.id = player_id
    WHERE game_id = protocols_game.id AND user_id = %s)
"""
_NICKNAMES = {
    "sqlite": """
        (SELECT json_group_object(number, nickname) FROM protocols_seat WHERE game_id = protocols_game.id)
    """,
    "postgresql": """
        (SELECT CAST(json_object_agg(number, nickname) AS text) FROM protocols_seat
        WHERE game_id = protocols_game.id)
    """,
}


def _as_seen_by(user: Viewer, rows: QuerySet[Any]) -> QuerySet[Any]:
    """The rows, each with what this person is to it."""
    if user is None or not user.is_authenticated:
        return rows
    return _with_standing(user.pk, rows)


def _with_standing(viewer: int, rows: QuerySet[Any]) -> QuerySet[Any]:
    of_game = rows.model is Game
    roles = RawSQL(_ROLES_AT_A_GAME if of_game else _ROLES_IN_A_TOURNAMENT, [viewer], IntegerField())  # noqa: S611
    seen: QuerySet[Any] = rows.annotate(viewer=Value(viewer), viewer_roles=roles)
    if of_game:
        seen = seen.annotate(viewer_plays=RawSQL(_PLAYS, [viewer], BooleanField()))  # noqa: S611
    return seen


def _nicknames() -> RawSQL:
    """The nicknames by seat as JSON, in the query that fetches the game."""
    return RawSQL(_NICKNAMES[connection.vendor], [], TextField())  # noqa: S611


def _first(rows: QuerySet[Any]) -> Any:
    found = next(iter(rows[:1]), None)
    if found is None:
        raise Http404
    return found


def _standing(row: Game | Tournament, user: Viewer) -> Standing:
    return _remembered(user, row) or Standing(None)


def _remembered(user: Viewer, row: Game | Tournament) -> Standing | None:
    """What the query that fetched the row said of this person."""
    cells = row.__dict__
    if user is None or not user.is_authenticated:
        return Standing(None)
    if cells.get("viewer") != user.pk:
        return None
    roles = cells["viewer_roles"] | (ORGANIZER if getattr(user, "is_superuser", False) else 0)
    return Standing(
        user_id=user.pk,
        is_judge=cells.get("judge_id") == user.pk,
        is_head_judge=bool(roles & HEAD),
        is_organizer=bool(roles & ORGANIZER),
        is_commissioner=bool(roles & COMMISSION),
        is_member=roles > 0,
        is_crew=bool(roles & (ORGANIZER | HEAD | JUDGE)),
        plays=cells.get("viewer_plays", False),
    )
