"""Everything of a tournament that waits for an answer of those who run it, the oldest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, Q

from protocols.models import OPEN, CorrectionRequest, Game, Member, MemberRole, Protest, Status, Tournament
from protocols.protest_selectors import is_contested, undecided_protests_of

from .cut_selectors import cuts_of, has_cuts
from .selectors import standings_of


@dataclass(frozen=True, slots=True)
class Waiting:
    """One thing that waits. Kinds: protest, announce, told, correction, reopened, unsigned, lot, cut_lot.

    `since` is unknown for lots. `pk` is that of a correction that was asked for, the number of a cut's stage otherwise.
    """

    kind: str
    since: datetime | None
    game: Game | None = None
    protest: Protest | None = None
    who: str = ""
    text: str = ""
    pk: int = 0


def waiting_in(tournament: Tournament, *, only_protests: bool = False) -> list[Waiting]:
    """What waits in the tournament; `only_protests`: what the appeals commission answers."""
    found = list(_protests(tournament))
    if not only_protests:
        found += [*_told(tournament), *_corrections(tournament), *_games(tournament), *_lots(tournament)]
    return sorted(found, key=lambda each: (each.since is None, each.since.timestamp() if each.since else 0))


def _protests(tournament: Tournament) -> Iterator[Waiting]:
    for each in undecided_protests_of(tournament):
        kind = "announce" if hasattr(each, "decision") else "protest"
        who = f"{each.seat} {each.player.nickname}"
        yield Waiting(kind, each.filed_at, each.game, each, who, each.text)


def _told(tournament: Tournament) -> Iterator[Waiting]:
    """Signed records out of files with a protest in their field, of which no player's protest is written down."""
    games = Game.objects.filter(is_contested() & ~Q(protest=""), tournament=tournament, protests=None)
    for game in games.select_related("stage", "sheet_in_force"):
        since = game.sheet_in_force.signed_at if game.sheet_in_force else None
        yield Waiting("told", since, game, text=game.protest)


def _corrections(tournament: Tournament) -> Iterator[Waiting]:
    asked = CorrectionRequest.objects.filter(game__tournament=tournament, answered_at=None)
    for each in asked.select_related("game__stage", "asked_by").order_by("pk"):
        name = each.asked_by.get_full_name() or each.asked_by.get_username()
        yield Waiting("correction", each.asked_at, each.game, who=name, text=each.text, pk=each.pk)


def _games(tournament: Tournament) -> Iterator[Waiting]:
    """Games that are over and not signed, and those whose protocol was reopened."""
    games = Game.objects.filter(tournament=tournament, status__in=OPEN).select_related("stage")
    for game in games.annotate(reopened=Max("sheets__superseded_at")).filter(
        Q(status=Status.OVER) | Q(reopened__isnull=False)
    ):
        kind = "reopened" if game.reopened else "unsigned"
        yield Waiting(kind, game.reopened or game.ended_at, game, who=game.judge_name)


def _lots(tournament: Tournament) -> Iterator[Waiting]:
    found = standings_of(tournament)
    for due in found.table.due:
        yield Waiting("lot", None, who=", ".join(sorted(found.nicknames[player] for player in due)))
    if has_cuts(tournament):
        cuts = cuts_of(tournament)
        for cut in cuts.stages:
            if cut.taken is None and cut.passing is not None and cut.passing.tied and not cut.open:
                who = ", ".join(cuts.names(cut.passing.tied_players))
                yield Waiting("cut_lot", None, who=who, text=cut.stage.name, pk=cut.stage.number)


# ---------------------------------------------------------------- the count in the head of pages

HEARS = (MemberRole.ORGANIZER, MemberRole.HEAD_JUDGE, MemberRole.COMMISSION)


def protests_waiting_for(user_id: int) -> tuple[int, str]:
    """How many protests and corrections wait in the tournaments that the person runs or hears protests of.

    With the address of the tournament of the one that has waited longest; empty where nothing waits. Two queries.
    """
    mine = Member.objects.filter(user=user_id, role__in=HEARS).values("tournament")
    slug = "game__tournament__slug"
    protests = Protest.objects.filter(decision__announced_at=None, game__tournament__in=mine)
    runs = Member.objects.filter(user=user_id, role__in=HEARS[:2]).values("tournament")
    asked = CorrectionRequest.objects.filter(answered_at=None, game__tournament__in=runs)
    waiting = [*protests.order_by("filed_at").values_list("filed_at", slug)]
    waiting += [*asked.order_by("asked_at").values_list("asked_at", slug)]
    return len(waiting), min(waiting)[1] if waiting else ""
