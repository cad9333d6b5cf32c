"""Every page of the site: who opens it and where, by the names in the table of addresses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from uuid import UUID, uuid4

from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from protocols.models import DecisionKind, FiledHow, SeatingKind, SeatingRun, SignedSheet
from protocols.services import documents, seating_people, seating_rounds, seating_runs
from protocols.services.decisions import Ruling, announce, decide
from protocols.services.invitations import invite, withdraw
from protocols.services.prepare import add_stage, create_game
from protocols.services.protests import Words, ask_correction, file_protest
from protocols.services.registration import apply, open_registration
from scoring.cut_selectors import cuts_of
from scoring.cut_services import set_cut_size, take_cut
from scoring.discipline_services import give_player_penalty
from scoring.penalty_services import revoke_penalty
from scoring.season_services import create_season
from scoring.selectors import standings_of
from scoring.services import draw_lots
from scoring.team_models import Team
from scoring.team_paste import read_teams, write_teams
from scoring.team_services import give_penalty
from tests.exchange.test_drafts import taken
from tests.protocols.world import PASSWORD, World, world


@dataclass(frozen=True)
class Visit:
    """Somebody (`anybody` without a login) opens an address; {words} are filled in by `addresses`."""

    who: str
    path: str
    status: int = 200
    expired: str = ""  # this button is pressed once the login has expired


def by(who: str, *paths: str) -> list[Visit]:
    """The same person at several addresses."""
    return [Visit(who, path) for path in paths]


PAGES: dict[str, list[Visit]] = {
    "login": by("anybody", "/login/"),
    "home": by("anybody", "/") + by("organizer", "/"),
    "rules": by("anybody", "/rules/"),
    "check-form": by("anybody", "/check/"),
    "check": by("anybody", "/check/{code}/"),
    "tournament": by("anybody", "/t/cup/") + by("organizer", "/t/cup/"),
    "tournament-new": by("organizer", "/t/new/"),
    "tournament-edit": by("organizer", "/t/cup/edit/"),
    "people": by("organizer", "/t/cup/people/") + by("head", "/t/cup/people/") + by("judge", "/t/cup/people/"),
    "member": by("organizer", "/t/cup/people/{member}/"),
    "join": by("anybody", "/join/"),
    "invitation": by("anybody", "/join/{invitation}/") + by("plain", "/join/{invitation}/"),
    "stage-edit": by("organizer", "/t/cup/edit/stages/1/"),
    "regulation": by("anybody", "/t/cup/regulation/") + by("organizer", "/t/cup/regulation/"),
    "regulation-version": by("anybody", "/t/cup/regulation/0/"),
    "regulation-edit": by("organizer", "/t/cup/regulation/edit/"),
    "regulation-games": by("organizer", "/t/cup/regulation/games/"),
    "qualifying": by("organizer", "/t/cup/qualifying/"),
    "participants": by("organizer", "/t/cup/participants/"),
    "apart": by("organizer", "/t/cup/participants/apart/"),
    "registration": by("organizer", "/t/cup/participants/registration/"),
    "register": by("anybody", "/t/cup/register/"),
    "application": by("anybody", "/t/cup/register/{application}/"),
    "merge": by("organizer", "/t/cup/participants/merge/"),
    "roster": by("organizer", "/t/cup/participants/list/"),
    "seatings": by("anybody", "/t/cup/seating/", "/t/cup/seating/?q=а") + by("organizer", "/t/cup/seating/"),
    "seating-player": by("anybody", "/t/cup/seating/players/{player}/"),
    "seating-judge": by("anybody", "/t/cup/seating/judges/{judge}/"),
    "seating-papers": by("anybody", "/t/cup/seating/paper/") + by("organizer", "/t/cup/seating/paper/"),
    "seating-paper": by("organizer", "/t/cup/seating/paper/blanks/?stage=1"),
    "seating-screen": by("anybody", "/t/cup/seating/screen/"),
    "seating": by("organizer", "/t/cup/seating/1/"),
    "seating-run": by("organizer", "/t/cup/seating/{seating}/"),
    "upload": by("organizer", "/t/cup/upload/"),
    "drafts": by("organizer", "/t/cup/drafts/"),
    "draft": by("organizer", "/t/cup/drafts/{draft}/"),
    "desk": by("head", "/t/cup/desk/"),
    "changes": by("head", "/t/cup/rounds/changes/"),
    "rounds": by("head", "/t/cup/rounds/") + by("organizer", "/t/cup/rounds/"),
    "round": by("head", "/t/cup/rounds/1/1/", "/t/cup/rounds/1/2/"),
    "tables": by("head", "/t/cup/tables/") + by("organizer", "/t/cup/tables/?rounds=all"),
    "document": by("anybody", "/documents/{document}/"),
    "my-games": by("judge", "/games/"),
    "game-new": by("judge", "/games/new/"),
    "game": by("anybody", "/games/{signed}/") + by("judge", "/games/{running}/") + by("head", "/games/{signed}/"),
    "replay": by("anybody", "/games/{signed}/replay/", "/games/{signed}/replay/?at=20"),
    "account": by("anybody", "/games/{signed}/account/"),
    "ratings": by("anybody", "/games/{signed}/mafiaratings/"),
    "prepare": by("judge", "/games/{empty}/prepare/", "/games/{prepared}/prepare/"),
    "board": by(
        "judge", "/games/{empty}/board/", "/games/{prepared}/board/", "/games/{running}/board/", "/games/{over}/board/",
        "/games/{signed}/board/", "/games/{running}/board/?seat=3", "/games/{running}/board/?open=menu",
    ) + by("organizer", "/games/{running}/board/"),
    "paper": by("judge", "/games/{prepared}/paper/"),
    "finish": by("judge", "/games/{over}/finish/"),
    "hand-over": by("judge", "/games/{running}/hand-over/"),
    "protest-file": by("anybody", "/games/{over}/protest/"),
    "game-protests": by("judge", "/games/{over}/protests/") + by("head", "/games/{signed}/protests/"),
    "protest": by("head", "/t/cup/protests/{protest}/", "/t/cup/protests/{decided}/")
    + by("organizer", "/t/cup/protests/{protest}/"),
    "tournament-queue": by("head", "/t/cup/queue/"),
    "audit": by("head", "/t/cup/audit/"),
    "photos": by("anybody", "/games/{signed}/photos/") + by("judge", "/games/{signed}/photos/"),
    "discipline": by("head", "/t/cup/discipline/"),
    "decision": by("anybody", "/games/{signed}/protests/1/"),
    "login-again": [Visit("organizer", "/t/cup/edit/", expired="form[method=post] button.button--primary")],
    "standings": by("anybody", "/t/cup/standings/") + by("organizer", "/t/cup/standings/"),
    "cuts": by("organizer", "/t/cup/cuts/"),
    "release": by("organizer", "/t/cup/release/"),
    "cut": by("organizer", "/t/cup/cuts/2/", "/t/cup/cuts/3/") + by("head", "/t/cup/cuts/2/"),
    "final": by("organizer", "/t/cup/cuts/2/seats/", "/t/cup/cuts/3/seats/"),
    "cut-lot": by("head", "/t/cup/cuts/3/lot/"),
    "lot": by("anybody", "/t/cup/lots/{lot}/") + by("head", "/t/cup/lots/{lot}/?stage=3&shown=1"),
    "standings-paper": by("anybody", "/t/cup/standings/paper/"),
    "games-paper": by("anybody", "/t/cup/games/paper/"),
    "nominations": by("anybody", "/t/cup/nominations/"),
    "teams": by("anybody", "/t/cup/teams/"),
    "teams-paper": by("anybody", "/t/cup/teams/paper/"),
    "teams-edit": by("organizer", "/t/cup/teams/edit/"),
    "teams-paste": by("organizer", "/t/cup/teams/paste/"),
    "team-edit": by("organizer", "/t/cup/teams/{team}/edit/") + by("head", "/t/cup/teams/{team}/edit/"),
    "player": by("anybody", "/t/cup/players/{player}/"),
    "seasons": by("anybody", "/seasons/") + by("organizer", "/seasons/"),
    "season-new": by("organizer", "/seasons/new/"),
    "season": by("anybody", "/seasons/year/") + by("organizer", "/seasons/year/?q=Ж"),
    "season-edit": by("organizer", "/seasons/year/edit/"),
    "season-player": by("anybody", "/seasons/year/players/{player}/"),
    "season-paper": by("anybody", "/seasons/year/paper/"),
    "person": by("anybody", "/players/{player}/"),
    "archive-upload": by("organizer", "/t/new/archive/"),
    "hall": by("anybody", "/hall/"),
    "screen": by("anybody", "/t/cup/tables/1/screen/"),
}  # fmt: skip
ERRORS = [Visit("anybody", "/no-such-page/", 404), Visit("plain", "/t/cup/edit/", 403)]

NO_PAGES: dict[str, str] = {
    "ask-correction": "takes a form",
    "decision-pdf": "a file",
    "photo": "a file",
    "photo-attach": "takes a form",
    "audit-csv": "a file",
    "audit-json": "a file",
    "waiting": "for scripts",
    "logout": "takes a form",
    "invitation-withdraw": "takes a form",
    "draft-correct": "takes a form",
    "draft-discard": "takes a form",
    "entries": "takes a form",
    "queue": "takes a queue",
    "reopen": "takes a form",
    "draw-lots": "takes a form",
    "regulation-choose": "takes a form",
    "regulation-pdf": "a file",
    "throw-away": "takes a form",
    "draft-file": "a file",
    "stage-protocols": "leads to its document",
    "document-file": "a file",
    "account-file": "a file",
    "record": "a file",
    "ratings-file": "a file",
    "sheet-pdf": "a file",
    "blank-pdf": "a file",
    "seating-pdf": "a file",
    "seating-calendar": "a file",
    "player-calendar": "a file",
    "judge-calendar": "a file",
    "schema": "a file",
    "standings-pdf": "a file",
    "standings-csv": "a file",
    "standings-xlsx": "a file",
    "standings-json": "a file",
    "games-pdf": "a file",
    "games-csv": "a file",
    "nominations-pdf": "a file",
    "teams-pdf": "a file",
    "teams-csv": "a file",
    "archive": "a file",
    "season-csv": "a file",
    "season-xlsx": "a file",
    "season-json": "a file",
    "season-pdf": "a file",
    "lot-pdf": "a file",
    "final-pdf": "a file",
    "hall-certificate": "a file",
    "running-forms": "leads to its document",
    "service-worker": "a file",
    "manifest": "a file",
    "clock": "for scripts",
    "live": "for scripts",
    "pulse": "for scripts",
    "screen-state": "for scripts",
    "tables-state": "for scripts",
    "player-suggest": "for scripts",
}
"""Addresses at which there is no page, and what is there instead."""


def named(patterns: list[URLPattern | URLResolver] | None = None) -> Iterator[str]:
    """The names of all addresses; Django's own admin apart."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(pattern, URLPattern):
            yield str(pattern.name)
        elif pattern.namespace != "admin":
            yield from named(pattern.url_patterns)


