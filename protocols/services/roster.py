"""A list of players taken among the participants: first read and shown, then written whole or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from ..exchange.roster import Flaw, Listed, Row
from ..look_alikes import mixes_alphabets, skeleton
from ..models import Participant, ParticipantState, Player, Tournament, nickname_key
from ..models.rounds import MOST_PARTICIPANTS
from ..selectors import players_named
from .errors import Invalid
from .prepare import new_players

NEW = "new"  # the choice that somebody is nobody else


@dataclass(frozen=True, slots=True)
class Alike:
    """Whom a new nickname may stand for: a player, or somebody further up in the list."""

    choice: str
    nickname: str
    line: int | None = None


@dataclass(slots=True)
class Told:
    """A line of the list: who it is, and what is to be said of it before anything is written."""

    row: Row
    key: str
    player: Player | None = None  # None: nobody has the nickname
    state: ParticipantState | None = None  # of the participant, where there is one
    number: int | None = None
    repeats: int | None = None  # the line on which the nickname stands first
    alike: tuple[Alike, ...] = ()
    stays: tuple[tuple[str, str], ...] = ()  # what the site has and the list tells otherwise: "name", "city", "team"
    fills: tuple[str, ...] = ()  # what the list adds to a known player

    @property
    def nickname(self) -> str:
        """As the player has it, or as it is listed."""
        return self.player.nickname if self.player else self.row.nickname

    @property
    def is_new(self) -> bool:
        """Whether it would be a new player, as far as the nickname goes."""
        return self.player is None and self.repeats is None

    @property
    def mixes(self) -> bool:
        """Whether letters of two alphabets stand in one word."""
        return mixes_alphabets(self.row.nickname)


@dataclass(slots=True)
class Plan:
    """What the list would write."""

    listed: Listed
    lines: list[Told] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)  # with any of these nothing can be written

    @property
    def flaws(self) -> Sequence[Flaw]:
        """The lines that can't be read."""
        return self.listed.flaws

    @property
    def asked(self) -> list[Told]:
        """The lines of which somebody has to say who they are."""
        return [told for told in self.lines if told.alike]

    @property
    def fingerprint(self) -> str:
        """The same while the list means the same."""
        told = [
            (each.row, each.player and each.player.pk, each.state, each.repeats, each.alike, each.stays, each.fills)
            for each in self.lines
        ]
        return hashlib.sha256(repr((told, self.flaws, self.errors)).encode()).hexdigest()


@dataclass(slots=True)
class Written:
    """What became of the list; players by the number of their line."""

    players: dict[int, Player] = field(default_factory=dict)
    added: list[str] = field(default_factory=list)
    back: list[str] = field(default_factory=list)
    there: list[str] = field(default_factory=list)


def read_roster(tournament: Tournament, listed: Listed) -> Plan:
    """What the list means; writes nothing."""
    plan = Plan(listed)
    plan.lines = [Told(row, nickname_key(row.nickname)) for row in plan.listed.rows]
    _know(tournament, plan.lines)
    look_alike(plan.lines)
    there = set(Participant.objects.filter(tournament=tournament).values_list("player", flat=True))
    known = {told.player.pk for told in plan.lines if told.player is not None}
    if len(there | known) + sum(told.is_new for told in plan.lines) > MOST_PARTICIPANTS:
        plan.errors.append(_("A tournament takes %(most)d participants.") % {"most": MOST_PARTICIPANTS})
    if not plan.lines:
        plan.errors.append(_("There is no line with a nickname."))
    return plan


def _know(tournament: Tournament, lines: Sequence[Told]) -> None:
    """Says of each line who it is, as far as the nickname tells, and what is new of a known player."""
    keys = {told.key for told in lines}
    known = players_named(keys)
    taking = Participant.objects.filter(tournament=tournament, player__in=[player.pk for player in known.values()])
    there = {each.player_id: each for each in taking}
    first: dict[str, int] = {}
    for told in lines:
        told.player = player = known.get(told.key)
        told.key = player.nickname_key if player else told.key  # of who the player has turned out to be
        line = first.setdefault(told.key, told.row.line)
        told.repeats = line if line != told.row.line else None
        found = there.get(player.pk) if player else None
        if found is not None:
            told.state, told.number = ParticipantState(found.state), found.number
        if player is not None and told.repeats is None:
            told.fills, told.stays = _news(told.row, player, found)


def _news(row: Row, player: Player, found: Participant | None) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """What the list adds, and what it tells otherwise than the site, which stays as it is."""
    stored = {
        "name": (row.name, player.name),
        "city": (row.city, (found.city if found else "") or player.city),
        "team": (row.team, found.team if found else ""),
    }
    fills = tuple(part for part, (told, has) in stored.items() if told and not has)
    stays = tuple((part, has) for part, (told, has) in stored.items() if told and has and told != has)
    return fills, stays


