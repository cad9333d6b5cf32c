"""The decision on a protest as a document: a page and a PDF, for everybody who may read the protocol (A 8.7.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from protocols import access
from protocols.models import DecisionKind, Game, ProtestDecision, SignedSheet
from protocols.pdf import html_pdf
from protocols.protest_words import decision_words, points_lines, protester_words
from protocols.rules.sheet_changes import SheetChange, sheet_changes
from protocols.services.people import printed_name
from protocols.views.documents import pdf_response
from protocols.wording import ChangeWords, clauses_words, sheet_changes_words

OF_EXTRA = frozenset({"points", "extra_points", "remark_gone", "remark_new"})
"""Fields that tell of extra points, while these are hidden."""


@never_cache
@require_safe
def page(request: HttpRequest, uuid: UUID, number: int) -> HttpResponse:
    """The decision, once it is announced; until then it is not found."""
    game = access.public_game(request.user, uuid)
    decision = _announced(game, number)
    return render(request, "protocols/decision_page.html", context_of(request, game, decision))


@require_safe
def pdf(request: HttpRequest, uuid: UUID, number: int) -> HttpResponse:
    """The same on paper."""
    game = access.public_game(request.user, uuid)
    decision = _announced(game, number)
    html = render_to_string("protocols/decision_print.html", context_of(request, game, decision))
    name = _("decision on protest %(number)d, game %(game)d, table %(table)d") % {
        "number": number, "game": game.number, "table": game.table_number,
    }  # fmt: skip
    return cast(HttpResponse, pdf_response(html_pdf(html, ("css/decision.css",)), name))


def _announced(game: Game, number: int) -> ProtestDecision:
    found = (
        ProtestDecision.objects.filter(game=game, protest__number=number, announced_at__isnull=False)
        .select_related("protest__player", "sheet_before", "sheet_after", "decided_by", "announced_by")
        .first()
    )
    if found is None:
        raise Http404
    return found


def context_of(request: HttpRequest, game: Game, decision: ProtestDecision) -> dict[str, object]:
    """What the page and the paper show; figures of extra points only to whoever may know them."""
    whole = access.sees_extra(request.user, game)
    changes = changes_between(decision.sheet_before, decision.sheet_after, whole=whole)
    return {
        "game": game,
        "decision": decision,
        "protest": decision.protest,
        "who": protester_words(decision.protest),
        "words": decision_words(decision),
        "article": clauses_words(decision.clause),
        "points": points_lines(decision) if whole else [],
        "changes": changes,
        "votes": [(vote["name"], DecisionKind(vote["kind"]).label) for vote in decision.votes],
        "decided_by": printed_name(decision.decided_by),
        "announced_by": printed_name(decision.announced_by),
        "final": game.rules.cite("protest_final"),
        "hides_extra": not whole,
    }


def changes_between(before: SignedSheet | None, after: SignedSheet | None, *, whole: bool = True) -> list[ChangeWords]:
    """What the later sheet says otherwise, in words; `whole`: with what tells of extra points."""
    if before is None or after is None:
        return []
    names = {row.seat: row.nickname for row in after.sheet.rows}
    return sheet_changes_words(_shown(sheet_changes(before.sheet, after.sheet), whole), names)


def _shown(changes: Sequence[SheetChange], whole: bool) -> list[SheetChange]:
    return [each for each in changes if whole or each.code not in OF_EXTRA]


def changes_on(shown: SignedSheet | None, signed: Sequence[SignedSheet], *, whole: bool) -> list[ChangeWords]:
    """What a sheet says otherwise than the one signed before it; `signed` are all of the game's."""
    if shown is None:
        return []
    before = next((each for each in signed if each.number == shown.number - 1), None)
    return changes_between(before, shown, whole=whole)