def open_everything() -> tuple[World, dict[str, UUID | str | int]]:
    """A tournament with something to see on every page, and what the addresses are filled in with."""
    cup = world()
    empty = create_game(cup.stage, played_on=cup.tournament.starts_on, judge=cup.people["judge"])
    draft = taken(cup)
    with documents.at_work():  # so that nobody begins to make it
        document = documents.ask_for(cup.tournament, cup.stage)
    sheet = SignedSheet.objects.get(game=cup.signed)
    seat = cup.signed.seats.order_by("number")[0]
    lot = cuts_and_a_lot(cup)
    a_season(cup)
    two_penalties(cup)
    return cup, {
        "signed": cup.signed.uuid, "running": cup.running.uuid, "over": cup.over.uuid, "prepared": cup.prepared.uuid,
        "seating": a_seating(cup).uuid, "team": a_team(cup), **invited(cup),
        "application": an_application(cup), **two_protests(cup),
        "empty": empty.uuid, "draft": draft.uuid, "document": document.uuid, "code": sheet.sha256[:12],
        "player": seat.player_id, "lot": lot, "judge": cup.people["judge"].pk,
    }  # fmt: skip


def cuts_and_a_lot(cup: World) -> int:
    """A cut that is taken, one that waits for a lot, and a lot that was drawn for another size; gives its key."""
    final = add_stage(cup.tournament, name="Финал")
    last = add_stage(cup.tournament, name="Суперфинал")
    table = standings_of(cup.tournament).table
    set_cut_size(final, len(table.places))
    found = cuts_of(cup.tournament).of(final.number)
    assert found is not None
    take_cut(final, seen=found.fingerprint, confirmed=True, by=cup.people["organizer"])
    drawn, tied = table.due[:2]
    numbers = {place.player_id: place.number or 0 for place in table.places}
    set_cut_size(last, numbers[min(tied)])
    return draw_lots(cup.tournament, drawn, by=cup.people["head"]).pk


