"""What everybody may read without an account: tournaments and the rules."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from protocols import access, selectors
from protocols.clauses import sources
from protocols.duties import Duty, duties_of, duty_of, inner_state, public_state, tone_of
from protocols.models import CLOSED, Game, RegulationCode, SeatResult, Stage, Status
from protocols.regulation_words import regulation_parts, regulation_title
from protocols.rules.regulation import PRESETS
from protocols.views.tournaments import may_create
from protocols.wording import result_words


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The tournaments that one may know of; before them, a judge's games of today."""
    tournaments = selectors.tournaments_for(request.user).annotate(
        games_count=Count("games", distinct=True),
        signed_count=Count("games", filter=Q(games__status__in=CLOSED), distinct=True),
        running_count=Count("games", filter=Q(games__status__in=(Status.RUNNING, Status.OVER)), distinct=True),
    )
    context = {
        "tournaments": tournaments,
        "duties": duties_of(_games_of_today(request)),
        "may_create": may_create(request.user),
    }
    return render(request, "protocols/home.html", context)


def _games_of_today(request: HttpRequest) -> list[Game]:
    """A judge's games of today, and those of other days that she is in the middle of."""
    if not request.user.is_authenticated:
        return []
    mine = selectors.games_of_judge(request.user).annotate(seated=Count("seats"))
    return list(mine.filter(Q(played_on=timezone.localdate()) | Q(status__in=(Status.RUNNING, Status.OVER))))


@dataclass
class GameLine:
    """A game on the tournament's page: what everybody may know of it."""

    game: Game
    state: str
    tone: str
    result: str
    is_readable: bool
    duty: Duty | None


@dataclass
class StageLines:
    """A stage with its games."""

    stage: Stage
    lines: list[GameLine] = field(default_factory=list)

    @property
    def signed(self) -> int:
        """How many of its games are signed."""
        return sum(1 for line in self.lines if line.game.is_closed)


@require_safe
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """A tournament with its stages and games; of a game that is not signed only whether it is under way."""
    found = access.tournament_for(request.user, slug)
    standing = access.standing_in(request.user, found)
    stages = {stage.pk: StageLines(stage) for stage in found.stages.order_by("number")}
    results = dict(SeatResult.objects.filter(tournament=found, in_force=True, seat=1).values_list("game_id", "result"))
    veil = access.veil_for(request.user, found)
    for game in selectors.games_of(found).annotate(seated=Count("seats")):
        line = _line(game, results.get(game.pk), standing)
        if veil.hides_protocol(game) and game.judge_id != standing.user_id:
            result = _("The result is hidden until it is announced") if game.is_closed else ""
            line = replace(line, result=result, is_readable=False)
        stages[game.stage_id].lines.append(line)
    context = {
        "tournament": found,
        "regulation": regulation_title(found),
        "stages": list(stages.values()),
        "has_seating": any(each.stage.seating_is_public for each in stages.values()),
        "standing": standing,
    }
    return render(request, "protocols/tournament_page.html", context)


def _line(game: Game, result: str | None, standing: access.Standing) -> GameLine:
    is_own = standing.user_id is not None and game.judge_id == standing.user_id
    serves = is_own or standing.oversees
    return GameLine(
        game=game,
        state=inner_state(game.status) if serves else public_state(game.status),
        tone=tone_of(Status.RUNNING if game.status == Status.OVER and not serves else game.status),
        result=result_words(result) if result and game.status == Status.SIGNED else "",
        is_readable=game.is_closed or serves,
        duty=duty_of(game, game.seated) if is_own and not game.is_closed else None,  # type: ignore[attr-defined]
    )


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The clauses with their addresses, and what the regulations choose."""
    context = {
        "sources": sources(),
        "regulations": [RegulationCode(code).label for code in PRESETS],
        "parts": regulation_parts(),
    }
    return render(request, "protocols/rules_page.html", context)
