"""The official protocol as a value: screen, PDF, exports and standings are all made from it (RULES §9, A 9, B-P).

A `Sheet` holds no object of the site: `to_data` and `from_data` turn it into plain JSON and back, which is what a
signed sheet stores.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from decimal import Decimal
from typing import Any

from .outcome import outcome
from .points import SeatPoints, best_move_victim, points_of, points_of_thousandths
from .regulation import Edition, Regulation
from .situations import rule_of_tournament_removal
from .state import Ballot, Day, GameState
from .terms import SEATS

RULES_VERSION = "1"


@dataclass(frozen=True)
class Header:
    """What the judge prepares before the game (A 9.2)."""

    tournament: str
    stage: str
    game: int
    table: int
    date: str  # ISO, or empty for a blank
    judge: str


@dataclass(frozen=True)
class Row:
    """One of the ten rows."""

    seat: int
    nickname: str
    role: str = ""  # К, Ч, Ш, Д; empty where unknown or hidden
    fouls: tuple[str, ...] = ()  # one a foul, at most four: its clause, empty where unknown
    disqualified: bool = False  # «!» in the fourth box: a removal not caused by fouls
    left: str = ""  # how: voted, raised, shot, fouls, disqualified; empty at the table
    left_day: int = 0
    left_at_night: bool = False
    points: Decimal | None = None
    extra_points: Decimal | None = None
    removed: bool = False


@dataclass(frozen=True)
class Vote:
    """One vote block: nominees in ballot order, tallies by ballot, and how it ended."""

    day: int
    candidates: tuple[int, ...]
    tallies: tuple[tuple[int | None, ...], ...] = ()  # per ballot, aligned with `candidates`; None: not on it
    void: bool = False  # tallies stay readable, struck through
    void_tallies: tuple[tuple[int | None, ...], ...] = ()  # ballots that a ruling began anew
    status: str = "held"  # held, cancelled, single (one nominee of day 1), none (no nominee), open (not yet)
    cancelled_seat: int | None = None
    clause: str = ""
    voted_out: tuple[int, ...] = ()
    raise_asked: bool = False
    raise_count: int | None = None
    raise_living: int = 0
    raised: bool = False


@dataclass(frozen=True)
class Remark:
    """A line for the back: extra points with the judge's comment, a penalty with its clause, a ruling."""

    kind: str  # extra, penalty, tournament (removed from it), warning, ruling, result
    seat: int | None
    nickname: str
    points: Decimal | None = None
    clause: str = ""
    text: str = ""


@dataclass(frozen=True)
class Sheet:
    """The filled form, both sides."""

    edition: str
    header: Header
    rows: tuple[Row, ...]
    votes: tuple[Vote, ...] = ()
    result: str = ""  # red, black, draw, annulled, replay; empty while the game goes on
    result_reason: str = ""
    result_clause: str = ""
    best_move_seat: int | None = None
    best_move: tuple[int, ...] = ()
    best_move_hits: int | None = None  # an archive that kept only the count
    best_move_dash: bool = False
    protest: str = ""
    remarks: tuple[Remark, ...] = ()
    nights: tuple[tuple[int, int | None], ...] = ()  # (night, seat shot or None for a miss)
    ended_at: str = ""  # ISO
    results_only: bool = False
    rules_version: str = RULES_VERSION
    notes: tuple[str, ...] = field(default=())

    def without_roles(self) -> Sheet:
        """The sheet as it may be seen before the end by whoever must not know the roles."""
        hidden = tuple(replace(row, role="", points=None, extra_points=None) for row in self.rows)
        return replace(
            self, rows=hidden, result="", result_reason="", result_clause="", best_move_hits=None,
            remarks=tuple(r for r in self.remarks if r.kind in ("penalty", "warning")),
        )  # fmt: skip

    def nickname_of(self, seat: int) -> str:
        """The nickname in that row."""
        return self.rows[seat - 1].nickname


def sheet(
    state: GameState, header: Header, nicknames: dict[int, str], *, ended_at: str = "", protest: str = ""
) -> Sheet:
    """The official protocol of a game: `nicknames` by the seat they were written at, before chair corrections."""
    rules = state.regulation
    names = {seat: nicknames.get(state.chairs[seat], "") for seat in SEATS}
    end, points = outcome(state), points_of(state)
    victim = best_move_victim(state)
    night_one = state.nights.get(1)
    move = state.best_move
    # B-P6: a dash after a miss, and where nobody named a best move by the end; before that the cells are empty.
    missed = night_one is not None and night_one.missed and not rules.best_move_after_miss
    dash = move is None and (missed or end is not None)
    return Sheet(
        edition=rules.edition.value,
        header=header,
        rows=tuple(_row(state, seat, names[seat], points[seat] if points else None) for seat in SEATS),
        votes=tuple(_vote(state, day) for _, day in sorted(state.days.items()) if _has_vote_block(state, day)),
        result=end.result.value if end else "",
        result_reason=end.reason if end else "",
        result_clause=end.clause if end else "",
        best_move_seat=victim,
        best_move=move.seats if move else (),
        best_move_hits=move.hits if move and not move.seats else None,
        best_move_dash=dash,
        protest=protest,
        remarks=tuple(_remarks(state, names)),
        nights=tuple((n, night.victim) for n, night in sorted(state.nights.items()) if night.shot and n > 0),
        ended_at=ended_at,
        results_only=state.results_only,
    )


