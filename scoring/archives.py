"""A whole tournament as an archive, and a tournament rebuilt from one: equal to the last place of its standings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import reduce
from operator import or_
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from protocols.exchange import archive
from protocols.exchange.archive import Archive, NotTaken
from protocols.exchange.game_file import GameFile
from protocols.exchange.reading import Unreadable
from protocols.models import (
    Draft,
    Member,
    MemberRole,
    Player,
    Seat,
    SeatResult,
    Stage,
    Status,
    Tournament,
    nickname_key,
)
from protocols.models.entries import instant_written
from protocols.models.tournament import nickname_written
from protocols.rules.points import points_of_thousandths, thousandths
from protocols.selectors import games_of
from protocols.services.draft_files import draft_data, take_told_draft
from protocols.services.errors import Invalid, NotReady
from protocols.services.game_files import file_of, stage_data, tournament_data
from protocols.services.importing import import_user
from protocols.services.people import person_of_file, printed_name
from protocols.services.placing import stage_as_told
from protocols.services.prepare import appoint, create_tournament, new_players
from protocols.services.regulation_files import (
    moves_as_told,
    moves_told,
    regulation_data,
    version_as_told,
    versions_told,
)
from protocols.services.regulations import choose_regulation
from protocols.services.taking import take

from .course_archives import course_told, players_in_course, write_course
from .cut_archives import cuts_told, write_cuts
from .discipline_archives import penalties_told, players_in_penalties, write_penalties
from .models import CutPlace, Lot, LotPlace, QualifyingRating, tied_key
from .protest_archives import players_in_protests, protests_told, write_protests
from .running_archives import players_drawn, running_told, write_running
from .services import set_qualifying
from .team_archives import removed_told, teams_told, write_changes_told, write_teams_told
from .team_models import TeamMember

NOT_OVER = (Status.PREPARED, Status.RUNNING)


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The tournament of an archive; `was_known`: it stood here before, just so, and nothing was written."""

    tournament: Tournament
    was_known: bool = False


# ---------------------------------------------------------------- taking it away


def archive_of(tournament: Tournament) -> bytes:
    """The tournament with all its games, signed or not, as an archive: for its organizer alone."""
    drafts = Draft.objects.filter(tournament=tournament).select_related("taken_by", "discarded_by", "game")
    kept = ((draft_data(draft), bytes(draft.raw)) for draft in drafts.order_by("taken_at", "uuid"))
    return archive.to_bytes(_facts(tournament), _files(tournament), kept)


def plays_in_open_game(tournament: Tournament, user: User) -> bool:
    """Whether the person sits at a table that is not over, and so must not know what an archive tells (RULES §9)."""
    return Seat.objects.filter(game__tournament=tournament, game__status__in=NOT_OVER, player__user=user).exists()


def _files(tournament: Tournament) -> Iterator[GameFile]:
    for game in games_of(tournament):
        yield file_of(game)


def _facts(tournament: Tournament) -> dict[str, Any]:
    members = Member.objects.filter(tournament=tournament).select_related("user")
    serving = sorted({(member.role, printed_name(member.user)) for member in members})
    stages = Stage.objects.filter(tournament=tournament).select_related("regulation_version").order_by("number")
    cuts, teams, removed = cuts_told(tournament), teams_told(tournament), removed_told(tournament)
    return {
        "tournament": {**tournament_data(tournament), "is_public": tournament.is_public},
        "regulation": regulation_data(tournament.preset),
        **_regulations(tournament),
        "stages": [_stage(stage) for stage in stages],
        "members": [{"name": name, "role": role} for role, name in serving],
        "players": _players(tournament),
        "lots": _lots(tournament),
        **_qualifying(tournament),
        **({"cuts": cuts} if cuts else {}),
        **({"teams": teams} if teams else {}),
        **({"teams_removed": removed} if removed else {}),
        **course_told(tournament),
        **running_told(tournament),
        **moves_told(tournament),
        **protests_told(tournament),
        **penalties_told(tournament),
    }


def _regulations(tournament: Tournament) -> dict[str, Any]:
    """The tournament's own regulations, where it has any, and which of them it has now."""
    own, versions = tournament.regulation_version, versions_told(tournament)
    return ({"regulations": versions} if versions else {}) | ({"own_regulation": own.number} if own else {})


def _stage(stage: Stage) -> dict[str, Any]:
    own = stage.regulation_version
    return {**stage_data(stage), "regulation": own.number} if own else stage_data(stage)


