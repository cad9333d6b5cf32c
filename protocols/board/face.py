"""The whole board as one value: everything that `drawn` shows."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from django.contrib.auth.models import User
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from ..rules import entries as e
from ..rules.agenda import next_steps
from ..rules.outcome import is_over, open_contradictions
from ..rules.refusal import Refusal
from ..rules.situations import cancellation_of
from ..rules.state import GameState
from ..rules.terms import Moment, Penalty, Phase
from ..selectors import Record
from ..wording import (
    contradiction_words,
    entry_words,
    moment_words,
    notice_words,
    refusal_words,
    seat_words,
)
from .drawers import Opened
from .drawing import Addresses, addresses_of
from .log import Log, Undo, authors_of, log_of, redo_of, undo_of
from .opened import opened_of
from .panel import Panel, panel_of
from .posts import Ask, Post
from .rows import Reason, Row, reasons_of, rows_of
from .timing import clock_words
from .votes import VoteBlock, votes_of


@dataclass(frozen=True, slots=True)
class Rule:
    """What the rules say now, in the place kept for it. Tones: plain, notice, refused, stale, due."""

    words: str = ""
    tone: str = "plain"
    href: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that is asked before it is written, or offered again after it was not."""

    title: str
    lines: tuple[str, ...]
    fields: tuple[tuple[str, object], ...]
    button: str
    danger: bool = False
    drops: bool = False  # «discard» forgets it for good


@dataclass(frozen=True, slots=True)
class Offer:
    """The reasons offered for a foul just written."""

    label: str
    post: Post
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class SeatPosts:
    """What the forms of a seat's sheet write."""

    foul: Post
    warning: Post
    withdrawal: Post
    reason: Post
    removal: Post
    defeat: Post


@dataclass(frozen=True, slots=True)
class SeatSheet:
    """What can be given to a seat: filled for the row asked for, a mould for the script otherwise."""

    row: Row
    is_open: bool
    posts: SeatPosts
    fouls: tuple[Reason, ...]
    removals: tuple[Reason, ...]
    defeats: tuple[Reason, ...]
    roles_known: bool
    heads: bool  # the head judge may remove from the tournament (A 6.3)


@dataclass(frozen=True, slots=True)
class MenuItem:
    """A line of the menu."""

    label: str
    href: str
    opens: str = ""  # fetched into the board; otherwise a page of its own
    danger: bool = False


@dataclass(frozen=True, slots=True)
class Menu:
    """The lines of the menu, under the board's title."""

    title: str
    items: tuple[MenuItem, ...]
    is_open: bool


@dataclass(frozen=True, slots=True)
class Face:
    """Everything on the board."""

    record: Record
    names: dict[int, str]
    title: str
    where: str
    saved: str
    urls: Addresses
    is_night: bool
    is_closed: bool
    writes: bool
    roles: bool
    rule: Rule
    rows: list[Row]
    panel: Panel
    undo: Undo | None
    redo: Undo | None
    log: Log
    votes: tuple[VoteBlock, ...]
    sheet: SeatSheet | None
    offer: Offer | None
    opened: Opened | None
    question: Question | None
    menu: Menu | None
    ask: Ask
    errors: tuple[str, ...] = field(default=())

    @property
    def revision(self) -> int:
        """The revision that the next entry must name."""
        return self.record.revision


def face_of(
    record: Record,
    viewer: User,
    ask: Ask,
    *,
    writes: bool,
    roles: bool,
    heads: bool = False,
    rule: Rule | None = None,
    question: Question | None = None,
    errors: tuple[str, ...] = (),
) -> Face:
    """The board as this person may see it.

    `writes`: whether it has controls; `roles`: whether roles are in it; `heads`: whether for the head judge.
    """
    game, state, names = record.game, record.state, record.names
    writes = writes and not game.is_closed
    urls = addresses_of(game.uuid)
    title = _("Table %(table)s · Game %(game)s") % {"table": game.table_number, "game": game.number}
    rows = rows_of(state, names, roles=roles and state.roles_known, writes=writes)
    undo, redo = (undo_of(record), redo_of(record)) if writes else (None, None)
    authors = authors_of(record, viewer, _judge_at_hand(record))
    return Face(
        record=record,
        names=names,
        title=title,
        where=_where(state),
        saved=clock_words(record),
        urls=urls,
        is_night=_is_night(state) and not game.is_closed,
        is_closed=game.is_closed,
        writes=writes,
        roles=roles and state.roles_known,
        rule=rule or rule_of(record, names, urls.board),
        rows=rows,
        panel=panel_of(record, names, ask, urls, roles=roles),
        undo=undo,
        redo=redo,
        log=log_of(record, names, authors, whole=ask.whole_log),
        votes=votes_of(state, names),
        sheet=_sheet(state, rows, ask, heads=heads) if writes else None,
        offer=_offer(record, names, ask) if writes else None,
        opened=opened_of(record, names, ask, roles=roles) if writes and ask.open else None,
        question=question,
        menu=Menu(title, _menu(state, urls), ask.open == "menu") if writes else None,
        ask=ask,
        errors=errors,
    )


def _judge_at_hand(record: Record) -> User | None:
    """The judge, where the game was fetched with them; asking for them otherwise costs a query."""
    game = record.game
    return game.judge if "judge" in game._state.fields_cache else None


def _where(state: GameState) -> str:
    """Where the table is, short enough for the head of a phone."""
    awaited = _awaited(state)
    if is_over(state):
        return _("Over")
    if awaited.phase == Phase.PRE_REVOTE:
        return _("Day %(day)s · the tied speak") % {"day": awaited.day}
    return moment_words(awaited)


