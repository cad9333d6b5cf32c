"""Two teams of a cup that the tests of teams share."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from django.contrib.auth.models import User
from django.test import Client

from protocols.models import Tournament
from scoring.ratings import Exact
from scoring.selectors import standings_of
from scoring.team_paste import read_teams, write_teams
from scoring.team_selectors import teams_of

from .lines import PLAYERS
from .tournaments import PASSWORD, signed, stage_of, tournament

LIST = f"Север: {PLAYERS[0]} (к), {PLAYERS[1]}\nЮг: {PLAYERS[7]}; {PLAYERS[8]}; {PLAYERS[9]} (з)"


def red_cup() -> Tournament:
    """A red win: seats 1–7 have 3 points, seat 3 a whole extra one; nobody has a team yet."""
    made = tournament()
    signed(stage_of(made), "red", extra={3: "1"})
    return made


def organizer() -> User:
    return User.objects.get(username="organizer")


def pasted(cup: Tournament, text: str = LIST) -> None:
    plan = read_teams(cup, text)
    write_teams(cup, text, seen=plan.fingerprint, confirm_new=True, by=organizer())


def logged_in(name: str) -> Client:
    client = Client()
    assert client.login(username=name, password=PASSWORD)
    return client


def millions(total: Exact) -> Decimal:
    """Points of millionths."""
    whole = Fraction(total)
    return Decimal(whole.numerator) / whole.denominator / 1_000_000


def totals_of(cup: Tournament) -> dict[str, Decimal]:
    found = teams_of(standings_of(cup))
    assert found is not None
    return {found.facts[row.team_id].name: millions(row.total) for row in found.places}
