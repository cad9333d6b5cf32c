"""The record of a lot: opened place by place on the hall's screen, read by everybody, printed."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from protocols.access import tournament_for
from protocols.models import Tournament
from protocols.pdf import html_pdf
from protocols.printing import keep
from protocols.views.documents import pdf_response

from .cut_models import CutSize
from .models import Lot
from .release import seen_by

STYLE = "css/lot_print.css"


@dataclass(frozen=True, slots=True)
class Drawn:
    """One place of a lot; without a nickname it is still closed."""

    place: int
    nickname: str
    is_through: bool | None = None  # by the size of the stage's cut; None where no stage is spoken of


@never_cache
@require_safe
def lot_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A lot as it was drawn; ?shown=2 opens the first two places, before the hall; ?stage=3 says where they lead.

    The whole order is stored before the first place is opened: opening decides nothing.
    """
    tournament, lot = _lot(request, slug, pk)
    stage = _number(request.GET.get("stage", ""))
    size = CutSize.objects.filter(stage__tournament=tournament, stage__number=stage).select_related("stage").first()
    rows = _rows(lot, size.size if size else None)
    shown = min(_number(request.GET.get("shown", ""), len(rows)), len(rows))
    context = {
        "tournament": tournament,
        "lot": lot,
        "stage": size.stage if size else None,
        "rows": [row if index < shown else Drawn(row.place, "") for index, row in enumerate(rows)],
        "is_open": shown == len(rows),
        "next": shown + 1,
        "next_place": lot.first_place + shown,
    }
    return render(request, "scoring/lot_page.html", context)


@require_safe
def lot_pdf(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """The record of a lot on paper, to be signed by whoever watched; drawn once for the same content."""
    tournament, lot = _lot(request, slug, pk)
    html = render_to_string("scoring/lot_print.html", {"tournament": tournament, "lot": lot, "rows": _rows(lot, None)})
    content = sha256(html.encode() + Path(str(finders.find(STYLE))).read_bytes()).hexdigest()
    path = Path(settings.MEDIA_ROOT) / "lots" / f"{content}.pdf"
    if not path.exists():
        keep(path, html_pdf(html, (STYLE,)))
    return pdf_response(path.open("rb"), _("Lot, %(tournament)s") % {"tournament": tournament.title})


def _lot(request: HttpRequest, slug: str, pk: int) -> tuple[Tournament, Lot]:
    tournament = tournament_for(request.user, slug)
    lot = Lot.objects.filter(tournament=tournament, pk=pk).select_related("drawn_by").first()
    if lot is None or not seen_by(request.user, tournament).knows_lot(lot.drawn_at):
        raise Http404
    return tournament, lot


def _rows(lot: Lot, size: int | None) -> list[Drawn]:
    drawn = lot.places.order_by("position").values_list("position", "player__nickname")
    places = [(lot.first_place + position - 1, nickname) for position, nickname in drawn]
    return [Drawn(place, nickname, None if size is None else place <= size) for place, nickname in places]


def _number(text: str, otherwise: int = 0) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else otherwise
