"""What happened while a tournament ran, as its archive tells it: seats of finals, seats that changed hands, a
cancellation."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from protocols.models import (
    Cancellation,
    Player,
    Round,
    SeatChange,
    SeatingRun,
    SeatingState,
    Stage,
    Tournament,
    nickname_key,
)
from protocols.models.entries import instant_written
from protocols.seating.terms import SEATS
from protocols.services.errors import Invalid
from protocols.services.people import person_of_file, printed_name

from .final_services import ROTATED


def running_told(tournament: Tournament) -> dict[str, Any]:
    """The members of the manifest that tell of it, those of which there is something."""
    cancelled = Cancellation.objects.filter(tournament=tournament).select_related("done_by").first()
    told = {
        "seats_drawn": [_draw(run) for run in _draws(tournament)],
        "seat_changes": [
            {
                "gone": each.gone,
                **({"came": each.came} if each.came else {}),
                "reason": each.reason,
                "seats": [{"game": uuid, "seat": seat} for uuid, seat in each.seats],
                **_done(each.done_by, each.done_at),
            }
            for each in SeatChange.objects.filter(tournament=tournament).select_related("done_by").order_by("pk")
        ],
        "cancelled": {"reason": cancelled.reason, **_done(cancelled.done_by, cancelled.done_at)} if cancelled else {},
    }
    return {name: value for name, value in told.items() if value}


def players_drawn(tournament: Tournament) -> set[int]:
    """Keys of the players whose seats were drawn."""
    return {key for run in _draws(tournament) for key in run.players}


def _done(by: Any, at: datetime) -> dict[str, str]:
    return {"by": printed_name(by), "at": instant_written(at)}


def _draws(tournament: Tournament) -> list[SeatingRun]:
    """The seatings by lot and by place; those of the search stay behind."""
    drawn = (SeatingState.DONE, SeatingState.USED)
    runs = SeatingRun.objects.filter(stage__tournament=tournament, kind__in=ROTATED, state__in=drawn)
    return list(runs.select_related("stage", "asked_by", "used_by").order_by("asked_at", "pk"))


def _draw(run: SeatingRun) -> dict[str, Any]:
    known = Player.objects.in_bulk(run.players)
    told: dict[str, Any] = {
        "stage": run.stage.number,
        "kind": run.kind,
        "players": [known[key].nickname for key in run.players],
        "games": run.games,
        "seed": run.seed,
        "plan": run.plan,
        **_done(run.asked_by, run.asked_at),
    }
    if run.state == SeatingState.USED and run.used_by is not None and run.used_at is not None:
        rounds = list(Round.objects.filter(seating=run).order_by("number").values_list("number", flat=True))
        told["used"] = {"first_round": run.first_round, "rounds": rounds, **_done(run.used_by, run.used_at)}
    return told


# ---------------------------------------------------------------- taking in


def write_running(
    tournament: Tournament, manifest: dict[str, Any], stages: Mapping[int, Stage], players: Mapping[str, Player]
) -> None:
    """Writes what an archive tells of it, after its rounds. Raises Invalid for what no site could have written."""
    for told in manifest.get("seats_drawn", []):
        _write_draw(told, stages, players)
    for told in manifest.get("seat_changes", []):
        SeatChange.objects.create(
            tournament=tournament, gone=told["gone"], came=told.get("came", ""), reason=told["reason"],
            seats=[[each["game"], each["seat"]] for each in told["seats"]], **_who(told),
        )  # fmt: skip
    if "cancelled" in manifest:
        told = manifest["cancelled"]
        Cancellation.objects.create(tournament=tournament, reason=told["reason"], **_who(told))


def _who(told: Mapping[str, Any]) -> dict[str, Any]:
    return {"done_by": person_of_file(told["by"]), "done_at": datetime.fromisoformat(told["at"])}


def _write_draw(told: Mapping[str, Any], stages: Mapping[int, Stage], players: Mapping[str, Player]) -> None:
    keys = [nickname_key(nickname) for nickname in told["players"]]
    everybody = list(range(len(keys)))
    rounds = [[seat for table in tables for seat in table] for tables in told["plan"]]
    fits = all(sorted(each) == everybody for each in rounds) and len(rounds) == told["games"]
    tens = all(len(table) == SEATS for tables in told["plan"] for table in tables)
    if not (set(keys) <= set(players) and len(set(keys)) == len(keys) and fits and tens and told["stage"] in stages):
        raise Invalid(_("The seats of a draw are not those of its players, ten at a table."))
    stage, at, used = stages[told["stage"]], datetime.fromisoformat(told["at"]), told.get("used")
    run = SeatingRun.objects.create(
        stage=stage, kind=told["kind"], players=[players[key].pk for key in keys], games=told["games"],
        tables=len(keys) // SEATS, seed=told["seed"], seconds=0, plan=told["plan"], asked_by=person_of_file(told["by"]),
        asked_at=at, finished_at=at, state=SeatingState.USED if used else SeatingState.DONE,
        used_by=person_of_file(used["by"]) if used else None,
        used_at=datetime.fromisoformat(used["at"]) if used else None,
        first_round=used["first_round"] if used else None,
    )  # fmt: skip
    if used:
        Round.objects.filter(stage=stage, number__in=used["rounds"]).update(seating=run)
