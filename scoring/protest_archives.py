"""Protests, what the commission said, decisions and corrections asked for, as a tournament's archive tells them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from protocols.models import (
    CorrectionRequest,
    Game,
    Player,
    Protest,
    ProtestDecision,
    ProtestVote,
    SignedSheet,
    Tournament,
    nickname_key,
)
from protocols.models.entries import instant_written
from protocols.services.errors import Invalid
from protocols.services.people import person_of_file, printed_name
from protocols.services.protests import is_address
from protocols.services.shape import plain_text


def protests_told(tournament: Tournament) -> dict[str, Any]:
    """The members of the manifest that tell of them, those of which there is something."""
    protests = Protest.objects.filter(game__tournament=tournament).select_related(
        "game", "player", "filed_by", "admitted_by", "decision__decided_by", "decision__announced_by",
        "decision__sheet_before", "decision__sheet_after",
    )  # fmt: skip
    order = ("game__stage__number", "game__number", "game__table_number", "number")
    votes: dict[int, list[ProtestVote]] = {}
    rows = ProtestVote.objects.filter(protest__game__tournament=tournament)
    for vote in rows.select_related("member").order_by("pk"):
        votes.setdefault(vote.protest_id, []).append(vote)
    asked = CorrectionRequest.objects.filter(game__tournament=tournament).select_related(
        "game", "asked_by", "answered_by"
    )
    told = {
        "protests": [_protest(each, votes.get(each.pk, [])) for each in protests.order_by(*order)],
        "corrections": [_correction(each) for each in asked.order_by(*order[:3], "pk")],
    }
    return {name: value for name, value in told.items() if value}


def players_in_protests(tournament: Tournament) -> set[int]:
    """Keys of the players who protested."""
    return set(Protest.objects.filter(game__tournament=tournament).values_list("player", flat=True))


def _protest(each: Protest, votes: list[ProtestVote]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "uuid": str(each.uuid),
        "game": str(each.game.uuid),
        "number": each.number,
        "seat": each.seat,
        "player": each.player.nickname,
        "text": each.text,
        "clause": each.clause,
        "links": each.links,
        "how": each.how,
        "made_at": instant_written(each.made_at),
        "filed_at": instant_written(each.filed_at),
    }
    if each.filed_by is not None:
        told["filed_by"] = printed_name(each.filed_by)
    if each.admitted_by is not None:
        told["admitted"] = {"by": printed_name(each.admitted_by), "because": each.admitted_because}
    if votes:
        told["votes"] = [
            {"by": printed_name(v.member), "kind": v.kind, "text": v.text, "at": instant_written(v.voted_at)}
            for v in votes
        ]  # fmt: skip
    decision = getattr(each, "decision", None)
    return {**told, "decision": _decision(decision)} if decision is not None else told


def _decision(each: ProtestDecision) -> dict[str, Any]:
    told: dict[str, Any] = {
        "kind": each.kind,
        "clause": each.clause,
        "reasons": each.reasons,
        "points": each.points,
        "votes": each.votes,
        "revision": each.revision,
        "sheet": each.sheet_before.number,
        "by": printed_name(each.decided_by),
        "at": instant_written(each.decided_at),
    }
    if each.result:
        told["result"] = each.result
    if each.announced_by is not None:
        told["announced"] = {"by": printed_name(each.announced_by), "at": instant_written(each.announced_at)}
        if each.sheet_after is not None:
            told["announced"]["sheet"] = each.sheet_after.number
    return told


def _correction(each: CorrectionRequest) -> dict[str, Any]:
    told: dict[str, Any] = {
        "game": str(each.game.uuid),
        "text": each.text,
        "by": printed_name(each.asked_by),
        "at": instant_written(each.asked_at),
    }
    if each.answered_by is not None:
        told["answered"] = {
            "by": printed_name(each.answered_by), "at": instant_written(each.answered_at), "answer": each.answer,
        }  # fmt: skip
    return told


# ---------------------------------------------------------------- taking in


def write_protests(tournament: Tournament, manifest: Mapping[str, Any], players: Mapping[str, Player]) -> None:
    """Writes what an archive tells of them. Raises Invalid for what no site could have written."""
    games = {str(game.uuid): game for game in Game.objects.filter(tournament=tournament)}
    sheets = {(sheet.game_id, sheet.number): sheet for sheet in SignedSheet.objects.filter(game__tournament=tournament)}
    told = [*manifest.get("protests", []), *manifest.get("corrections", [])]
    if not {each["game"] for each in told} <= set(games):
        raise Invalid(_("A protest of the archive is against a game that is not in it."))
    for each in manifest.get("protests", []):
        _take_protest(each, games[each["game"]], sheets, players)
    for each in manifest.get("corrections", []):
        answered = each.get("answered")
        CorrectionRequest.objects.create(
            game=games[each["game"]],
            text=each["text"],
            asked_by=person_of_file(each["by"]),
            asked_at=datetime.fromisoformat(each["at"]),
            answered_by=person_of_file(answered["by"]) if answered else None,
            answered_at=datetime.fromisoformat(answered["at"]) if answered else None,
            answer=answered["answer"] if answered else "",
        )


def _take_protest(
    told: dict[str, Any], game: Game, sheets: Mapping[tuple[int, int], SignedSheet], players: Mapping[str, Player]
) -> None:
    player = players.get(nickname_key(told["player"]))
    if player is None or not all(map(is_address, told["links"])) or plain_text(told["text"]) != told["text"]:
        raise Invalid(_("A protest of the archive is not one that could have been filed."))
    admitted, filed_by = told.get("admitted"), told.get("filed_by")
    made = Protest.objects.create(
        uuid=UUID(told["uuid"]),
        game=game,
        number=told["number"],
        seat=told["seat"],
        player=player,
        text=told["text"],
        clause=told["clause"],
        links=told["links"],
        how=told["how"],
        made_at=datetime.fromisoformat(told["made_at"]),
        filed_at=datetime.fromisoformat(told["filed_at"]),
        filed_by=person_of_file(filed_by) if filed_by else None,
        admitted_by=person_of_file(admitted["by"]) if admitted else None,
        admitted_because=admitted["because"] if admitted else "",
    )
    for vote in told.get("votes", []):
        ProtestVote.objects.create(
            protest=made,
            member=person_of_file(vote["by"]),
            kind=vote["kind"],
            text=vote["text"],
            voted_at=datetime.fromisoformat(vote["at"]),
        )
    if "decision" in told:
        _take_decision(told["decision"], made, sheets)


def _take_decision(told: dict[str, Any], protest: Protest, sheets: Mapping[tuple[int, int], SignedSheet]) -> None:
    announced = told.get("announced")
    before = sheets.get((protest.game_id, told["sheet"]))
    after = sheets.get((protest.game_id, announced["sheet"])) if announced and "sheet" in announced else None
    if before is None or (after is None) != (announced is None or "sheet" not in announced):
        raise Invalid(_("A decision of the archive names a sheet that is not in it."))
    ProtestDecision.objects.create(
        protest=protest,
        game=protest.game,
        kind=told["kind"],
        clause=told["clause"],
        reasons=told["reasons"],
        result=told.get("result", ""),
        points=told["points"],
        votes=told["votes"],
        revision=told["revision"],
        sheet_before=before,
        sheet_after=after,
        decided_by=person_of_file(told["by"]),
        decided_at=datetime.fromisoformat(told["at"]),
        announced_by=person_of_file(announced["by"]) if announced else None,
        announced_at=datetime.fromisoformat(announced["at"]) if announced else None,
    )