def _awaited(state: GameState) -> Moment:
    """Where the table is: at night the step that is waited for, not the one just written."""
    if not state.moment.is_night or not state.moment.day:
        return state.moment
    awaited = next_steps(state)[0].moment
    return awaited if awaited.is_night else state.moment


def _is_night(state: GameState) -> bool:
    return state.moment.phase != Phase.SETUP and state.moment.is_night and not is_over(state)


# ---------------------------------------------------------------- what the rules say


def rule_of(record: Record, names: dict[int, str], board: str) -> Rule:
    """What needs a ruling; or what no longer stands; or what the last entry brought about; or what holds today."""
    state = record.state
    due = open_contradictions(state)
    if due:
        return Rule(contradiction_words(due[0], names), "due", f"{board}?open=ruling")
    if state.set_aside:
        entry, reason = state.set_aside[0]
        words = ngettext(
            "%(n)d entry no longer stands: %(entry)s — %(why)s",
            "%(n)d entries no longer stand, the first: %(entry)s — %(why)s",
            len(state.set_aside),
        ) % {"n": len(state.set_aside), "entry": entry_words(entry, names), "why": refusal_words(reason, names)}
        return Rule(words, "due", f"{board}?open=fallen")
    struck = record.struck
    last = next((v.revision for v in reversed(record.values) if v.revision not in struck), 0)
    new = [notice for notice in state.notices if notice.revision == last and last == state.revision]
    if new:
        return Rule(". ".join(notice_words(notice, names) for notice in new[-2:]), "notice")
    if is_over(state):
        return Rule()
    number = state.moment.day + 1 if state.moment.is_night else state.moment.day
    why = cancellation_of(state, number) if number else None
    if why is not None:
        refusal = Refusal("vote_cancelled", why.clause, {"day": number, "seat": why.seat})
        return Rule(refusal_words(refusal, names), "notice")
    return Rule()


# ---------------------------------------------------------------- the sheet of a seat


def _sheet(state: GameState, rows: list[Row], ask: Ask, *, heads: bool) -> SeatSheet:
    row = rows[(ask.seat or 1) - 1]
    return SeatSheet(
        row=row,
        is_open=bool(ask.seat),
        posts=_seat_posts(row),
        fouls=reasons_of(state, Penalty.FOUL),
        removals=reasons_of(state, Penalty.DISQUALIFYING),
        defeats=reasons_of(state, Penalty.TEAM_DEFEAT)[:3],  # a hint from the hall names no seat
        roles_known=state.roles_known,
        heads=heads,
    )


def _seat_posts(row: Row) -> SeatPosts:
    def now(kind: str, **fields: object) -> Post:
        return Post(kind, fields={"seat": row.seat, **fields}, is_now=True)

    return SeatPosts(
        foul=now("foul", penalty=Penalty.FOUL.value),
        warning=now("foul", penalty=Penalty.WARNING.value),
        withdrawal=now("withdrawal"),
        reason=Post("foul_clause", None, {"of": row.open_foul}),
        removal=now("foul", penalty=Penalty.DISQUALIFYING.value, ask=1),
        defeat=now("foul", penalty=Penalty.TEAM_DEFEAT.value, ask=1),
    )


def _offer(record: Record, names: dict[int, str], ask: Ask) -> Offer | None:
    """Reasons for the foul just written, as long as it stands without one."""
    foul = next((v for v in record.values if v.revision == ask.reason), None)
    if not isinstance(foul, e.Foul) or foul.seat is None or foul.penalty != Penalty.FOUL:
        return None
    given = record.state.seats[foul.seat].fouls
    standing = next((n for n, mark in enumerate(given, start=1) if mark.revision == foul.revision), 0)
    if not standing or record.state.clause_of(foul):
        return None
    label = _("Foul %(n)s: %(seat)s. For what?") % {"n": standing, "seat": seat_words(foul.seat, names)}
    post = Post("foul_clause", None, {"of": foul.revision})
    return Offer(label, post, reasons_of(record.state, Penalty.FOUL))


# ---------------------------------------------------------------- the menu


def _menu(state: GameState, urls: Addresses) -> tuple[MenuItem, ...]:
    return _menu_of(
        urls, get_language(), roles_known=state.roles_known, is_declared=state.declared is not None,
        is_setup=state.moment.phase == Phase.SETUP, is_over=is_over(state),
    )  # fmt: skip


@lru_cache(256)
def _menu_of(
    urls: Addresses, language: str | None, *, roles_known: bool, is_declared: bool, is_setup: bool, is_over: bool
) -> tuple[MenuItem, ...]:
    def opens(label: str, name: str, *, danger: bool = False) -> MenuItem:
        return MenuItem(label, f"{urls.board}?open={name}", name, danger)

    items = [opens(_("Correct the roles") if roles_known else _("Write the roles"), "roles")]
    items.append(opens(_("Two sat in each other’s chairs"), "chairs"))
    items.append(opens(_("Judge’s ruling"), "ruling"))
    if not roles_known and not is_declared:
        items.append(opens(_("The game is over"), "over"))
    items.append(MenuItem(_("Points and signature"), urls.finish))
    items.append(MenuItem(_("The protocol so far"), urls.game))
    items.append(MenuItem(_("Header and players"), urls.prepare))
    items.append(MenuItem(_("Hand over to another judge"), urls.hand_over))
    if is_setup:
        items.append(MenuItem(_("Type in from paper"), urls.paper))
    if not is_over:
        items.append(opens(_("A hint from the hall (6.8.4)"), "hall", danger=True))
    if not is_declared:
        items.append(opens(_("The game is broken off"), "broken", danger=True))
    return tuple(items)
