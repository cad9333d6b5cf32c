"""Two players who turn out to be one: what would move is shown first, then moved whole or not at all.

Signed sheets stay as they were signed. A nickname's digest on a sheet is made with the salt of the player who was
seated: a result that goes to another player keeps that salt in its own column, so that the sheet can still be proved.
Whoever is merged away stays as a row that points to who they are, so that their address and their nickname lead there.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from protocols.models import (
    Application,
    Conflict,
    Game,
    KeptApart,
    Member,
    MemberRole,
    Participant,
    Player,
    PlayerMerge,
    Protest,
    Seat,
    SeatingRun,
    SeatingState,
    SeatResult,
    Tournament,
)
from protocols.services.errors import Invalid
from protocols.services.people import printed_name
from protocols.services.roster import fills

from .models import CutPlace, Lot, LotPlace, PlayerPenalty, QualifyingRating, TeamMember, tied_key
from .team_log import logged

PLAYER_ROWS = {
    "Seat.player", "SeatResult.player", "Participant.player", "KeptApart.first", "KeptApart.second", "Conflict.player",
    "Protest.player", "Application.player", "TeamMember.player", "LotPlace.player", "CutPlace.player",
    "QualifyingRating.player", "PlayerPenalty.player",
}  # fmt: skip
"""Every row that names a player and goes with a merge."""


@dataclass(slots=True)
class Moved:
    """What goes over in one tournament."""

    tournament: Tournament
    is_organized: bool  # by who asks
    games: int = 0
    signed: int = 0  # sheets, superseded ones too
    takes_part: bool = False
    team: str = ""
    rest: int = 0  # lots, cuts, ratings from outside, protests, pairs kept apart, conflicts of judges


@dataclass(slots=True)
class MergePlan:
    """What a merge would do."""

    gone: Player
    kept: Player
    moved: list[Moved] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)  # with any of these nothing can be moved

    @property
    def fingerprint(self) -> str:
        """The same while the merge would do the same."""
        told = [
            (each.tournament.pk, each.games, each.signed, each.takes_part, each.team, each.rest) for each in self.moved
        ]
        return hashlib.sha256(repr((self.gone.pk, self.kept.pk, told, self.refusals)).encode()).hexdigest()


def merge_plan(gone: Player, kept: Player, *, by: User) -> MergePlan:
    """What it would do to take these two for one; writes nothing."""
    plan = MergePlan(gone, kept)
    if gone.pk == kept.pk or gone.merged_into_id or kept.merged_into_id:
        plan.refusals.append(_("Name two different players."))
        return plan
    plan.moved = _moved(gone, by)
    plan.refusals = [*_rights(plan, by), *_met(gone, kept), *_logins(gone, kept), *_both(gone, kept)]
    return plan


def merge(gone: Player, kept: Player, *, seen: str, by: User) -> PlayerMerge:
    """Moves everything of the one to the other, as it was seen. Raises Invalid, and then nothing is moved.

    An organizer may where everything that moves is of tournaments they organize; a superuser always may.
    """
    with transaction.atomic():
        touched = _counts(gone, Counter()).keys() | _counts(kept, Counter()).keys()
        list(Tournament.objects.select_for_update().filter(pk__in=touched).order_by("pk"))
        list(Game.objects.select_for_update().filter(seats__player__in=[gone, kept]).order_by("pk"))
        players = Player.objects.select_for_update(of=("self",)).filter(pk__in=[gone.pk, kept.pk]).order_by("pk")
        held = {player.pk: player for player in players}
        plan = merge_plan(held[gone.pk], held[kept.pk], by=by)
        if plan.refusals:
            raise Invalid(*plan.refusals)
        if plan.fingerprint != seen:
            raise Invalid(_("Something of these players has changed since it was shown: look at it once more."))
        with ExitStack() as kept_open:
            for each in plan.moved:
                if each.team:
                    kept_open.enter_context(logged(each.tournament, by=by))
            return _move(plan, by)


# ---------------------------------------------------------------- what there is


def _counts(player: Player, rest: Counter[int]) -> dict[int, Counter[str]]:
    """Tournament → how many rows of each kind name the player; `rest` gathers the smaller kinds."""
    kinds = {
        "games": Seat.objects.filter(player=player).values_list("game__tournament"),
        "signed": SeatResult.objects.filter(player=player).values_list("tournament"),
        "part": Participant.objects.filter(player=player).values_list("tournament"),
        "team": TeamMember.objects.filter(player=player).values_list("tournament"),
        "apart": KeptApart.objects.filter(Q(first=player) | Q(second=player)).values_list("tournament"),
        "conflict": Conflict.objects.filter(player=player).values_list("tournament"),
        "protest": Protest.objects.filter(player=player).values_list("game__tournament"),
        "lot": LotPlace.objects.filter(player=player).values_list("lot__tournament"),
        "cut": CutPlace.objects.filter(player=player).values_list("cut__stage__tournament"),
        "outside": QualifyingRating.objects.filter(player=player).values_list("tournament"),
        "penalty": PlayerPenalty.objects.filter(player=player).values_list("tournament"),
    }
    found: dict[int, Counter[str]] = {}
    for kind, rows in kinds.items():
        for (tournament,) in rows.order_by():
            found.setdefault(tournament, Counter())[kind] += 1
            rest[tournament] += kind in ("apart", "conflict", "protest", "lot", "cut", "outside", "penalty")
    return found


def _moved(gone: Player, by: User) -> list[Moved]:
    rest: Counter[int] = Counter()
    found = _counts(gone, rest)
    roles = Member.objects.filter(user=by, role=MemberRole.ORGANIZER, tournament__in=found)
    organized = set(roles.values_list("tournament", flat=True))
    teams = dict(TeamMember.objects.filter(player=gone).values_list("tournament", "team__name"))
    return [
        Moved(
            tournament, by.is_superuser or tournament.pk in organized, counts["games"], counts["signed"],
            bool(counts["part"]), teams.get(tournament.pk, ""), rest[tournament.pk],
        )
        for tournament in Tournament.objects.filter(pk__in=found).order_by("-starts_on", "-pk")
        for counts in (found[tournament.pk],)
    ]  # fmt: skip


# ---------------------------------------------------------------- what speaks against it


def _rights(plan: MergePlan, by: User) -> list[str]:
    """An organizer moves nothing in the tournaments of others, and nobody's login."""
    if by.is_superuser:
        return []
    strange = [each.tournament for each in plan.moved if not each.is_organized]
    found = []
    if strange:
        named = [tournament.title for tournament in strange if tournament.is_public]
        names = ", ".join([*named, *([_("a closed tournament")] if len(named) < len(strange) else [])])
        words = _(
            "%(nickname)s has also something in tournaments that you don’t organize (%(names)s): ask the "
            "administrator of the site to merge the two."
        )
        found.append(words % {"nickname": plan.gone.nickname, "names": names})
    if plan.gone.user_id is not None:
        words = _("%(nickname)s has a login of this site: only the administrator of the site may pass it on.")
        found.append(words % {"nickname": plan.gone.nickname})
    return found


