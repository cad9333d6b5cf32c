"""The cuts of a tournament in its archive: sizes, cuts taken and taken back, and the log of corrections."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from protocols.models import Player, Stage, Tournament, nickname_key
from protocols.models.entries import instant_written
from protocols.services.errors import Invalid
from protocols.services.people import person_of_file, printed_name

from .cut_models import Cut, CutNotice, CutPlace, CutSize
from .cut_selectors import exact_of


def cuts_told(tournament: Tournament) -> list[dict[str, Any]]:
    """The stages with a size, or with a cut taken at any time, in their order."""
    sizes = dict(CutSize.objects.filter(stage__tournament=tournament).values_list("stage__number", "size"))
    taken: dict[int, list[dict[str, Any]]] = {}
    cuts = Cut.objects.filter(stage__tournament=tournament).select_related("stage", "taken_by", "withdrawn_by")
    for cut in cuts.prefetch_related("places__player", "notices").order_by("taken_at", "pk"):
        taken.setdefault(cut.stage.number, []).append(_cut(cut))
    return [
        {"stage": number}
        | ({"size": sizes[number]} if number in sizes else {})
        | ({"taken": taken[number]} if number in taken else {})
        for number in sorted({*sizes, *taken})
    ]


def _cut(cut: Cut) -> dict[str, Any]:
    told: dict[str, Any] = {
        "size": cut.size,
        "fingerprint": cut.fingerprint,
        "unsigned": cut.unsigned,
        "protests": cut.protests,
        "by": printed_name(cut.taken_by),
        "at": instant_written(cut.taken_at),
        "places": [
            {
                "place": each.place,
                "player": each.player.nickname,
                "nickname": each.nickname,
                "rating": each.rating,
            }
            for each in sorted(cut.places.all(), key=lambda each: (each.place, each.pk))
        ],
        "notices": [
            {"at": instant_written(each.noticed_at), "comes": each.comes, "goes": each.goes, "tied": each.tied}
            for each in sorted(cut.notices.all(), key=lambda each: (each.noticed_at, each.pk))
        ],
    }
    if cut.withdrawn_at is not None and cut.withdrawn_by is not None:
        told["withdrawn"] = {
            "by": printed_name(cut.withdrawn_by),
            "at": instant_written(cut.withdrawn_at),
            "reason": cut.withdrawn_because,
        }
    return told


def write_cuts(
    tournament: Tournament, told: list[dict[str, Any]], stages: Mapping[int, Stage], players: Mapping[str, Player]
) -> None:
    """Writes the cuts that an archive tells of. Raises Invalid for what no site could have written."""
    first = min(stages, default=0)
    if len({each["stage"] for each in told}) != len(told) or any(each["stage"] not in stages for each in told):
        raise Invalid(_("The archive tells of a cut into a stage that is not in it, or of one twice."))
    for each in told:
        stage, taken = stages[each["stage"]], each.get("taken", [])
        in_force = [cut for cut in taken if "withdrawn" not in cut]
        sizes = [cut["size"] for cut in in_force]
        if each["stage"] == first or len(in_force) > 1 or (sizes and sizes != [each.get("size")]):
            raise Invalid(_("A cut of the archive contradicts itself."))
        if "size" in each:
            CutSize.objects.create(stage=stage, size=each["size"])
        for cut in taken:
            _write_cut(stage, cut, players)


def _write_cut(stage: Stage, told: dict[str, Any], players: Mapping[str, Player]) -> None:
    keys = [nickname_key(place["player"]) for place in told["places"]]
    if not set(keys) <= set(players) or len(set(keys)) != len(keys):
        raise Invalid(_("A cut names players who are not in the archive, or one of them twice."))
    withdrawn = told.get("withdrawn")
    cut = Cut.objects.create(
        stage=stage,
        size=told["size"],
        fingerprint=told["fingerprint"],
        unsigned=told["unsigned"],
        protests=told["protests"],
        taken_by=person_of_file(told["by"]),
        taken_at=datetime.fromisoformat(told["at"]),
        withdrawn_by=person_of_file(withdrawn["by"]) if withdrawn else None,
        withdrawn_at=datetime.fromisoformat(withdrawn["at"]) if withdrawn else None,
        withdrawn_because=withdrawn["reason"] if withdrawn else "",
    )
    CutPlace.objects.bulk_create(
        CutPlace(
            cut=cut,
            place=place["place"],
            player=players[key],
            nickname=place["nickname"],
            rating=_rating(place["rating"]),
        )
        for place, key in zip(told["places"], keys, strict=True)
    )
    CutNotice.objects.bulk_create(
        CutNotice(
            cut=cut,
            noticed_at=datetime.fromisoformat(each["at"]),
            comes=each["comes"],
            goes=each["goes"],
            tied=each["tied"],
        )
        for each in told["notices"]
    )


def _rating(text: str) -> str:
    try:
        exact = str(exact_of(text))
    except ZeroDivisionError:
        exact = ""
    if exact != text:
        raise Invalid(_("A cut of the archive contradicts itself."))
    return text