def look_alike(lines: Sequence[Told]) -> None:
    """Says of each new nickname whom it may stand for: players of the whole site, and those further up in the list."""
    looks = {skeleton(told.row.nickname) for told in lines if told.is_new}
    players: dict[str, list[Alike]] = {}
    if looks:
        known = Player.objects.filter(merged_into=None).order_by("nickname_key")
        for pk, nickname in known.values_list("pk", "nickname"):
            look = skeleton(nickname)
            if look in looks:
                players.setdefault(look, []).append(Alike(f"player-{pk}", nickname))
    above: dict[str, list[Alike]] = {}
    for told in lines:
        look = skeleton(told.row.nickname)
        if told.is_new:
            told.alike = (*players.get(look, ()), *above.get(look, ()))
            line = told.row.line
            above.setdefault(look, []).append(Alike(f"line-{line}", told.row.nickname, line))


def looks_of(nicknames: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Nickname → those of players who are known and look like it; of these nicknames, those that have any."""
    lines = [Told(Row(n, nickname), nickname_key(nickname)) for n, nickname in enumerate(nicknames, start=1)]
    look_alike(lines)
    return {told.row.nickname: tuple(each.nickname for each in told.alike) for told in lines if told.alike}


def write_roster(tournament: Tournament, plan: Plan, *, seen: str, choices: Mapping[int, str] | None = None) -> Written:
    """Writes the list as it was seen; inside a transaction that holds the tournament since before `plan` was read.

    `seen` is the fingerprint of what the organizer looked at, `choices` say by line who a look-alike is. Names and
    cities go where there is none yet. Raises Invalid.
    """
    if plan.errors:
        raise Invalid(*plan.errors)
    if plan.fingerprint != seen:
        raise Invalid(_("Players or participants have changed since the list was shown: look at it once more."))
    choices = choices or {}
    heads = _resolved(plan, choices)
    chosen = {line: _player_of(choices[line]) for line, head in heads.items() if head.alike and line == head.row.line}
    pool = Player.objects.in_bulk([key for key in chosen.values() if key])
    new = [head for line, head in heads.items() if head.player is None and not chosen.get(head.row.line)]
    made = new_players(head.row.nickname for head in new)
    written = Written()
    for line, head in heads.items():
        player = pool.get(chosen.get(head.row.line, 0)) or head.player or made[head.key]
        written.players[line] = pool.setdefault(player.pk, player)
    _take_part(tournament, plan.lines, written)
    return written


def _resolved(plan: Plan, choices: Mapping[int, str]) -> dict[int, Told]:
    """The line that stands for each line: itself, or another one that it repeats or is said to be. Raises Invalid."""
    by_line = {told.row.line: told for told in plan.lines}
    found: dict[int, Told] = {}
    missing = []
    for told in plan.lines:  # whom it leads to stands further up
        head = found[told.repeats] if told.repeats is not None else told
        if told.alike:
            choice = choices.get(told.row.line, "")
            if choice not in (NEW, *(each.choice for each in told.alike)):
                missing.append(told)
            elif choice.startswith("line-"):
                head = found[by_line[int(choice.removeprefix("line-"))].row.line]
        found[told.row.line] = head
    if missing:
        words = _("Line %(line)d: say whether %(nickname)s is the same player or another one.")
        raise Invalid(*(words % {"line": told.row.line, "nickname": told.row.nickname} for told in missing))
    return found


def _player_of(choice: str) -> int:
    return int(choice.removeprefix("player-")) if choice.startswith("player-") else 0


def _take_part(tournament: Tournament, lines: Iterable[Told], written: Written) -> None:
    """Makes the players participants, and fills in what is told of them and was not known."""
    taking = Participant.objects.filter(tournament=tournament).select_related("player")
    there = {each.player_id: each for each in taking}
    number = max((each.number or 0 for each in there.values()), default=0)
    done, filled = set[int](), dict[int, Player]()
    for told in lines:
        player = written.players[told.row.line]
        if fills(player, name=told.row.name, city=told.row.city):
            filled[player.pk] = player
        found = there.get(player.pk)
        if found is None:
            number += 1
            found = there[player.pk] = Participant(tournament=tournament, player=player, number=number)
            written.added.append(player.nickname)
        elif player.pk not in done and found.takes_part:
            written.there.append(player.nickname)
        elif player.pk not in done:
            found.state = ParticipantState.REGISTERED
            written.back.append(player.nickname)
        done.add(player.pk)
        found.city, found.team = found.city or told.row.city, found.team or told.row.team
    # In few statements: whoever writes holds up every table of a site on SQLite.
    Player.objects.bulk_update(filled.values(), ["name", "city"], batch_size=100)
    rows = [each for key, each in there.items() if key in done]
    before = [each for each in rows if each.pk is not None]
    Participant.objects.bulk_create(each for each in rows if each.pk is None)
    Participant.objects.bulk_update(before, ["state", "city", "team"], batch_size=100)


def fills(player: Player, *, name: str = "", city: str = "") -> bool:
    """Gives the player a name and a city where there is none, and says whether it did; it is not saved yet."""
    was = (player.name, player.city)
    player.name, player.city = player.name or name, player.city or city
    return was != (player.name, player.city)