def a_season(cup: World) -> None:
    """A year in which the tournament counts."""
    year = cup.tournament.starts_on.year
    period = {"starts_on": date(year, 1, 1), "ends_on": date(year, 12, 31)}
    organizer = cup.people["organizer"]
    create_season(title="Сезон клуба", slug="year", by=organizer, tournaments=[cup.tournament], **period)


def two_penalties(cup: World) -> None:
    """Outside a game: one in force, one revoked."""
    head = cup.people["head"]
    player = cup.signed.seats.order_by("number")[0].player
    card, late = (
        give_player_penalty(cup.tournament, player, kind=kind, points=Decimal(points), reason=reason, by=head)
        for kind, points, reason in (("yellow_card", "2", "Спор с судьёй"), ("lateness", "0.5", "Опоздание на тур"))
    )
    revoke_penalty(late, reason="Поезд опоздал", by=card.given_by)


def a_seating(cup: World) -> SeatingRun:
    """A seating of ten participants that is drawn and not in use."""
    seating_people.register(cup.tournament, cup.nicknames)
    seating_rounds.open_seating(cup.stage, is_public=True)
    return seating_runs.ask_for_rotation(
        cup.stage, list(cup.tournament.participants.all()), games=5, kind=SeatingKind.LOT, seed=1,
        by=cup.people["organizer"],
    )  # fmt: skip


