"""What of a tournament's course goes along in its archive: who takes part, its rounds, and what is hidden.

The runs of the search for a seating stay behind; the seats they led to are in the games.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils.translation import gettext as _

from protocols.models import Conflict, Hiding, KeptApart, Participant, Player, Round, Stage, Tournament, nickname_key
from protocols.models.entries import instant_written
from protocols.services.errors import Invalid
from protocols.services.people import person_of_file, printed_name

COURSE = ("time_zone", "registration", "published", "participants", "apart", "conflicts", "rounds", "hidings")


def course_told(tournament: Tournament) -> dict[str, Any]:
    """The members of the manifest that tell of it, those of which there is something."""
    published = Stage.objects.filter(tournament=tournament, seating_is_public=True)
    told = {
        "time_zone": tournament.time_zone,
        "registration": _registration(tournament),
        "published": list(published.order_by("number").values_list("number", flat=True)),
        "participants": _participants(tournament),
        "apart": _apart(tournament),
        "conflicts": _conflicts(tournament),
        "rounds": [_round(each) for each in _rounds(tournament)],
        "hidings": [_hiding(each) for each in _hidings(tournament)],
    }
    return {name: value for name, value in told.items() if value}


def _registration(tournament: Tournament) -> dict[str, Any]:
    """Until when it takes applications; those who applied stay behind."""
    if tournament.registration_closes_at is None:
        return {}
    told: dict[str, Any] = {"closes_at": instant_written(tournament.registration_closes_at)}
    if tournament.registration_closed_at is not None:
        told["closed_at"] = instant_written(tournament.registration_closed_at)
    return {**told, **({"places": tournament.places} if tournament.places else {})}


def players_in_course(tournament: Tournament) -> set[int]:
    """Keys of the players it names."""
    found = set(Participant.objects.filter(tournament=tournament).values_list("player", flat=True))
    found |= set(Conflict.objects.filter(tournament=tournament).values_list("player", flat=True))
    for pair in KeptApart.objects.filter(tournament=tournament).values_list("first", "second"):
        found |= set(pair)
    return found


def _participants(tournament: Tournament) -> list[dict[str, Any]]:
    found = Participant.objects.filter(tournament=tournament).select_related("player")
    return [
        {
            "player": each.player.nickname,
            "state": each.state,
            **({"number": each.number} if each.number else {}),
            "city": each.city,
            "team": each.team,
            "at": instant_written(each.registered_at),
        }
        for each in sorted(found, key=lambda each: each.player.nickname_key)
    ]


def _apart(tournament: Tournament) -> list[dict[str, Any]]:
    """By nickname: which key of two is the smaller differs from site to site."""
    found = []
    for each in KeptApart.objects.filter(tournament=tournament).select_related("first", "second"):
        names = sorted((each.first.nickname, each.second.nickname), key=nickname_key)
        found.append({"players": names, "most": each.most})
    return sorted(found, key=lambda told: [nickname_key(name) for name in told["players"]])


def _conflicts(tournament: Tournament) -> list[dict[str, Any]]:
    """By nickname and the judge's printed name: logins differ from site to site."""
    found = Conflict.objects.filter(tournament=tournament).select_related("judge", "player")
    told = [{"judge": printed_name(each.judge), "player": each.player.nickname} for each in found]
    return sorted(told, key=lambda each: (nickname_key(each["player"]), each["judge"]))


def _rounds(tournament: Tournament) -> list[Round]:
    rounds = Round.objects.filter(stage__tournament=tournament).select_related("stage", "cancelled_by")
    return list(rounds.order_by("stage__number", "number"))


def _round(each: Round) -> dict[str, Any]:
    told: dict[str, Any] = {"stage": each.stage.number, "number": each.number, "tables": each.tables}
    if each.starts_at is not None:
        told["starts_at"] = instant_written(each.starts_at)
    if each.cancelled_at is not None and each.cancelled_by is not None:
        told["cancelled"] = {
            "by": printed_name(each.cancelled_by),
            "at": instant_written(each.cancelled_at),
            "reason": each.cancelled_because,
        }
    return told


def _hidings(tournament: Tournament) -> list[Hiding]:
    return list(Hiding.objects.filter(tournament=tournament).select_related("stage", "done_by").order_by("pk"))