def _row(state: GameState, seat: int, nickname: str, points: SeatPoints | None) -> Row:
    player = state.seats[seat]
    left = player.left or player.removed
    return Row(
        seat=seat,
        nickname=nickname,
        role=player.role.letter if player.role else "",
        fouls=tuple(state.clause_of(foul) for foul in player.fouls),
        disqualified=player.disqualified is not None,
        left=left.how.value if left else "",
        left_day=left.moment.day if left else 0,
        left_at_night=bool(left and left.moment.is_night),
        points=points.points if points else None,
        extra_points=points.extra_points if points else None,
        removed=player.removed is not None,
    )


def _has_vote_block(state: GameState, day: Day) -> bool:
    return bool(day.nominations or day.cancelled or day.decision)


def _vote(state: GameState, day: Day) -> Vote:
    candidates = tuple(target for _, target in day.nominations)
    ballots = day.ballots
    cancelled = day.cancelled
    if cancelled is not None:
        status = "cancelled"
    elif ballots:
        status = "held"
    elif not candidates:
        status = "none"
    elif len(candidates) == 1 and day.number == 1 and state.regulation.single_nominee_day_one and _is_past(state, day):
        status = "single"
    else:
        status = "open"
    decision, asked = day.decision, day.raise_all
    return Vote(
        day=day.number,
        candidates=candidates,
        tallies=tuple(_tallies(ballot, candidates) for ballot in ballots),
        void=any(ballot.void for ballot in ballots),
        void_tallies=tuple(_tallies(ballot, candidates) for ballot in day.void_ballots),
        status=status,
        cancelled_seat=cancelled.seat if cancelled else None,
        clause=cancelled.clause if cancelled else (decision.clause if decision else ""),
        voted_out=decision.leavers if decision else (),
        raise_asked=asked is not None,
        raise_count=asked.count if asked else None,
        raise_living=asked.living if asked else 0,
        raised=bool(asked and asked.raised),
    )


def _is_past(state: GameState, day: Day) -> bool:
    return state.moment.day > day.number or state.moment.is_night


def _tallies(ballot: Ballot, candidates: tuple[int, ...]) -> tuple[int | None, ...]:
    return tuple(ballot.tallies[seat].count if seat in ballot.tallies else None for seat in candidates)


def _remarks(state: GameState, names: dict[int, str]) -> list[Remark]:
    rules: Regulation = state.regulation
    lines = []
    for seat, extra in sorted(state.extra_points.items()):
        if extra.points or extra.text:
            lines.append(Remark("extra", seat, names[seat], points_of_thousandths(extra.points), "", extra.text))
    end = outcome(state)
    for seat in SEATS:
        player = state.seats[seat]
        if player.removed:
            by_foul = rules.removal_of(disqualified=player.disqualified is not None)
            points = by_foul if end and end.result.counts else None
            reason = player.disqualified.text if player.disqualified else ""
            lines.append(Remark("penalty", seat, names[seat], points, player.removed.clause, reason))
        if player.team_defeat:
            points = rules.team_defeat_offender or None
            named = state.clause_of(player.team_defeat)
            clause = f"A {named}" if named else rules.cite("team_defeat")
            lines.append(Remark("penalty", seat, names[seat], points, clause, player.team_defeat.text))
        if player.from_tournament:
            rule = rule_of_tournament_removal(state, player)
            lines.append(Remark("tournament", seat, names[seat], None, rules.cite(rule)))
        for warning in player.warnings:
            points = rules.warning or None if end and end.result.counts else None
            lines.append(
                Remark("warning", seat, names[seat], points, f"A {state.clause_of(warning) or '6.3'}", warning.text)
            )
    for ruling in state.rulings:
        lines.append(Remark("ruling", None, "", None, rules.cite("correction"), ruling.text))
    if end and end.text and end.reason != "ruling":
        lines.append(Remark("result", None, "", None, end.clause, end.text))
    return lines


def blank(edition: Edition, header: Header, nicknames: dict[int, str]) -> Sheet:
    """The same form before the game: header and nicknames filled, the rest for the pen (A 9.2, 9.3)."""
    return Sheet(edition.value, header, tuple(Row(seat, nicknames.get(seat, "")) for seat in SEATS))


def to_data(value: Sheet) -> dict[str, Any]:
    """The sheet as plain JSON; points as strings, so that they stay exact."""
    data: dict[str, Any] = _plain(asdict(value))
    return data


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return format(value.normalize() if value else Decimal(0), "f")
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def from_data(data: dict[str, Any]) -> Sheet:
    """The sheet that `to_data` made."""
    rest = dict(data)
    header = Header(**rest.pop("header"))
    rows = tuple(
        Row(**{**row, "fouls": tuple(row["fouls"]), "points": _decimal(row["points"]),
               "extra_points": _decimal(row["extra_points"])})
        for row in rest.pop("rows")
    )  # fmt: skip
    votes = tuple(
        Vote(**{**vote, "candidates": tuple(vote["candidates"]), "voted_out": tuple(vote["voted_out"]),
                "tallies": tuple(tuple(ballot) for ballot in vote["tallies"]),
                "void_tallies": tuple(tuple(ballot) for ballot in vote.get("void_tallies", ()))})
        for vote in rest.pop("votes")
    )  # fmt: skip
    remarks = tuple(Remark(**{**remark, "points": _decimal(remark["points"])}) for remark in rest.pop("remarks"))
    nights = tuple((night, seat) for night, seat in rest.pop("nights"))
    rest["best_move"] = tuple(rest["best_move"])
    rest["notes"] = tuple(rest["notes"])
    return Sheet(header=header, rows=rows, votes=votes, remarks=remarks, nights=nights, **rest)


def _decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)