def an_application(cup: World) -> UUID:
    """The registration is open, and somebody has applied whose nickname looks like a player's."""
    open_registration(cup.tournament, closes_at=timezone.now() + timedelta(days=1), places=40)
    nickname = cup.nicknames[0]
    return apply(cup.tournament, nickname=f"{nickname[0]} {nickname[1:]}", name="Анна Белова", city="Омск").uuid


def a_team(cup: World) -> int:
    """Two teams, the first with a penalty; gives its key."""
    names = cup.nicknames
    text = f"Север: {names[0]} (к), {names[1]}\nЮг: {names[2]}, {names[3]} (з)"
    write_teams(cup.tournament, text, seen=read_teams(cup.tournament, text).fingerprint, confirm_new=False,
                by=cup.people["organizer"])  # fmt: skip
    team = Team.objects.get(tournament=cup.tournament, name="Север")
    give_penalty(team, points=Decimal(1), reason="Опоздание", by=cup.people["head"])
    return team.pk


def invited(cup: World) -> dict[str, str | int]:
    """The code of an invitation beside one that was withdrawn, and the judge as a member."""
    organizer = cup.people["organizer"]
    gone, _code = invite(cup.tournament, "commission", by=organizer, whom="Зоя", uuid=uuid4())
    withdraw(gone, by=organizer)
    _made, code = invite(cup.tournament, "judge", by=organizer, whom="Пётр", uuid=uuid4())
    return {"invitation": code, "member": cup.tournament.members.get(user=cup.people["judge"]).pk}


def two_protests(cup: World) -> dict[str, UUID]:
    """Against the signed game: one dismissed and announced, one that waits."""
    words = Words("Не слышал слова «Спасибо»", "A 6.6.1", ["https://video.example/1"])
    head = cup.people["head"]
    decided, open_ = (file_protest(cup.signed, words, seat=seat, how=FiledHow.CODE) for seat in (2, 5))
    dismissed = Ruling(DecisionKind.DISMISSED, "A 6.6.1", "Слово слышно на видео.")
    announce(decide(decided, dismissed, revision=cup.signed.revision, by=head), by=head, password=PASSWORD)
    ask_correction(cup.signed, "Фол дан не тому", by=cup.people["judge"])
    return {"decided": decided.uuid, "protest": open_.uuid}


def cookie_of(cup: World, who: str) -> str:
    """The session of somebody logged in; empty for anybody."""
    if who == "anybody":
        return ""
    client = Client()
    client.force_login(cup.people[who])
    return client.cookies[settings.SESSION_COOKIE_NAME].value
