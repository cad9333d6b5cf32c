"""Signing: the record becomes a document, and what each player gets of it goes to the standings (A 9.9).

A reopened protocol keeps the old sheet readable; signing it again issues the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from .. import access
from ..models import (
    CorrectionRequest,
    Game,
    ProtestDecision,
    RegulationVersion,
    Seat,
    SeatResult,
    SignedSheet,
    Status,
)
from ..models.entries import canonical_json, sha256
from ..models.seal import digest_of, record_hash, seal_of
from ..rules.outcome import outcome
from ..rules.points import SeatPoints, best_move_hits, best_move_victim, first_victim, points_of, thousandths, won
from ..rules.refusal import Refusal
from ..rules.sheet import RULES_VERSION, to_data
from ..rules.terms import SEATS, Result
from ..selectors import Record, record_of, sheet_from
from .ending import status_of
from .errors import Invalid, NotReady, Refused, Stale
from .people import printed_name
from .readiness import problems_of as problems_of
from .regulations import freeze
from .shape import plain_text


def sign(game: Game, *, revision: int, by: User, password: str) -> SignedSheet:
    """Signs the protocol as it stood at that revision: its judge or the head judge, with the password once more.

    A second signature of the same revision gives the sheet that the first one made. Raises PermissionDenied for
    anybody else, Invalid for a wrong password, Stale where somebody wrote since, NotReady with every reason,
    Refused (A 9.9) where another revision has been signed.
    """
    standing = access.standing_at(by, game)
    if not (standing.is_judge or standing.is_head_judge):
        raise PermissionDenied
    if not by.check_password(password):
        raise Invalid(_("The password is wrong."))
    return seal(game, revision=revision, by=by)


def seal(game: Game, *, revision: int, by: User) -> SignedSheet:
    """Signs without asking for a password: for commands that are run at the server. Otherwise as `sign`."""
    with transaction.atomic():
        _locked(game)
        if game.sheet_in_force is not None:
            if game.sheet_in_force.revision == revision:
                return game.sheet_in_force
            raise Refused(Refusal("signed", game.rules.cite("signature")))
        record = record_of(game)
        if record.revision != revision:
            raise Stale(record)
        found = problems_of(record, signer=by)
        if found:
            raise NotReady(found, record.names)
        if not game.judge_name:
            game.judge_name = printed_name(by)
        freeze(game)
        sheet = _issue(record, by)
        results = _results(record, sheet)
        game.status = closing_status(record)
        game.sheet_in_force = sheet
        game.save(update_fields=["judge_name", "status", "sheet_in_force"])
        SeatResult.objects.bulk_create(results)
    return sheet


def reopen(game: Game, *, by: User, reason: str) -> SignedSheet:
    """Opens a signed protocol for corrections: the head judge's alone, with a reason; gives the sheet superseded.

    The sheet stays readable and its results cease to count. Raises PermissionDenied for anybody else, Invalid
    without a reason or where nothing is signed.
    """
    if not access.standing_at(by, game).is_head_judge:
        raise PermissionDenied
    reason = plain_text(reason)
    if not reason:
        raise Invalid(_("Write why the protocol is reopened."))
    with transaction.atomic():
        _locked(game)
        if ProtestDecision.objects.filter(game=game, announced_at=None).exists():
            raise Invalid(_("A decision on a protest waits to be announced: announce it before you reopen."))
        sheet = _supersede(game, by, reason)
        waiting = CorrectionRequest.objects.filter(game=game, answered_at=None)
        waiting.update(answered_at=sheet.superseded_at, answered_by=by)  # what was asked for can be corrected now
    return sheet


def replace_sheet(game: Game, write: Callable[[], int], *, by: User, reason: str) -> SignedSheet:
    """Supersedes the sheet in force, lets `write` write into the record, and signs what it says then, all or nothing.

    `write` gives the revision to be signed. Raises as `seal`, and whatever `write` does.
    """
    with transaction.atomic():
        _locked(game)
        _supersede(game, by, reason)
        return seal(game, revision=write(), by=by)


def _supersede(game: Game, by: User, reason: str) -> SignedSheet:
    sheet = game.sheet_in_force
    if sheet is None:
        raise Invalid(_("The protocol is not signed."))
    game.status = status_of(record_of(game).state)
    game.sheet_in_force = None
    game.save(update_fields=["status", "sheet_in_force"])
    sheet.superseded_at, sheet.reopen_reason, sheet.reopened_by = timezone.now(), reason, by
    sheet.save(update_fields=["superseded_at", "reopen_reason", "reopened_by"])
    SeatResult.objects.filter(sheet=sheet).update(in_force=False)
    return sheet


def _locked(game: Game) -> None:
    """Holds the game's row until the transaction ends, and takes what is changed by others."""
    found = Game.objects.select_for_update().get(pk=game.pk)
    for name in ("revision", "status", "ended_at", "protest", "judge_name", "sheet_in_force_id",
                 "regulation_version_id"):  # fmt: skip
        setattr(game, name, getattr(found, name))


