"""A draft as its page shows it: the game as the file tells it, with each contradiction marked where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from django.utils.translation import gettext as _

from .exchange.mafiaratings import NIGHT_TIMES, Death, GameLog, Player
from .exchange.reading import Breach, Unreadable
from .models import Draft
from .rules.state import Exit
from .rules.terms import Moment
from .services.drafts import breaches_of, log_of, names_in
from .wording import ballot_words, result_words
from .wording.files import breach_words, death_words, when_words

BY_NIGHT = ("shot", "don", "sheriff", "best")
Place = tuple[str, int]  # «seat», «day» or «night» and its number


@dataclass(frozen=True)
class Line:
    """A contradiction with its number on the page."""

    number: int
    words: str


@dataclass(frozen=True)
class Row:
    """A seat as the file has it; `marks` are numbers of contradictions."""

    seat: int
    nickname: str
    role: str
    exit: str
    fouls: str
    best_move: str
    marks: tuple[int, ...]


@dataclass(frozen=True)
class Part:
    """A day or a night as the file has it: what happened, a label and its words each."""

    title: str
    facts: tuple[tuple[str, str], ...]
    marks: tuple[int, ...]


@dataclass(frozen=True)
class DraftView:
    """The whole page; rows and parts are empty where a later reader can't read the file any more."""

    lines: tuple[Line, ...]
    elsewhere: tuple[int, ...]  # contradictions that belong to no row, day or night
    rows: tuple[Row, ...] = ()
    parts: tuple[Part, ...] = ()
    winner: str = ""


def view_of(draft: Draft) -> DraftView:
    """What the draft's page shows."""
    breaches = breaches_of(draft)
    try:
        log = log_of(draft)
    except Unreadable:  # by a reader that has changed since
        log = None
    names = names_in(log) if log else {}
    lines = tuple(Line(number, breach_words(breach, names)) for number, breach in enumerate(breaches, 1))
    marks: dict[Place, list[int]] = {}
    elsewhere = []
    for number, breach in enumerate(breaches, 1):
        places = places_of(breach)
        for place in places:
            marks.setdefault(place, []).append(number)
        if not places:
            elsewhere.append(number)
    if log is None:
        return DraftView(lines, tuple(line.number for line in lines))
    rows = tuple(_row(player, tuple(marks.get(("seat", player.seat), ()))) for player in log.players)
    return DraftView(lines, tuple(elsewhere), rows, tuple(_parts(log, marks)), result_words(log.winner))


def breach_lines(draft: Draft) -> list[str]:
    """The contradictions, one a line."""
    return [line.words for line in view_of(draft).lines]


def places_of(breach: Breach) -> list[Place]:
    """Where on the page the contradiction is marked."""
    given = breach.params
    found: list[Place] = [(kind, cast(int, given[kind])) for kind in ("day", "night", "seat") if given.get(kind)]
    inner = getattr(given.get("refusal"), "params", {})
    if inner.get("seat"):
        found.append(("seat", cast(int, inner["seat"])))
    if breach.code != "no_votes":
        found += [("seat", seat) for seat in cast(tuple[int, ...], given.get("seats", ()))]
    moment = cast(Moment | None, given.get("moment"))
    if moment is not None and 0 < moment.day < 99:
        found.append(("night" if moment.is_night else "day", moment.day))
    if breach.code == "best_move_not_victim":
        found.append(("night", 1))
    if breach.code == "beyond_play":
        by_night = given["kind"] in BY_NIGHT
        found.append(("night" if by_night else "day", cast(int, given["round"]) + (not by_night)))
    death, left = cast(Death | None, given.get("death")), cast(Exit | None, given.get("left"))
    if death is not None and breach.code in ("exits_differ", "voted_and_there", "shot_and_there"):
        found.append(("night", death.round) if death.type == "night" else ("day", death.round + 1))
    if left is not None:
        found.append(("night" if left.moment.is_night else "day", left.moment.day))
    return list(dict.fromkeys(place for place in found if place[1] > 0))


def _row(player: Player, marks: tuple[int, ...]) -> Row:
    fouls = [when_words(time.round, by_night=time.name in NIGHT_TIMES) for time in player.fouls if time.name]
    count = str(len(player.fouls)) if player.fouls else ""
    return Row(
        seat=player.seat,
        nickname=player.nickname,
        role=player.role.letter,
        exit=death_words(player.death) if player.death else "",
        fouls=f"{count}: {', '.join(fouls)}" if fouls else count,
        best_move=", ".join(str(seat) for seat in player.best_move or ()),
        marks=marks,
    )


# ---------------------------------------------------------------- days and nights


def _parts(log: GameLog, marks: Mapping[Place, list[int]]) -> Iterator[Part]:
    for round_ in range(log.last_round + 1):
        if round_:
            title = _("Night %(day)s") % {"day": round_}
            yield Part(title, tuple(_night(log, round_)), tuple(marks.get(("night", round_), ())))
        title = _("Day %(day)s") % {"day": round_ + 1}
        yield Part(title, tuple(_day(log, round_)), tuple(marks.get(("day", round_ + 1), ())))


def _night(log: GameLog, night: int) -> Iterator[tuple[str, str]]:
    shots = [f"{player.seat}→{target}" for player in log.players if (target := player.shot(night)) is not None]
    if shots:
        yield _("Shots"), ", ".join(shots)
    for label, seats in (
        (_("the don’s check"), [player.seat for player in log.players if player.don == night]),
        (_("the sheriff’s check"), [player.seat for player in log.players if player.sheriff == night]),
    ):
        if seats:
            yield label[:1].upper() + label[1:], _numbers(seats)
    yield from _left(log, "night", night)


def _day(log: GameLog, round_: int) -> Iterator[tuple[str, str]]:
    nominated = [f"{player.seat}→{target}" for player in log.players if (target := player.nominee(round_)) is not None]
    if nominated:
        yield _("Nominations"), ", ".join(nominated)
    for ballot in range(max((len(player.votes(round_)) for player in log.players), default=0)):
        voters: dict[int, list[int]] = {}
        for player in log.players:
            target = player.vote(round_, ballot)
            if target is not None:
                voters.setdefault(target, []).append(player.seat)
        tallies = [f"№{seat} — {len(by)} ({_numbers(by)})" for seat, by in sorted(voters.items())]
        label = ballot_words(ballot)
        yield label[:1].upper() + label[1:], "; ".join(tallies) or "—"
    answers = [player.seat for player in log.players if player.raises(round_)]
    if any(player.raises(round_) is not None for player in log.players):
        yield _("For raising all"), _numbers(answers)
    yield from _left(log, "day", round_)


def _left(log: GameLog, part: str, round_: int) -> Iterator[tuple[str, str]]:
    """Who left then, as the file has it: by night the one shot, by day everybody else."""
    deaths = [(player.seat, player.death) for player in log.players if player.death and player.death.round == round_]
    seats = [seat for seat, death in deaths if (death.type == "night") == (part == "night")]
    if seats:
        yield _("Left the table"), ", ".join(f"№{seat}" for seat in seats)


def _numbers(seats: list[int]) -> str:
    return ", ".join(str(seat) for seat in seats) or "—"