def _met(gone: Player, kept: Player) -> list[str]:
    """Who sat at one table is not one person."""
    seated = set(Seat.objects.filter(player=gone).values_list("game", flat=True))
    seated |= set(SeatResult.objects.filter(player=gone).values_list("game", flat=True))
    also = Q(seats__player=kept) | Q(results__player=kept)
    met = Game.objects.filter(also, pk__in=seated).select_related("tournament").order_by("pk").distinct()
    words = _("Both sat at one table: %(tournament)s, game %(number)d, table %(table)d. They are two people.")
    return [
        words % {"tournament": game.tournament.title, "number": game.number, "table": game.table_number}
        for game in met[:5]
    ]


def _logins(gone: Player, kept: Player) -> list[str]:
    if gone.user is None:
        return []
    if kept.user_id is not None:
        return [_("Both have a login of this site.")]
    judged = Game.objects.filter(judge=gone.user, seats__player__in=[gone, kept]).select_related("tournament")
    words = _("%(judge)s would be the judge of a game of their own: %(tournament)s, game %(number)d.")
    return [
        words % {"judge": printed_name(gone.user), "tournament": game.tournament.title, "number": game.number}
        for game in judged.order_by("pk")[:5]
    ]


def _both(gone: Player, kept: Player) -> list[str]:
    """What one player has once, and these two have both, each its own."""
    found = []
    teams = {row.tournament_id: row for row in TeamMember.objects.filter(player=kept).select_related("team")}
    for row in TeamMember.objects.filter(player=gone).select_related("team", "tournament"):
        other = teams.get(row.tournament_id)
        if other is not None and other.team_id != row.team_id:
            words = _("%(tournament)s: they are in two teams, “%(team)s” and “%(other)s”.")
            names = {"tournament": row.tournament.title, "team": row.team.name, "other": other.team.name}
            found.append(words % names)
    ratings = dict(QualifyingRating.objects.filter(player=kept).values_list("tournament", "rating"))
    for rating in QualifyingRating.objects.filter(player=gone).select_related("tournament"):
        if ratings.get(rating.tournament_id, rating.rating) != rating.rating:
            words = _("%(tournament)s: they have two different ratings from outside; delete one.")
            found.append(words % {"tournament": rating.tournament.title})
    words = _("%(tournament)s: both stand in one lot.")
    lots = Lot.objects.filter(places__player=gone).select_related("tournament")
    after = {lot.pk: _tied(lot, gone, kept) for lot in lots}
    twice = set(Lot.objects.filter(places__player=kept).values_list("pk", flat=True))
    for lot in lots:
        same = Lot.objects.filter(tournament=lot.tournament_id, tied=after[lot.pk]).exclude(pk=lot.pk)
        if lot.pk in twice or same.exists():
            found.append(words % {"tournament": lot.tournament.title})
    words = _("%(tournament)s: both passed one cut.")
    passed = CutPlace.objects.filter(player=kept).values("cut")
    for place in CutPlace.objects.filter(player=gone, cut__in=passed).select_related("cut__stage__tournament"):
        found.append(words % {"tournament": place.cut.stage.tournament.title})
    words = _("%(tournament)s: a seating that is not in use seats both: throw it away first.")
    for run in _runs_of(gone):
        if kept.pk in run.players:
            found.append(words % {"tournament": run.stage.tournament.title})
    return found