def _players(tournament: Tournament) -> list[str]:
    seated = Seat.objects.filter(game__tournament=tournament).values("player")
    counted = SeatResult.objects.filter(tournament=tournament).values("player")
    drawn = LotPlace.objects.filter(lot__tournament=tournament).values("player")
    rated = QualifyingRating.objects.filter(tournament=tournament).values("player")
    passed = CutPlace.objects.filter(cut__stage__tournament=tournament).values("player")
    in_teams = TeamMember.objects.filter(tournament=tournament).values("player")
    named = (
        seated,
        counted,
        drawn,
        rated,
        passed,
        in_teams,
        players_in_course(tournament),
        players_drawn(tournament),
        players_in_protests(tournament),
        players_in_penalties(tournament),
    )
    found = Player.objects.filter(reduce(or_, (Q(pk__in=each) for each in named)))
    return sorted((player.nickname for player in found), key=nickname_key)  # databases sort letters in their own ways


def _qualifying(tournament: Tournament) -> dict[str, Any]:
    given = QualifyingRating.objects.filter(tournament=tournament).select_related("player")
    told = [
        {"player": each.player.nickname, "rating": format(points_of_thousandths(each.rating).normalize(), "f")}
        for each in sorted(given, key=lambda each: each.player.nickname_key)
    ]
    return {"qualifying": told} if told else {}


def _lots(tournament: Tournament) -> list[dict[str, Any]]:
    lots = Lot.objects.filter(tournament=tournament).select_related("drawn_by")
    found: list[dict[str, Any]] = [
        {
            "first_place": lot.first_place,
            "players": list(lot.places.order_by("position").values_list("player__nickname", flat=True)),
            "drawn_by": printed_name(lot.drawn_by),
            "drawn_at": instant_written(lot.drawn_at),
        }
        for lot in lots
    ]
    return sorted(found, key=lambda lot: (lot["drawn_at"], lot["first_place"], lot["players"]))


# ---------------------------------------------------------------- rebuilding it


def rebuild(raw: bytes, *, by: User | None = None) -> Rebuilt:
    """Writes the tournament of the archive, whole or not at all.

    `by` organizes it here beside those whom the archive names, of whom only `by` can have a login. Raises
    `Unreadable`, `NotTaken` naming the game, or `Invalid`.
    """
    found = archive.read(raw)
    here = Tournament.objects.filter(slug=found.manifest["tournament"]["slug"]).first()
    if here is not None:
        return _known(here, found)
    try:
        with transaction.atomic():
            return Rebuilt(_write(found, by))
    except IntegrityError as error:
        raise Invalid(_("The database does not take this record: %(why)s") % {"why": error}) from None


def _known(here: Tournament, found: Archive) -> Rebuilt:
    same = archive.read(archive_of(here))
    if (same.manifest["games"], same.drafts) == (found.manifest["games"], found.drafts):
        return Rebuilt(here, was_known=True)
    words = {"slug": here.slug, "title": here.title}
    raise Invalid(_("At the address “%(slug)s” stands another tournament here: “%(title)s”.") % words)


def _write(found: Archive, by: User | None) -> Tournament:
    manifest = found.manifest
    tournament = _tournament(manifest, by)
    stages = _stages(tournament, manifest)
    if len(stages) != len(manifest["stages"]):
        raise Invalid(_("Two stages of the archive have one number."))
    players = _make_players(manifest["players"])
    for line in manifest["games"]:
        try:
            file = found.game(line)
            _compare(file, line, manifest)
            take(file, stage=stages[line["stage"]])
        except (Unreadable, Invalid, NotReady) as error:
            raise NotTaken(_("Game %(number)s, table %(table)s") % line, error) from None
    for draft in found.drafts:
        take_told_draft(draft, found.listed(draft), tournament=tournament)
    for told in manifest["lots"]:
        _write_lot(tournament, told, players)
    _write_qualifying(tournament, manifest, players)
    write_cuts(tournament, manifest.get("cuts", []), stages, players)
    write_teams_told(tournament, manifest.get("teams", []), players)
    write_changes_told(tournament, None, manifest.get("teams_removed", []))
    write_course(tournament, manifest, stages, players)
    write_running(tournament, manifest, stages, players)
    moves_as_told(tournament, manifest.get("moved", []))
    write_protests(tournament, manifest, players)
    write_penalties(tournament, manifest.get("player_penalties", []), players)
    return tournament


