"""The ten rows: who is in what state, and what may be given to them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import compress

from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from ..rules import entries as e
from ..rules.articles import ARTICLES
from ..rules.outcome import is_over
from ..rules.refusals import refuse, refuse_each
from ..rules.situations import current_speaker
from ..rules.state import Day, Exit, GameState, SeatState
from ..rules.terms import SEATS, HowLeft, Moment, Penalty, Phase, Team
from ..wording import clause_words, how_left_words, seat_words

NOBODY = 0
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Row:
    """One player as the row and the sheet of the seat show them."""

    seat: int
    nickname: str
    label: str
    role: str = ""  # the letter, only for whoever may know it
    dots: tuple[bool, ...] = (False,) * 4
    fouls: int = 0
    out: bool = False  # «!»: removed otherwise than by fouls
    left: str = ""  # how and when, in full
    left_short: str = ""
    silent: str = ""
    nominates: int = 0
    ballot: int = 0  # the place on the ballot, from 1
    speaking: bool = False
    off: frozenset[str] = frozenset()  # what can't be given now
    open_foul: int = 0  # revision of the last foul without a clause
    open_foul_number: int = 0
    fourth: bool = False  # the next foul removes
    may_withdraw: bool = False
    black: bool = False

    @property
    def css(self) -> str:
        """The modifiers of the row's class."""
        marks = ("speaking", self.speaking), ("left", bool(self.left)), ("silent", bool(self.silent))
        return "".join(f" seat--{name}" for name, on in marks if on)

    @property
    def summary(self) -> str:
        """The row read aloud."""
        parts = [self.label, ngettext("%(n)s foul", "%(n)s fouls", self.fouls) % {"n": self.fouls}]
        if self.out:
            parts.append(_("disqualifying foul"))
        parts += [self.left] if self.left else []
        parts += [self.silent] if self.silent else []
        if self.nominates:
            parts.append(_("nominates %(seat)s") % {"seat": self.nominates})
        if self.ballot:
            parts.append(_("number %(place)s on the ballot") % {"place": self.ballot})
        if self.speaking:
            parts.append(_("has the word"))
        return ", ".join(parts)

    @property
    def state_words(self) -> str:
        """What the seat's sheet says under the name."""
        parts = [ngettext("%(n)s foul", "%(n)s fouls", self.fouls) % {"n": self.fouls}]
        parts += [words for words in (self.left, self.silent) if words]
        return " · ".join(parts)

    @property
    def off_words(self) -> str:
        """For the script: what can't be given now."""
        return " ".join(sorted(self.off))


def rows_of(state: GameState, names: dict[int, str], *, roles: bool, writes: bool) -> list[Row]:
    """The ten rows in seat order."""
    day = state.day if not state.moment.is_night else None
    nominations = day.nominations if day else []
    by = {giver: target for giver, target in nominations if giver}
    ballot = {target: place for place, (_giver, target) in enumerate(nominations, start=1)}
    language = get_language()
    table = _Table(
        speaker=_speaker(state),
        silent=_silent(state),
        off=_off(state) if writes else {},
        withdraws=_withdraws(state) if writes else NOBODY,
        labels=_labels(tuple(names.items()), language),
        language=language,
    )
    return [
        _row(state, seat, names, table, roles=roles, nominates=by.get(seat, 0), ballot=ballot.get(seat, 0))
        for seat in SEATS
    ]


@dataclass(frozen=True, slots=True)
class _Table:
    """What the rows say that is found for all seats at once."""

    speaker: int | None
    silent: dict[int, str]
    off: dict[int, frozenset[str]]
    withdraws: int
    labels: dict[int, str]
    language: str | None


@lru_cache(256)
def _labels(people: tuple[tuple[int, str], ...], language: str | None) -> dict[int, str]:
    names = dict(people)
    return {seat: seat_words(seat, names) for seat in SEATS}


def _row(
    state: GameState, seat: int, names: dict[int, str], table: _Table, *, roles: bool, nominates: int, ballot: int
) -> Row:
    player = state.seats[seat]
    fouls = len(player.fouls)
    left, left_short = _left(player, table.language)
    unnamed = [(n, foul) for n, foul in enumerate(player.fouls, start=1) if not state.clause_of(foul)]
    return Row(
        seat=seat,
        nickname=names.get(seat, ""),
        label=table.labels[seat],
        role=player.role.letter if roles and player.role else "",
        black=bool(roles and player.role and player.role.team == Team.BLACK),
        dots=_DOTS[min(fouls, 4)],
        fouls=fouls,
        out=player.disqualified is not None,
        left=left,
        left_short=left_short,
        silent=table.silent.get(seat, ""),
        nominates=nominates,
        ballot=ballot,
        speaking=table.speaker == seat,
        off=table.off.get(seat, NOTHING),
        open_foul=unnamed[-1][1].revision if unnamed else 0,
        open_foul_number=unnamed[-1][0] if unnamed else 0,
        fourth=fouls == 3,
        may_withdraw=seat == table.withdraws,
    )


_DOTS = [tuple(n < fouls for n in range(4)) for fouls in range(5)]


def _speaker(state: GameState) -> int | None:
    if state.day is None or is_over(state):
        return None
    found = _has_the_word(state, state.day)
    return found if found and not state.seats[found].removed else None


def _has_the_word(state: GameState, day: Day) -> int | None:
    moment = state.moment
    if moment.phase == Phase.PRE_REVOTE:
        return day.pre_revote.get((moment.ballot, moment.step))
    if moment.phase == Phase.LAST_WORDS and day.last_words:
        return day.last_words[-1]
    if moment.phase == Phase.VICTIM_WORDS:
        night = state.nights.get(moment.day - 1)
        return night.victim if night else None
    return current_speaker(state)