def _tied(lot: Lot, gone: Player, kept: Player) -> str:
    players = lot.places.values_list("player", flat=True)
    return tied_key(kept.pk if key == gone.pk else key for key in players)


def _runs_of(player: Player) -> list[SeatingRun]:
    """Seatings not in use in which the player is; one in use stays as it was drawn."""
    taking = Participant.objects.filter(player=player).values("tournament")
    runs = SeatingRun.objects.filter(stage__tournament__in=taking).exclude(state=SeatingState.USED)
    return [run for run in runs.select_related("stage__tournament") if player.pk in run.players]


# ---------------------------------------------------------------- moving it


def _move(plan: MergePlan, by: User) -> PlayerMerge:
    gone, kept = plan.gone, plan.kept
    for run in _runs_of(gone):
        run.players = [kept.pk if key == gone.pk else key for key in run.players]
        run.save(update_fields=["players"])
    SeatResult.objects.filter(player=gone, salt=None).update(salt=gone.salt)
    for model in (Seat, SeatResult, Protest, CutPlace, Application, PlayerPenalty):
        model.objects.filter(player=gone).update(player=kept)
    for lot in Lot.objects.filter(places__player=gone):
        Lot.objects.filter(pk=lot.pk).update(tied=_tied(lot, gone, kept))
    LotPlace.objects.filter(player=gone).update(player=kept)
    _move_participation(gone, kept)
    _move_once(gone, kept)
    _move_login(gone, kept)
    Player.objects.filter(Q(pk=gone.pk) | Q(merged_into=gone)).update(merged_into=kept)
    told = [{"tournament": each.tournament.slug, "games": each.games, "sheets": each.signed} for each in plan.moved]
    return PlayerMerge.objects.create(gone=gone, kept=kept, moved=told, merged_by=by, merged_at=timezone.now())


def _move_participation(gone: Player, kept: Player) -> None:
    there = {each.tournament_id: each for each in Participant.objects.filter(player=kept)}
    for each in Participant.objects.filter(player=gone):
        other = there.get(each.tournament_id)
        if other is None:
            each.player = kept
            each.save(update_fields=["player"])
            continue
        each.delete()
        other.number = other.number or each.number
        other.state = each.state if each.takes_part else other.state
        other.city, other.team = other.city or each.city, other.team or each.team
        other.save()
    for pair in KeptApart.objects.filter(Q(first=gone) | Q(second=gone)):
        partner = pair.second_id if pair.first_id == gone.pk else pair.first_id
        pair.delete()
        if partner == kept.pk:
            continue
        low, high = sorted((partner, kept.pk))
        same, is_new = KeptApart.objects.get_or_create(
            tournament_id=pair.tournament_id, first_id=low, second_id=high, defaults={"most": pair.most}
        )
        if not is_new and pair.most < same.most:
            same.most = pair.most
            same.save(update_fields=["most"])


def _move_once(gone: Player, kept: Player) -> None:
    """What a player has once in a tournament, and may have under both names, equal."""
    for conflict in Conflict.objects.filter(player=gone):
        conflict.delete()
        Conflict.objects.get_or_create(tournament=conflict.tournament, judge=conflict.judge, player=kept)
    has_team = TeamMember.objects.filter(player=kept)
    for member in TeamMember.objects.filter(player=gone):
        same = has_team.filter(tournament=member.tournament_id).first()
        if same is None:
            TeamMember.objects.filter(pk=member.pk).update(player=kept)
            continue
        member.delete()
        same.is_captain = same.is_captain or member.is_captain
        same.is_replacement = same.is_replacement and member.is_replacement
        same.save(update_fields=["is_captain", "is_replacement"])
    rated = QualifyingRating.objects.filter(player=kept).values("tournament")
    QualifyingRating.objects.filter(player=gone, tournament__in=rated).delete()
    QualifyingRating.objects.filter(player=gone).update(player=kept)


def _move_login(gone: Player, kept: Player) -> None:
    login = gone.user
    if login is not None:
        gone.user = None
        gone.save(update_fields=["user"])
        kept.user = login
        kept.save(update_fields=["user"])
    if fills(kept, name=gone.name, city=gone.city):
        kept.save(update_fields=["name", "city"])
