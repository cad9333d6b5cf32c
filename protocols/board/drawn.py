"""The board as HTML: which template draws which value of it, and how what they draw lies in each other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from html import escape

from django.utils.safestring import SafeString

from .course import course_of, known_of, mark_of
from .drawing import KEPT, Pen, draw, hidden
from .face import Face, Offer, SeatSheet
from .log import Line
from .night import Shown
from .posts import Key, Pad
from .rows import Reason, Row
from .timing import Timer


@dataclass(frozen=True, slots=True)
class Frame:
    """What is outside of everything on the board."""

    title: str
    is_night: bool
    shows_log: bool


@dataclass(frozen=True, slots=True)
class RowFrame:
    """A row without its words and numbers."""

    css: str
    dots: tuple[bool, ...]
    out: bool
    fourth: bool
    may_withdraw: bool
    takes_fouls: bool
    speaking: bool
    role: bool
    black: bool
    left: bool
    silent: bool
    nominates: bool
    ballot: bool


@dataclass(frozen=True, slots=True)
class PanelFrame:
    """What decides how the things of a panel lie in it."""

    says: tuple[str, ...]
    shown: Shown | None
    has_words: bool
    has_timer: bool
    is_closed: bool


@dataclass(frozen=True, slots=True)
class WordsFrame:
    """What is asked without its words: the ways to answer it otherwise."""

    voters_link: str
    shooters_link: str
    voters: bool
    counts_down: bool


@dataclass(frozen=True, slots=True)
class PadFrame:
    """A pad without its keys."""

    look: str
    title: str
    many: int


@dataclass(frozen=True, slots=True)
class TimerFrame:
    """A time without its numbers."""

    seconds: int
    stands_still: bool


@dataclass(frozen=True, slots=True)
class SeatFrame:
    """The sheet of a seat without its words and what its forms write."""

    is_open: bool
    off: frozenset[str]
    fourth: bool
    may_withdraw: bool
    open_foul: bool
    roles_known: bool
    heads: bool
    fouls: tuple[Reason, ...]
    removals: tuple[Reason, ...]
    defeats: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class KeyFrame:
    """A key without what is on it."""

    lit: bool
    mark: str
    many: bool


@dataclass(frozen=True, slots=True)
class LineFrame:
    """A line of the log without the words that every line has."""

    struck: bool
    is_strike: bool
    notices: tuple[str, ...]
    struck_by: str
    fallen: str
    when: str
    late: bool


@dataclass(frozen=True, slots=True)
class LogFrame:
    """The log without its lines."""

    more: int
    is_empty: bool


def drawn(face: Face, token: str) -> SafeString:
    """The whole board. `token` is for the forms of a question, which bring their own number and revision."""
    pen, record, ask, writes = Pen(face.urls, face.writes), face.record, face.ask, face.writes
    return SafeString(
        pen.frame(
            "_board",
            Frame(face.title, face.is_night, ask.open == "log" or ask.whole_log),
            revision=str(record.revision),
            mark=mark_of(record.game),
            course=escape(course_of(record.state, roles=face.roles)) if writes else "",
            known=known_of(record) if writes else "",
            head=pen.frame("_board_head", face.roles, title=escape(face.title), where=escape(face.where)),
            rule=pen.part("_board_rule", face.rule),
            rows="".join([_row(row, pen) for row in face.rows]),
            panel=_panel(face, pen),
            log=_log(face, pen),
            drawers=_drawers(face, pen, token) if writes else "",
        )
    )


def said(face: Face) -> str:
    """What is read aloud after a tap, for the place that the page keeps for it."""
    words = f"{face.rule.words} {face.panel.prompt}" if face.panel.prompt else face.rule.words
    return f'<div id="said" hx-swap-oob="innerHTML">{escape(words)}</div>\n'


@lru_cache(KEPT)
def _row(row: Row, pen: Pen) -> str:
    frame = RowFrame(
        css=row.css,
        dots=row.dots,
        out=row.out,
        fourth=row.fourth,
        may_withdraw=row.may_withdraw,
        takes_fouls="foul" not in row.off,
        speaking=row.speaking,
        role=bool(row.role),
        black=row.black,
        left=bool(row.left),
        silent=bool(row.silent),
        nominates=bool(row.nominates),
        ballot=bool(row.ballot),
    )
    return pen.frame(
        "_board_row",
        frame,
        seat=str(row.seat),
        nickname=escape(row.nickname),
        label=escape(row.label),
        role=row.role,
        summary=escape(row.summary),
        state=escape(row.state_words),
        off=row.off_words,
        open_foul=str(row.open_foul),
        open_number=str(row.open_foul_number),
        left=escape(row.left),
        left_short=escape(row.left_short),
        silent=escape(row.silent),
        nominates=str(row.nominates),
        ballot=str(row.ballot),
    )


def _panel(face: Face, pen: Pen) -> str:
    panel, undo, redo, writes = face.panel, face.undo, face.redo, face.writes
    has_words = bool(panel.prompt or panel.hint or panel.shooters_link)
    return pen.frame(
        "_board_panel",
        PanelFrame(panel.says, panel.shown, has_words, panel.timer is not None, face.is_closed),
        words=_words(face, pen),
        timer=_timer(panel.timer, pen) if panel.timer else "",
        offer=_offer(face.offer, pen) if face.offer else "",
        cells=pen.part("_board_cells", panel.cells) if panel.cells else "",
        pad=_pad(panel.pad, pen) if panel.pad and writes else "",
        undo=pen.frame("_board_undo", undo.words, hidden=hidden(undo.post)) if undo else "",
        redo=pen.frame("_board_redo", redo.words, hidden=hidden(redo.post)) if redo else "",
        others=pen.part("_board_others", panel.others) if panel.others and writes else "",
        main=pen.part("_board_main", panel.main) if writes else "",
    )


def _words(face: Face, pen: Pen) -> str:
    panel = face.panel
    frame = WordsFrame(panel.voters_link, panel.shooters_link, face.ask.voters, bool(panel.until))
    return pen.frame(
        "_board_words", frame, prompt=escape(panel.prompt), hint=escape(panel.hint), until=str(panel.until)
    )


def _offer(offer: Offer, pen: Pen) -> str:
    return pen.frame("_board_offer", offer.reasons, label=escape(offer.label), hidden=hidden(offer.post))


def _timer(timer: Timer, pen: Pen) -> str:
    return pen.frame(
        "_timer",
        TimerFrame(timer.seconds, timer.left is not None),
        entry=timer.entry,
        tap=timer.tap,
        deadline="" if timer.deadline is None else str(timer.deadline),
        left="" if timer.left is None else str(timer.left),
        changed=str(timer.changed),
        now=str(timer.now),
        words=timer.words,
    )


def _pad(pad: Pad, pen: Pen) -> str:
    keys = "".join([_key(key, pad.name, bool(pad.many), pen) for key in pad.keys])
    return pen.frame("_board_pad", PadFrame(pad.look, pad.title, pad.many), hidden=hidden(pad.post), keys=keys)


@lru_cache(KEPT)
def _key(key: Key, name: str, many: bool, pen: Pen) -> str:
    frame, title = KeyFrame(key.lit, key.mark, many), escape(key.title)
    return pen.frame("_board_key", frame, name=name, value=str(key.value), title=title, label=escape(key.label))


def _log(face: Face, pen: Pen) -> str:
    log = face.log
    votes = "".join([pen.part("_board_votes", block) for block in face.votes])
    lines = "".join([_line(line, pen) for line in log.lines])
    return pen.frame("_log", LogFrame(log.more, not log.lines), votes=votes, lines=lines)


@lru_cache(KEPT)
def _line(line: Line, pen: Pen) -> str:
    frame = LineFrame(line.struck, line.is_strike, line.notices, line.struck_by, line.fallen, line.when, line.late)
    return pen.frame(
        "_log_line",
        frame,
        revision=str(line.revision),
        words=escape(line.words),
        time=line.time,
        author=escape(line.author),
    )


@lru_cache(KEPT)
def _seat(sheet: SeatSheet, pen: Pen) -> str:
    row, posts = sheet.row, sheet.posts
    frame = SeatFrame(
        is_open=sheet.is_open,
        off=row.off,
        fourth=row.fourth,
        may_withdraw=row.may_withdraw,
        open_foul=bool(row.open_foul),
        roles_known=sheet.roles_known,
        heads=sheet.heads,
        fouls=sheet.fouls,
        removals=sheet.removals,
        defeats=sheet.defeats,
    )
    return pen.frame(
        "_board_seat",
        frame,
        label=escape(row.label),
        state=escape(row.state_words),
        open_number=str(row.open_foul_number),
        post_foul=hidden(posts.foul),
        post_warning=hidden(posts.warning),
        post_withdrawal=hidden(posts.withdrawal),
        post_reason=hidden(posts.reason),
        post_removal=hidden(posts.removal),
        post_defeat=hidden(posts.defeat),
    )


def _drawers(face: Face, pen: Pen, token: str) -> str:
    drawers = [_seat(face.sheet, pen) if face.sheet else "", pen.part("_board_menu", face.menu)]
    if face.opened:
        drawers.append(draw("_board_opened", {"opened": face.opened, "urls": face.urls}))
    if face.question:
        question = {"question": face.question, "urls": face.urls, "csrf_token": token}
        drawers.append(draw("_board_question", question))
    return "\n".join(drawers)
