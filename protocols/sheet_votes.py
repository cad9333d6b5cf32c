"""The vote blocks of the form: seven on the front, and overleaf what the front has no room for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from .rules.sheet import Sheet, Vote
from .wording import clause_words

BLOCKS = 7  # on the front
CELLS = 11  # candidates in a block
ROWS = 3  # ballots in a block: the vote and two revotes

Tally = tuple[int | None, ...]


@dataclass(frozen=True)
class BlockRow:
    """One row of a block: cells from the left as far as they are filled, or words in their place.

    A label stands before `span` rows; the rows after the first have none, and a span of 0.
    """

    label: str
    cells: tuple[str, ...] = ()
    span: int = 1
    void: bool = False
    words: str = ""


@dataclass(frozen=True)
class Block:
    """One block: its title, what stands at the title's right end, and its four rows."""

    title: str
    note: str
    rows: tuple[BlockRow, ...]

    @property
    def is_blank(self) -> bool:
        """Whether nothing is written in it."""
        return not any(row.cells or row.words for row in self.rows)


def front_blocks(sheet: Sheet) -> tuple[Block, ...]:
    """The blocks «Голосование 1…7»: block n belongs to day n."""
    votes = {vote.day: vote for vote in sheet.votes}
    return tuple(_day(votes.get(day) or Vote(day, (), status="blank")) for day in range(1, BLOCKS + 1))


def more_blocks(sheet: Sheet) -> tuple[Block, ...]:
    """What the front has no room for: an eighth day, a third revote, a vote that a ruling began anew."""
    return tuple(block for vote in sheet.votes for block in _more(vote))


def _more(vote: Vote) -> Iterator[Block]:
    if vote.day > BLOCKS:
        yield _day(vote)
    for start in range(CELLS, len(vote.candidates), CELLS):  # never at a table of ten, but an archive may hold it
        title = _("Vote %(day)d, candidates from %(number)d") % {"day": vote.day, "number": start + 1}
        yield _block(vote, title, "", _candidates(vote), vote.tallies[:ROWS], first_cell=start)
    for start in range(ROWS, len(vote.tallies), ROWS):
        title = _("Vote %(day)d, revotes from %(number)d") % {"day": vote.day, "number": start}
        yield _block(vote, title, "", _candidates(vote), vote.tallies[start : start + ROWS], revotes_only=True)
    for start in range(0, len(vote.void_tallies), ROWS):
        title = _("Vote %(day)d, before the ruling") % {"day": vote.day}
        candidates = tuple(str(seat) for seat in vote.candidates)
        tallies = vote.void_tallies[start : start + ROWS]
        yield _block(vote, title, pgettext("form", "void"), candidates, tallies, revotes_only=start > 0, void=True)


def _day(vote: Vote) -> Block:
    instead = _instead(vote)
    title = _("Vote %(day)d") % {"day": vote.day}
    return _block(vote, title, "" if instead else _note(vote), _candidates(vote), vote.tallies[:ROWS], instead=instead)


def _block(
    vote: Vote,
    title: str,
    note: str,
    candidates: tuple[str, ...],
    tallies: tuple[Tally, ...],
    *,
    instead: str = "",
    first_cell: int = 0,
    revotes_only: bool = False,
    void: bool = False,
) -> Block:
    cells = [_cells(tally, first_cell) for tally in tallies] + [()] * (ROWS - len(tallies))
    struck = void or vote.void
    revote = pgettext("form", "Revote")
    first = revote if revotes_only else pgettext("form", "Votes")
    rows = (
        BlockRow(pgettext("form", "Player"), candidates[first_cell : first_cell + CELLS]),
        BlockRow(first, cells[0], void=struck, words=instead),
        BlockRow(revote, cells[1], span=ROWS - 1, void=struck),
        BlockRow("", cells[2], span=0, void=struck),
    )
    return Block(title, note, rows)


def _candidates(vote: Vote) -> tuple[str, ...]:
    """The candidates in ballot order, those voted out in brackets."""
    return tuple(f"({seat})" if seat in vote.voted_out else str(seat) for seat in vote.candidates)


def _cells(tally: Tally, start: int) -> tuple[str, ...]:
    """The tallies as text; nothing for a candidate who was not on this ballot, and nothing after the last tally."""
    cells = ["" if count is None else str(count) for count in tally[start : start + CELLS]]
    while cells and not cells[-1]:
        cells.pop()
    return tuple(cells)


# ---------------------------------------------------------------- words


def _instead(vote: Vote) -> str:
    """What stands in place of tallies where none were taken."""
    if vote.tallies:
        return ""
    if vote.status == "cancelled":
        return _cancelled(vote)
    return pgettext("form", "1 candidate") if vote.status == "single" else ""


def _cancelled(vote: Vote) -> str:
    if vote.cancelled_seat is None:
        return pgettext("form", "not held (the judge’s ruling)")
    return pgettext("form", "not held (removal of No. %(seat)d)") % {"seat": vote.cancelled_seat}


def _note(vote: Vote) -> str:
    """The right end of a block's title: the raise-all question, or why there was no vote."""
    if vote.status == "cancelled":
        return _cancelled(vote)
    if vote.raise_asked:
        count = "—" if vote.raise_count is None else str(vote.raise_count)
        words = {"count": count, "living": vote.raise_living}
        if vote.raised:
            return pgettext("form", "Raise: %(count)s of %(living)d — all leave") % words
        return pgettext("form", "Raise: %(count)s of %(living)d — nobody leaves") % words
    if vote.voted_out:
        return pgettext("form", "Raise: —")
    if vote.tallies and vote.clause:
        return pgettext("form", "no raise (%(clause)s)") % {"clause": clause_words(vote.clause)}
    return pgettext("form", "Raise: ____ of ____")
