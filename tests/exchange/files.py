"""The real files, as they are and as somebody might have spoiled them."""

import json
from pathlib import Path
from typing import Any

from protocols.exchange import formats
from protocols.exchange.evenings import Evening, entries_of
from protocols.exchange.mafiaratings import GameLog
from protocols.exchange.playback import played
from protocols.exchange.reading import Breach, Contradictory, Unreadable
from protocols.rules.refusal import Refusal
from protocols.rules.regulation import EDITION_A, FEDERATION, Regulation
from protocols.wording.files import contradiction_lines, unreadable_words

DATA = Path(__file__).resolve().parent.parent / "data"


def game_file(name: str) -> Path:
    """One of the four games."""
    return DATA / "games" / f"{name}.json"


def evening_file(name: str) -> Path:
    """One of the three evenings."""
    return DATA / "evenings" / f"{name}.json"


def game_data(name: str = "full-black-win") -> Any:
    """A game's JSON, to be spoiled."""
    return json.loads(game_file(name).read_text(encoding="utf-8"))


def evening_data(name: str = "2013-12-07") -> Any:
    """An evening's JSON, to be spoiled."""
    return json.loads(evening_file(name).read_text(encoding="utf-8"))


def raw(data: Any) -> bytes:
    """The data as a file's bytes."""
    return json.dumps(data, ensure_ascii=False).encode()


def _read(data: Any, regulation: Regulation | None) -> None:
    log = formats.read(data if isinstance(data, bytes) else raw(data))
    if isinstance(log, Evening):
        entries_of(log, regulation or EDITION_A)
    elif isinstance(log, GameLog):
        played(log, regulation or FEDERATION)


def complaints(data: Any, regulation: Regulation | None = None) -> list[str]:
    """What is wrong with the file in words; empty where it is taken."""
    try:
        _read(data, regulation)
    except Contradictory as error:
        return contradiction_lines(error)
    except Unreadable as error:
        return [unreadable_words(error)]
    return []


def refusals(data: Any, regulation: Regulation | None = None) -> list[tuple[str, str, object]]:
    """Code, clause and seat of each breach; for an entry that the rules refuse, those of the refusal."""
    try:
        _read(data, regulation)
    except Contradictory as error:
        found = []
        for breach in error.breaches:
            what = breach.params.get("refusal", breach)
            assert isinstance(what, Refusal | Breach)
            found.append((what.code, what.clause, what.params.get("seat")))
        return found
    return []