def _stages(tournament: Tournament, manifest: dict[str, Any]) -> dict[int, Stage]:
    """The stages by number, and the regulations, which come before whatever is played under them."""
    versions = {told["number"]: version_as_told(tournament, told) for told in manifest.get("regulations", [])}
    stages = {}
    try:
        if "own_regulation" in manifest:
            choose_regulation(tournament, versions[manifest["own_regulation"]])
        for told in manifest["stages"]:
            told = dict(told)
            own = told.pop("regulation", None)
            stage = stages[told["number"]] = stage_as_told(tournament, told)
            if own is not None:
                choose_regulation(tournament, versions[own], stage=stage)
    except KeyError:
        raise Invalid(_("The archive speaks of a regulation that is not in it.")) from None
    return stages


def _tournament(manifest: dict[str, Any], by: User | None) -> Tournament:
    people = {member["name"]: person_of_file(member["name"]) for member in manifest["members"]}
    if by is not None and printed_name(by) in people:
        people[printed_name(by)] = by
    named = [people[each["name"]] for each in manifest["members"] if each["role"] == MemberRole.ORGANIZER]
    told = manifest["tournament"]
    tournament = create_tournament(
        title=told["title"],
        slug=told["slug"],
        city=told["city"],
        starts_on=date.fromisoformat(told["starts_on"]),
        regulation=manifest["regulation"]["code"],
        is_public=told["is_public"],
        by=by or (named[0] if named else import_user()),
    )
    for member in manifest["members"]:
        appoint(tournament, people[member["name"]], member["role"])
    return tournament


def _make_players(nicknames: list[str]) -> dict[str, Player]:
    """The players by the key of the nickname, spelled as the archive lists them where they are new here."""
    found = set[str]()
    for nickname in nicknames:
        key = nickname_key(nickname)
        if nickname_written(nickname) != nickname or not key or key in found:
            raise Invalid(_("“%(nickname)s” is no nickname as it would be stored") % {"nickname": nickname})
        found.add(key)
    return new_players(nicknames)


def _compare(file: GameFile, line: dict[str, Any], manifest: dict[str, Any]) -> None:
    """Raises Invalid where the game's file tells of another game or tournament than the manifest."""
    data, told = file.data, manifest["tournament"]
    stages = {stage["number"]: {**stage} for stage in manifest["stages"]}
    for stage in stages.values():
        stage.pop("regulation", None)
    agrees = (
        data["uuid"] == line["uuid"]
        and data["tournament"] == {name: told[name] for name in data["tournament"]}
        and _is_listed(data["regulation"], manifest)
        and data["stage"] == stages.get(line["stage"])
        and (data["game"]["number"], data["game"]["table"]) == (line["number"], line["table"])
    )
    if not agrees:
        raise Invalid(_("the manifest tells of another game"))


def _is_listed(told: dict[str, Any], manifest: dict[str, Any]) -> bool:
    """Whether the manifest tells of the game's regulation: the preset, or one of the tournament's own."""
    if "number" not in told:
        return bool(told == manifest["regulation"])
    if not told["number"]:
        return bool(told["code"] == manifest["regulation"]["code"])
    return any({name: each[name] for name in told} == told for each in manifest.get("regulations", []))


def _write_qualifying(tournament: Tournament, manifest: dict[str, Any], players: dict[str, Player]) -> None:
    told = manifest.get("qualifying", [])
    try:
        given = {players[nickname_key(each["player"])]: thousandths(Decimal(each["rating"])) for each in told}
    except KeyError:
        raise Invalid(_("A qualifying rating is of a player who is not in the archive.")) from None
    if given:
        set_qualifying(tournament, given, by=tournament.members.filter(role=MemberRole.ORGANIZER)[0].user)


def _write_lot(tournament: Tournament, told: dict[str, Any], players: dict[str, Player]) -> None:
    keys = [nickname_key(nickname) for nickname in told["players"]]
    if not set(keys) <= set(players) or len(set(keys)) != len(keys):
        raise Invalid(_("A lot names players who are not in the archive, or one of them twice."))
    order = [players[key] for key in keys]
    lot = Lot.objects.create(
        tournament=tournament,
        tied=tied_key(player.pk for player in order),
        first_place=told["first_place"],
        drawn_by=person_of_file(told["drawn_by"]),
        drawn_at=datetime.fromisoformat(told["drawn_at"]),
    )
    LotPlace.objects.bulk_create(
        LotPlace(lot=lot, position=position, player=player) for position, player in enumerate(order, start=1)
    )