def _withdraws(state: GameState) -> int:
    """The speaker who may take the nomination of this minute back; 0 where nobody may."""
    speaker = current_speaker(state)
    if not speaker:
        return NOBODY
    return NOBODY if refuse(state, e.Withdrawal(moment=state.moment, seat=speaker)) else speaker


def _silent(state: GameState) -> dict[int, str]:
    """Seat → that it has no word, or a short one, in this minute or the next; of those at the table."""
    day, speaker = state.day, current_speaker(state)
    silent = {}
    for seat, player in state.seats.items():
        if player.left or player.removed:
            continue
        if day is not None and speaker == seat and seat in day.short:
            silent[seat] = pgettext("silence", "30 seconds")
        elif player.silence_due or (day is not None and speaker == seat and seat in day.silent):
            silent[seat] = pgettext("silence", "no word")
    return silent


def _off(state: GameState) -> dict[int, frozenset[str]]:
    """Seat → what can't be given to it now."""
    tried = [foul for seat in SEATS for foul in _tried(state.moment, seat, state.team_of(seat) or Team.RED)]
    refused = [why is not None for why in refuse_each(state, tried)]
    return {
        seat: frozenset(compress(_PENALTIES, refused[at : at + 3])) if any(refused[at : at + 3]) else NOTHING
        for seat, at in zip(SEATS, range(0, len(refused), 3), strict=True)
    }


_PENALTIES = ("foul", "disqualifying", "team_defeat")


@lru_cache(4096)
def _tried(moment: Moment, seat: int, team: Team) -> tuple[e.Foul, e.Foul, e.Foul]:
    """Those three for a seat."""
    return (
        e.Foul(moment=moment, seat=seat),
        e.Foul(moment=moment, seat=seat, penalty=Penalty.DISQUALIFYING),
        e.Foul(moment=moment, seat=seat, penalty=Penalty.TEAM_DEFEAT, team=team),
    )


def _left(player: SeatState, language: str | None) -> tuple[str, str]:
    """How and when the player left, in full and for the row; empty for one at the table."""
    left = player.left or player.removed
    if left is None:
        return "", ""
    removed_later = bool(player.removed and player.left and player.removed is not player.left)
    return _left_words(left.how, left.moment, removed_later and left.how not in _REMOVALS, language)


@lru_cache(1024)
def _left_words(how: HowLeft, moment: Moment, removed_later: bool, language: str | None) -> tuple[str, str]:
    short = {
        HowLeft.VOTED: pgettext("short", "voted"),
        HowLeft.RAISED: pgettext("short", "raised"),
        HowLeft.SHOT: pgettext("short", "shot"),
        HowLeft.FOULS: pgettext("short", "removed"),
        HowLeft.DISQUALIFIED: pgettext("short", "removed"),
    }[how]
    when = pgettext("short", "n%(day)s") if moment.is_night else pgettext("short", "d%(day)s")
    words = f"{short}, {when % {'day': moment.day}}"
    if removed_later:
        words += f" · {pgettext('short', 'removed')}"
    return how_left_words(Exit(how, moment, "", 0)), words


_REMOVALS = (HowLeft.FOULS, HowLeft.DISQUALIFIED)


@dataclass(frozen=True, slots=True)
class Reason:
    """A clause that may be given, with a word to know it by."""

    clause: str
    words: str
    text: str
    short: str = ""  # one word, for a narrow key


def reasons_of(state: GameState, penalty: Penalty) -> tuple[Reason, ...]:
    """The clauses of that penalty, each with its word and its printed sentence."""
    return _reasons(state.regulation.clauses_of(penalty), get_language())


@cache  # the same at every tap of every game
def _reasons(clauses: tuple[str, ...], language: str | None) -> tuple[Reason, ...]:
    words, short = _reason_words(), _single_words()
    return tuple(
        Reason(clause, words.get(clause, clause_words(clause)), ARTICLES.get(f"A {clause}", ""), short.get(clause, ""))
        for clause in clauses
    )


def _reason_words() -> dict[str, str]:
    return {
        "6.6.1": pgettext("reason", "speech out of turn"),
        "6.6.2": pgettext("reason", "gestures, sounds"),
        "6.6.3": pgettext("reason", "knocks, arguing"),
        "6.6.4": pgettext("reason", "voting rules"),
        "6.6.5": pgettext("reason", "night conduct"),
        "6.6.6": pgettext("reason", "appeals in the vote"),
        "6.6.7": pgettext("reason", "religion, honour"),
        "6.7.1": pgettext("reason", "left the table"),
        "6.7.2": pgettext("reason", "touches at night"),
        "6.7.3": pgettext("reason", "signs to don or sheriff"),
        "6.7.4": pgettext("reason", "insults, swearing"),
        "6.7.5": pgettext("reason", "peeked unwittingly"),
        "6.8.1": pgettext("reason", "an oath"),
        "6.8.2": pgettext("reason", "a bet"),
        "6.8.3": pgettext("reason", "peeked on purpose"),
        "6.8.4": pgettext("reason", "a hint from the hall"),
    }


def _single_words() -> dict[str, str]:
    return {
        "6.6.1": pgettext("reason, one word", "speech"),
        "6.6.2": pgettext("reason, one word", "gesture"),
        "6.6.3": pgettext("reason, one word", "manners"),
        "6.6.4": pgettext("reason, one word", "hand"),
        "6.6.5": pgettext("reason, one word", "night"),
        "6.6.6": pgettext("reason, one word", "appeal"),
        "6.6.7": pgettext("reason, one word", "honour"),
    }
