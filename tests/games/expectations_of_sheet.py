"""What a case expects of the points and of the official protocol; importing this module teaches `check` to read it."""

from __future__ import annotations

from decimal import Decimal

from protocols.rules.points import SeatPoints, best_move_hits, points_of
from protocols.rules.sheet import Row, Sheet, Vote, from_data, sheet, to_data
from protocols.rules.state import GameState
from protocols.rules.terms import SEATS

from .expectations import CLAUSE, Differs, expects, plain, same
from .table import HEADER, NICKNAMES, Table


@expects(r"(points|penalty|best move|extra|total) ([\w−=.,\- ]+)")
def _points(table: Table, column: str, text: str) -> None:
    table_of_points = points_of(table.state)
    if text in ("unknown", "nobody"):
        same(table_of_points, None, "the points")
        return
    if table_of_points is None:
        raise Differs("there are no points yet")
    for seat, expected in _by_seat(table.state, text).items():
        same(_cell(table_of_points[seat], column), expected, f"{column} of {seat}")


def _cell(points: SeatPoints, column: str) -> Decimal:
    match column:
        case "points":
            return points.points
        case "extra":
            return points.extra_points
        case "total":
            return points.total
        case "best move":
            return points.best_move
    return points.penalty


def _by_seat(state: GameState, text: str) -> dict[int, Decimal]:
    """«red=3, black=0, 4=2»: a team stands for its seats, what follows goes above it."""
    amounts: dict[int, Decimal] = {}
    for part in text.split(", "):
        who, _, amount = part.partition("=")
        value = Decimal(amount.replace("−", "-").replace(",", "."))
        if who in ("red", "black"):
            amounts |= {seat: value for seat in SEATS if state.team_of(seat) == who}
        elif who == "all":
            amounts |= dict.fromkeys(SEATS, value)
        else:
            amounts[int(who)] = value
    return amounts


@expects(r"hits (\d|unknown|none)")
def _hits(table: Table, hits: str) -> None:
    same(best_move_hits(table.state), None if hits in ("unknown", "none") else int(hits), "the hits")


def sheet_of(table: Table) -> Sheet:
    """The protocol as it stands; it comes back whole from plain data."""
    ended_at = table.ended_at.isoformat() if table.ended_at else ""
    made = sheet(table.state, HEADER, NICKNAMES, ended_at=ended_at)
    same(from_data(to_data(made)), made, "the sheet read back")
    return made


@expects(r"sheet result (\w+|empty)")
def _sheet_result(table: Table, result: str) -> None:
    same(sheet_of(table).result or "empty", result, "the result")


@expects(r"sheet best move (?:of (\d+|nobody) )?is (empty|dash|(?:\d+ ?)+)")
def _sheet_best_move(table: Table, seat: str | None, cells: str) -> None:
    made = sheet_of(table)
    if seat:
        same(made.best_move_seat, None if seat == "nobody" else int(seat), "whose best move")
    shown = "dash" if made.best_move_dash else " ".join(str(seat) for seat in made.best_move) or "empty"
    same(shown, cells.strip(), "the best move")


@expects(r"sheet row (\d+) is (.+)")
def _sheet_row(table: Table, seat: str, words: str) -> None:
    same(row_words(sheet_of(table).rows[int(seat) - 1]), words, f"row {seat}")


def row_words(row: Row) -> str:
    """One row as a case writes it: «* 3 Вихрь К ••• ! 3 + 0.5»."""
    parts = ["*"] if row.left else []
    parts += [str(row.seat), row.nickname]
    parts += [row.role] if row.role else []
    parts += ["•" * len(row.fouls)] if row.fouls else []
    parts += ["!"] if row.disqualified else []
    if row.points is not None and row.extra_points is not None:
        parts += [f"{plain(row.points)} + {plain(row.extra_points)}"]
    return " ".join(parts)


@expects(r"sheet vote (\d+) is (.+)")
def _sheet_vote(table: Table, number: str, words: str) -> None:
    votes = {vote.day: vote for vote in sheet_of(table).votes}
    found = votes.get(int(number))
    same(vote_words(found) if found else "none", words, f"vote {number}")


def vote_words(vote: Vote) -> str:
    """One vote as a case writes it: «5=4/5 9=5/5, raise 5 of 10», «5 9, not held for 3»."""
    columns = []
    for index, seat in enumerate(vote.candidates):
        counts = [str(tally[index]) for tally in (*vote.void_tallies, *vote.tallies) if tally[index] is not None]
        columns.append(f"({seat})" if seat in vote.voted_out else str(seat))
        columns[-1] += "=" + "/".join(counts) if counts else ""
    parts = [" ".join(columns)] if columns else []
    if vote.raise_asked:
        count = "?" if vote.raise_count is None else vote.raise_count
        parts.append(f"raise {count} of {vote.raise_living} {'yes' if vote.raised else 'no'}")
    if vote.status == "cancelled":
        parts.append(f"not held for {vote.cancelled_seat}" if vote.cancelled_seat else "not held by ruling")
    elif vote.status in ("single", "none"):
        parts.append(vote.status)
    if vote.void or vote.void_tallies:
        parts.append("void" if vote.void else "void before the ruling")
    return ", ".join(parts)


@expects(
    r"sheet remark (extra|penalty|warning|ruling|result|tournament)(?: (\d+))?(?: (-?[\d.]+))?"
    + CLAUSE
    + r'(?: "([^"]*)")?'
)
def _sheet_remark(
    table: Table, kind: str, seat: str | None, points: str | None, clause: str | None, text: str | None
) -> None:
    remarks = [r for r in sheet_of(table).remarks if r.kind == kind and (not seat or r.seat == int(seat))]
    if not remarks:
        raise Differs(f"the remarks are {sheet_of(table).remarks}")
    remark = remarks[-1]
    if points:
        same(remark.points, Decimal(points), "the points")
    if clause:
        same(remark.clause, clause, "the clause")
    if text is not None:
        same(remark.text, text, "the text")


@expects(r"without roles the sheet shows (?:no roles, no points and no result)")
def _hidden(table: Table) -> None:
    shown = sheet_of(table).without_roles()
    same({row.role for row in shown.rows}, {""}, "the roles")
    same({(row.points, row.extra_points) for row in shown.rows}, {(None, None)}, "the points")
    same(
        (shown.result, shown.result_reason, shown.result_clause, shown.best_move_hits), ("", "", "", None), "the result"
    )
