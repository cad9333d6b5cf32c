"""Where a record from a file belongs here: the tournament and the stage it names, or those that were asked for."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from ..exchange.game_file import GameFile
from ..models import Stage, Tournament
from .errors import Invalid
from .game_files import stage_data
from .prepare import add_stage, create_tournament
from .regulation_files import version_as_told
from .regulations import choose_regulation


def place_for(file: GameFile, *, by: User, tournament: str = "", stage: str = "") -> Stage:
    """The stage for the record: that of the file, or of the address and name asked for; made where there is none.

    A tournament made for it is not public, and `by` organizes it. Raises Invalid where another tournament or stage
    stands in its place.
    """
    found = Tournament.objects.filter(slug=tournament or file.data["tournament"]["slug"]).first()
    if found is None:
        found = _new_tournament(file, by, tournament)
    elif not tournament and found.title != file.data["tournament"]["title"]:
        words = {"slug": found.slug, "title": found.title}
        raise Invalid(_("At the address “%(slug)s” stands another tournament here: “%(title)s”.") % words)
    if stage:
        named = Stage.objects.filter(tournament=found, name=stage).first()
        return named or add_stage(found, name=stage)
    return stage_as_told(found, file.data["stage"])


def _new_tournament(file: GameFile, by: User, slug: str) -> Tournament:
    told = file.data["tournament"]
    made = create_tournament(
        title=told["title"],
        slug=slug or told["slug"],
        city=told["city"],
        starts_on=date.fromisoformat(told["starts_on"]),
        regulation=file.data["regulation"]["code"],
        by=by,
        is_public=False,  # the file of one game doesn't say whether the tournament is open to everybody
    )
    choose_regulation(made, version_as_told(made, file.data["regulation"]))
    return made


def stage_as_told(tournament: Tournament, told: dict[str, Any]) -> Stage:
    """The stage that a file tells of; made where there is none of its number. Raises Invalid where it differs here."""
    found = Stage.objects.filter(tournament=tournament, number=told["number"]).first()
    if found is None:
        return add_stage(
            tournament,
            name=told["name"],
            number=told["number"],
            multiplier=Decimal(told["multiplier"]),
            is_final=told["is_final"],
            group=told.get("group", ""),
        )
    here = stage_data(found)
    if here != told:
        words = {"number": found.number, "here": _stage_words(here), "there": _stage_words(told)}
        raise Invalid(_("Stage %(number)d is “%(here)s” here, in the file it is “%(there)s”.") % words)
    return found


def _stage_words(told: dict[str, Any]) -> str:
    final = _(", final") if told["is_final"] else ""
    group = f" ({told['group']})" if "group" in told else ""
    return f"{told['name']}{group}{final} ×{told['multiplier']}"
