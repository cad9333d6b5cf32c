"""What everybody may read without an account."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from protocols.clauses import sources
from protocols.models import RegulationCode
from protocols.regulation_words import regulation_parts
from protocols.rules.regulation import PRESETS


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The clauses with their addresses, and what the regulations choose."""
    context = {
        "sources": sources(),
        "regulations": [RegulationCode(code).label for code in PRESETS],
        "parts": regulation_parts(),
    }
    return render(request, "protocols/rules_page.html", context)
