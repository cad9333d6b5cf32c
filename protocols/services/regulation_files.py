"""A tournament's own regulations in files of records, and taken in from them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from ..exchange.game_file import GameFile, regulation_numbers
from ..models import Game, RegulationVersion, SignedSheet, Tournament
from ..models.entries import instant_written
from ..models.regulations import RegulationMove
from ..rules.regulation import PRESETS, Regulation
from ..rules.regulation_data import NotARegulation, from_data, to_data
from ..rules.regulation_sense import flaws_of
from .errors import Invalid
from .people import person_of_file, printed_name


def regulation_data(preset: Regulation) -> dict[str, Any]:
    """What files say of a preset."""
    return {"code": preset.code, "numbers": regulation_numbers(preset)}


def told_by(game: Game, sheets: Iterable[SignedSheet]) -> dict[str, Any]:
    """The members `version`, `regulation` and `regulations` of the game's file: 1 where only presets are spoken of."""
    own = game.regulation_version
    signed = {sheet.regulation_version for sheet in sheets if sheet.regulation_version is not None}
    others = sorted(signed - {own}, key=lambda version: version.number)
    if own is None and not others and not game.stage.group:
        return {"version": 1, "regulation": regulation_data(game.rules)}
    told = _told(own) if own else {"code": game.rules.code, "number": 0, "name": "", "numbers": to_data(game.rules)}
    found: dict[str, Any] = {"version": 2, "regulation": told}
    if others:
        found["regulations"] = [_told(version) for version in others]
    return found


def _told(version: RegulationVersion) -> dict[str, Any]:
    return {"code": version.code, "number": version.number, "name": version.name, "numbers": version.numbers}


def versions_told(tournament: Tournament) -> list[dict[str, Any]]:
    """The tournament's own regulations as its archive tells of them, by number."""
    versions = RegulationVersion.objects.filter(tournament=tournament).select_related("author")
    return [
        {
            **_told(version),
            "author": printed_name(version.author),
            "created_at": instant_written(version.created_at),
            "frozen_at": instant_written(version.frozen_at) or None,
        }
        for version in versions.order_by("number")
    ]


# ---------------------------------------------------------------- taking in


def prove_regulations(file: GameFile, tournament: Tournament) -> None:
    """Raises Invalid for a regulation that the tournament can't have the game under."""
    told = file.data["regulation"]
    if not told.get("number"):
        if told["code"] != tournament.regulation:
            words = {"tournament": tournament.title, "regulation": tournament.get_regulation_display()}
            raise Invalid(_("“%(tournament)s” is played under another regulation: %(regulation)s.") % words)
        preset = PRESETS[told["code"]]
        here = to_data(preset) if "number" in told else regulation_numbers(preset)
        _refuse_others(here, told["numbers"])
    for each in _own(file):
        rules_told(each)
        _version_here(tournament, each)


def _own(file: GameFile) -> list[dict[str, Any]]:
    told = [file.data["regulation"], *file.data.get("regulations", [])]
    return [each for each in told if each.get("number")]


def rules_told(told: dict[str, Any]) -> Regulation:
    """The regulation that a file tells of. Raises Invalid where nothing can be played by it."""
    try:
        rules = from_data(told["code"], told["numbers"])
    except NotARegulation as error:
        raise _other_numbers([error.name]) from None
    _refuse_others(to_data(rules), told["numbers"])
    flaws = flaws_of(rules)
    if flaws:
        raise _other_numbers(sorted({flaw.name for flaw in flaws}))
    return rules


def _refuse_others(here: dict[str, Any], there: dict[str, Any]) -> None:
    others = sorted(name for name in {*here, *there} if here.get(name, ...) != there.get(name, ...))
    if others:
        raise _other_numbers(others)


def _other_numbers(names: list[str]) -> Invalid:
    words = {"names": ", ".join(names)}
    return Invalid(_("The game was played under other numbers than this site knows: %(names)s.") % words)


def _version_here(tournament: Tournament, told: dict[str, Any]) -> RegulationVersion | None:
    """The version of that number here, None where there is none. Raises Invalid where it is another."""
    found = RegulationVersion.objects.filter(tournament=tournament, number=told["number"]).first()
    if found is not None and _told(found) != {name: told[name] for name in _told(found)}:
        words = {"tournament": tournament.title, "number": found.number, "name": found.name}
        raise Invalid(_("“%(tournament)s” has another regulation as version %(number)d: “%(name)s”.") % words)
    return found


def version_as_told(tournament: Tournament, told: dict[str, Any]) -> RegulationVersion | None:
    """The version that a file tells of, made where there is none of its number; None for a preset. Raises Invalid."""
    if not told.get("number"):
        return None
    rules_told(told)
    found = _version_here(tournament, told)
    if found is not None:
        return found
    author = person_of_file(told.get("author", "—"))  # a game’s file does not tell
    at = datetime.fromisoformat(told["created_at"]) if "created_at" in told else timezone.now()
    frozen = told.get("frozen_at")
    return RegulationVersion.objects.create(
        tournament=tournament, number=told["number"], name=told["name"], code=told["code"], numbers=told["numbers"],
        author=author, created_at=at, frozen_at=datetime.fromisoformat(frozen) if frozen else None,
    )  # fmt: skip


def versions_of_file(file: GameFile, tournament: Tournament) -> dict[int, RegulationVersion | None]:
    """Every version that the file speaks of, by its number; 0 is the preset."""
    found: dict[int, RegulationVersion | None] = {0: None}
    for told in _own(file):
        found[told["number"]] = version_as_told(tournament, told)
    return found


def moves_told(tournament: Tournament) -> dict[str, Any]:
    """The member `moved` of an archive: which games were given another regulation, where any were."""
    moves = RegulationMove.objects.filter(game__tournament=tournament).select_related("game", "moved_by")
    told = [
        {
            "game": str(move.game.uuid), "was": move.was, "became": move.became, "by": printed_name(move.moved_by),
            "at": instant_written(move.moved_at),
        }
        for move in moves
    ]  # fmt: skip
    return {"moved": sorted(told, key=lambda each: (each["at"], each["game"]))} if told else {}


def moves_as_told(tournament: Tournament, told: Iterable[dict[str, Any]]) -> None:
    """Writes the moves that an archive tells of. Raises Invalid for one of a game that is not in it."""
    games = {str(game.uuid): game for game in Game.objects.filter(tournament=tournament)}
    for each in told:
        if each["game"] not in games:
            raise Invalid(_("The archive tells of another regulation for a game that is not in it."))
        RegulationMove.objects.create(
            game=games[each["game"]], was=each["was"], became=each["became"], moved_by=person_of_file(each["by"]),
            moved_at=datetime.fromisoformat(each["at"]),
        )  # fmt: skip
