"""Letters about protests to whoever runs the tournament and to the game's judge; none without a mail server."""

from __future__ import annotations

from threading import Thread

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from ..models import MemberRole, Protest
from .letters import may_write, write_letter

RUNS = (MemberRole.ORGANIZER, MemberRole.HEAD_JUDGE)


def addresses_of(protest: Protest) -> list[str]:
    """The e-mail addresses of the head judges, the organizers and the game's judge, each once."""
    game = protest.game
    people = User.objects.filter(
        Q(pk=game.judge_id) | Q(memberships__tournament=game.tournament_id, memberships__role__in=RUNS), is_active=True
    )
    return sorted({person.email for person in people if person.email})


def tell_of_protest(protest: Protest) -> Thread | None:
    """Tells them that a protest is filed, apart from the request; None where the site writes no letters."""
    game = protest.game
    words = {
        "tournament": game.tournament.title, "game": game.number, "table": game.table_number, "seat": protest.seat,
        "nickname": protest.player.nickname, "text": protest.text,
        "address": f"{settings.SITE_URL}{reverse('protest', args=[game.tournament.slug, protest.uuid])}",
    }  # fmt: skip
    subject = _("Protest: %(tournament)s, game %(game)d, table %(table)d") % words
    text = _("No. %(seat)d %(nickname)s protests:\n\n%(text)s\n\nTo be decided here: %(address)s") % words
    return _written(addresses_of(protest) if may_write() else [], subject, text)


def tell_of_decision(protest: Protest) -> Thread | None:
    """Tells them that the decision is announced."""
    game = protest.game
    words = {
        "tournament": game.tournament.title, "game": game.number, "table": game.table_number,
        "address": f"{settings.SITE_URL}{reverse('decision', args=[game.uuid, protest.number])}",
    }  # fmt: skip
    subject = _("Protest decided: %(tournament)s, game %(game)d, table %(table)d") % words
    return _written(addresses_of(protest) if may_write() else [], subject, _("The decision: %(address)s") % words)


def _written(addresses: list[str], subject: str, text: str) -> Thread | None:
    """A mail server may take ten seconds for each letter; nobody waits for it."""
    if not addresses:
        return None

    def write() -> None:
        for address in addresses:
            write_letter(address, subject, text)

    thread = Thread(target=write, daemon=True)
    thread.start()
    return thread
