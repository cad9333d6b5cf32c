"""Changes of a team's line-up in words."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from protocols.services.people import printed_name

from .team_models import TeamChange


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A line of the log."""

    at: datetime.datetime
    by: str
    name: str  # of the team, as it was then
    words: tuple[str, ...]


def change_row(change: TeamChange) -> ChangeRow:
    """Who changed what, and when."""
    return ChangeRow(change.at, printed_name(change.by), change.name, tuple(_words(change)))


def _words(change: TeamChange) -> Iterator[str]:
    told = change.change
    if told.get("made"):
        yield _("the team was added")
    if told.get("removed"):
        yield _("the team was removed")
    if "name" in told:
        yield _("name: “%(was)s” became “%(now)s”") % dict(zip(("was", "now"), told["name"], strict=True))
    if "city" in told:
        was, now = (each or "—" for each in told["city"])
        yield _("city: “%(was)s” became “%(now)s”") % {"was": was, "now": now}
    if "joined" in told:
        yield _("joined: %(names)s") % {"names": ", ".join(told["joined"])}
    if "left" in told:
        yield pgettext("team", "left: %(names)s") % {"names": ", ".join(told["left"])}
    if "captain" in told:
        was, now = (each or "—" for each in told["captain"])
        yield _("captain: %(was)s → %(now)s") % {"was": was, "now": now}
    if "replacements" in told:
        was, now = (", ".join(each) or "—" for each in told["replacements"])
        yield _("replacements: %(was)s → %(now)s") % {"was": was, "now": now}