def closing_status(record: Record) -> Status:
    """What the game of a signed record is: annulled and replayed ones count for nobody."""
    end = outcome(record.state)
    assert end is not None
    closing = {Result.ANNULLED: Status.ANNULLED, Result.REPLAY: Status.REPLAYED}
    return closing.get(end.result, Status.SIGNED)


def _issue(record: Record, by: User) -> SignedSheet:
    game, now = record.game, timezone.now()
    digests = [digest_of(seat.player.salt, seat.nickname) for seat in _seats_in_chairs(record)]
    data: dict[str, Any] = {
        "sheet": to_data(sheet_from(record)),
        "signature": {
            "user": by.pk,
            "name": printed_name(by),
            "at": now.isoformat(timespec="microseconds"),
            "revision": record.revision,
        },
        "players": digests,
    }
    if game.regulation_version is not None:
        data["own_regulation"] = regulation_sealed(game.regulation_version)
    return SignedSheet.objects.create(
        game=game,
        number=SignedSheet.objects.filter(game=game).count() + 1,
        revision=record.revision,
        data=data,
        sha256=seal_of(data),
        record_hash=record_hash(record.head, record.revision, digests),
        rules_version=RULES_VERSION,
        regulation=game.rules.code,
        regulation_version=game.regulation_version,
        signed_by=by,
        signed_at=now,
    )


def regulation_sealed(version: RegulationVersion) -> dict[str, Any]:
    """What a signed sheet says of a regulation of the tournament's own: its version, and the seal of its numbers."""
    numbers = sha256(canonical_json({"code": version.code, "numbers": version.numbers}))
    return {"number": version.number, "sha256": numbers}


def _seats_in_chairs(record: Record) -> Sequence[Seat]:
    """The ten seats in the order of the sheet's rows, chair corrections applied."""
    seats = {seat.number: seat for seat in Seat.objects.filter(game=record.game).select_related("player")}
    return [seats[record.state.chairs[number]] for number in SEATS]


def _results(record: Record, sheet: SignedSheet) -> list[SeatResult]:
    game = record.game
    return [
        SeatResult(
            sheet=sheet, game=game, tournament_id=game.tournament_id, stage_id=game.stage_id, player=seat.player, **row
        )
        for seat, row in zip(_seats_in_chairs(record), results_of(record), strict=True)
    ]  # fmt: skip


def results_of(record: Record) -> list[dict[str, Any]]:
    """What the record brings each of the ten seats: the columns of its SeatResult, in integer thousandths."""
    state = record.state
    end = outcome(state)
    if end is None:
        return []
    table = points_of(state) or {}
    victim, mover, hits = first_victim(state), best_move_victim(state), best_move_hits(state)
    rows = []
    for number in SEATS:
        seat, points = state.seats[number], table.get(number, SeatPoints())
        rows.append(
            {
                "seat": number,
                "role": seat.role.value if seat.role else "",
                "result": end.result.value,
                "won": won(state, number),
                "win": thousandths(points.win),
                "penalty": thousandths(points.penalty),
                "speech": thousandths(points.speech),
                "extra": thousandths(points.extra),
                "best_move": thousandths(points.best_move),
                "hits": hits if number == mover else None,
                "first_victim": number == victim,
                "removed": seat.removed is not None,
                "from_tournament": seat.from_tournament,
            }
        )
    return rows
