"""A game's record as a file: everything that was written of it, in the one canonical form.

What is personal in it: nicknames, and the printed names of judges and of whoever wrote. Never in it are logins,
e-mail addresses and players' civil names. The file that everybody may have leaves out the salts of the nicknames'
digests, which would prove an erased nickname, and what another program's file told beside the play.
"""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from ..exchange.game_file import FORMAT, GameFile
from ..models import Entry, Game, Player, Seat, SeatResult, SignedSheet, Stage, Tournament, nickname_key
from ..models.entries import instant_written
from .people import printed_name
from .regulation_files import told_by

RESULT = (
    "seat", "role", "result", "won", "win", "penalty", "speech", "extra", "best_move", "hits", "first_victim",
    "removed", "from_tournament",
)  # fmt: skip
"""The columns of a SeatResult that a file holds under their own names."""


def file_of(game: Game, *, is_public: bool = False) -> GameFile:
    """The record of the game as it is now; `is_public`: the file that everybody may have of a signed one."""
    signed = list(_signed(game))
    data: dict[str, Any] = {
        "format": FORMAT,
        **told_by(game, signed),
        "uuid": str(game.uuid),
        "tournament": tournament_data(game.tournament),
        "stage": stage_data(game.stage),
        "game": _header(game),
        "seats": [_seat(seat) for seat in Seat.objects.filter(game=game).select_related("player").order_by("number")],
        "entries": _entries(game),
        "sheets": _sheets(game, signed, with_salts=not is_public),
    }
    if game.source is not None and not is_public:
        data["source"] = game.source
    return GameFile(data)


def tournament_data(tournament: Tournament) -> dict[str, Any]:
    """What a game's file says of its tournament."""
    return {
        "title": tournament.title,
        "slug": tournament.slug,
        "city": tournament.city,
        "starts_on": tournament.starts_on.isoformat(),
    }


def stage_data(stage: Stage) -> dict[str, Any]:
    """What files say of a stage."""
    multiplier = format(Decimal(stage.multiplier).normalize(), "f")
    found = {"number": stage.number, "name": stage.name, "multiplier": multiplier, "is_final": stage.is_final}
    return {**found, "group": stage.group} if stage.group else found


def _header(game: Game) -> dict[str, Any]:
    return {
        "number": game.number,
        "table": game.table_number,
        "round": game.round,
        "played_on": game.played_on.isoformat(),
        "judge": game.judge_name,
        "status": str(game.status),
        "results_only": game.results_only,
        "from_paper": game.from_paper,
        "ended_at": instant_written(game.ended_at) or None,
        "protest": game.protest,
    }


def _seat(seat: Seat) -> dict[str, Any]:
    return {"seat": seat.number, "nickname": seat.nickname, **_player(seat.player, seat.nickname)}


def _player(player: Player, written: str) -> dict[str, str]:
    """The player's own nickname, where it is another one than was written."""
    return {} if nickname_key(written) == player.nickname_key else {"player": player.nickname}


def _entries(game: Game) -> list[dict[str, Any]]:
    names: dict[int, str] = {}
    found = []
    for entry in Entry.objects.filter(game=game).order_by("revision"):
        says = entry.hashed(game.uuid)
        del says["game"], says["previous"]
        found.append({**says, "author_name": _name_of(entry.author_id, names), "hash": entry.hash})
    return found


def _name_of(user_id: int, names: dict[int, str]) -> str:
    if user_id not in names:
        names[user_id] = printed_name(User.objects.get(pk=user_id))
    return names[user_id]


def _signed(game: Game) -> QuerySet[SignedSheet]:
    signed = SignedSheet.objects.filter(game=game).order_by("number")
    return signed.select_related("reopened_by", "regulation_version")


def _sheets(game: Game, signed: list[SignedSheet], *, with_salts: bool) -> list[dict[str, Any]]:
    results = defaultdict(list)
    for result in SeatResult.objects.filter(game=game).select_related("player").order_by("sheet", "seat"):
        results[result.sheet_id].append(result)
    return [_sheet(each, results[each.pk], with_salts=with_salts) for each in signed]


def _sheet(signed: SignedSheet, results: list[SeatResult], *, with_salts: bool) -> dict[str, Any]:
    rows = signed.data["sheet"]["rows"]
    found = {
        "number": signed.number,
        "revision": signed.revision,
        "regulation": signed.regulation,
        "rules_version": signed.rules_version,
        **signed.data,
        "sha256": signed.sha256,
        "record_hash": signed.record_hash,
        "results": [
            {name: getattr(result, name) for name in RESULT} | _player(result.player, rows[result.seat - 1]["nickname"])
            for result in results
        ],
        "superseded": None,
    }
    if signed.superseded_at is not None:
        found["superseded"] = {
            "at": instant_written(signed.superseded_at),
            "by": printed_name(signed.reopened_by),
            "reason": signed.reopen_reason,
        }
    salts = [result.digest_salt for result in results]
    if with_salts and all(salts):
        found["salts"] = salts
    return found