def _hiding(each: Hiding) -> dict[str, Any]:
    since = {"stage": each.stage.number, "number": each.number} if each.stage is not None else {}
    return {"what": each.what, **since, "by": printed_name(each.done_by), "at": instant_written(each.done_at)}


# ---------------------------------------------------------------- taking in


def write_course(
    tournament: Tournament, manifest: dict[str, Any], stages: Mapping[int, Stage], players: Mapping[str, Player]
) -> None:
    """Writes what an archive tells of it. Raises Invalid for what no site could have written."""
    told = {name: manifest.get(name, []) for name in COURSE}
    _check(told, stages, players)
    tournament.time_zone = manifest.get("time_zone", "")
    if "registration" in manifest:
        registration = manifest["registration"]
        tournament.registration_closes_at = datetime.fromisoformat(registration["closes_at"])
        if "closed_at" in registration:
            tournament.registration_closed_at = datetime.fromisoformat(registration["closed_at"])
        tournament.places = registration.get("places")
    tournament.save(update_fields=["time_zone", "registration_closes_at", "registration_closed_at", "places"])
    Stage.objects.filter(tournament=tournament, number__in=told["published"]).update(seating_is_public=True)

    def one(nickname: str) -> Player:
        return players[nickname_key(nickname)]

    for each in told["participants"]:
        Participant.objects.create(
            tournament=tournament, player=one(each["player"]), state=each["state"], number=each.get("number"),
            city=each["city"], team=each["team"], registered_at=datetime.fromisoformat(each["at"]),
        )  # fmt: skip
    for each in told["apart"]:
        first, second = sorted(map(one, each["players"]), key=lambda player: player.pk)
        KeptApart.objects.create(tournament=tournament, first=first, second=second, most=each["most"])
    for each in told["conflicts"]:
        Conflict.objects.create(tournament=tournament, judge=person_of_file(each["judge"]), player=one(each["player"]))
    for each in told["rounds"]:
        cancelled = each.get("cancelled")
        Round.objects.create(
            stage=stages[each["stage"]],
            number=each["number"],
            tables=each["tables"],
            starts_at=datetime.fromisoformat(each["starts_at"]) if "starts_at" in each else None,
            cancelled_by=person_of_file(cancelled["by"]) if cancelled else None,
            cancelled_at=datetime.fromisoformat(cancelled["at"]) if cancelled else None,
            cancelled_because=cancelled["reason"] if cancelled else "",
        )
    for each in told["hidings"]:
        Hiding.objects.create(
            tournament=tournament,
            what=each["what"],
            stage=stages[each["stage"]] if "stage" in each else None,
            number=each.get("number"),
            done_by=person_of_file(each["by"]),
            done_at=datetime.fromisoformat(each["at"]),
        )


def _check(told: Mapping[str, Any], stages: Mapping[int, Stage], players: Mapping[str, Player]) -> None:
    taking_part = [nickname_key(each["player"]) for each in told["participants"]]
    pairs = [tuple(sorted(map(nickname_key, each["players"]))) for each in told["apart"]]
    named = {*taking_part, *(name for pair in pairs for name in pair)}
    named |= {nickname_key(each["player"]) for each in told["conflicts"]}
    if not named <= set(players) or len(set(taking_part)) != len(taking_part):
        raise Invalid(_("Those who take part are not all in the archive, or one of them is there twice."))
    if len(set(pairs)) != len(pairs) or any(first == second for first, second in pairs):
        raise Invalid(_("A pair that is kept apart is named twice, or is one player."))
    rounds = [(each["stage"], each["number"]) for each in told["rounds"]]
    numbers = {*told["published"], *(stage for stage, _number in rounds)}
    numbers |= {each["stage"] for each in told["hidings"] if "stage" in each}
    if not numbers <= set(stages) or len(set(rounds)) != len(rounds):
        raise Invalid(_("A round is of a stage that is not in the archive, or is there twice."))
    if any((each["what"] == "nothing") == ("stage" in each) for each in told["hidings"]):
        raise Invalid(_("The archive does not say from which round something is hidden."))
    if told["time_zone"]:
        try:
            ZoneInfo(told["time_zone"])
        except (ZoneInfoNotFoundError, ValueError):
            raise Invalid(_("There is no time zone “%(zone)s”.") % {"zone": told["time_zone"]}) from None
