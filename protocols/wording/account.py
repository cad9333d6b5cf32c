"""A game as a chronicler would write it down: plain sentences, one an event, by days and nights."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import cast

from django.utils.translation import gettext, ngettext, pgettext, pgettext_lazy

from ..replaying import Course, Part, Step, part_of
from ..rules import entries as e
from ..rules.points import best_move_victim
from ..rules.state import Notice
from ..rules.terms import SEATS, Penalty, Phase, Role
from .course import answer_words, clause_of_step, disagreement_words, hits_words, part_words, with_all_voters
from .ends import outcome_words
from .entries import entry_words
from .moments import ballot_words
from .notices import notice_words
from .refusals import refusal_words, sentence_params
from .terms import Names, Words, numbers_words, seat_words, seats_words, with_clause


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the game with its sentences."""

    title: str
    lines: tuple[str, ...]


def account_of(course: Course, names: Names) -> list[Chapter]:
    """The whole game in sentences; who is what only where the course holds the roles."""
    teller = _Teller(course, names)
    for step in course.steps:
        teller.tell(step)
    return teller.chapters()


def text_of(title: str, chapters: Iterable[Chapter]) -> str:
    """The account as plain text: a heading a part, a line an event."""
    parts = [title, *("\n".join((chapter.title, *chapter.lines)) for chapter in chapters)]
    return "\n\n".join(parts) + "\n"


_FOULS = (
    pgettext_lazy("account", "%(seat)s gets the first foul"),
    pgettext_lazy("account", "%(seat)s gets the second foul"),
    pgettext_lazy("account", "%(seat)s gets the third foul"),
    pgettext_lazy("account", "%(seat)s gets the fourth foul"),
)
# What follows from a foul: what its player does, and what else there is to say.
_DOES: Words = {
    "third_foul": pgettext_lazy("account", "and loses the next own minute"),
    "removed_fouls": pgettext_lazy("account", "and leaves the table without last words"),
    "removed_disqualified": pgettext_lazy("account", "and leaves the table without last words"),
}
_FOLLOWS: Words = {
    "removed_departed": pgettext_lazy("account", "had left already, the penalty counts"),
    "removed_after_end": pgettext_lazy("account", "the game was over, only the penalty counts"),
    "from_tournament": pgettext_lazy("account", "is removed from the tournament"),
    "vote_cancelled": pgettext_lazy("account", "no vote is held this day"),
    "next_vote_cancelled": pgettext_lazy("account", "no vote will be held on day %(day)s"),
}
# What the sentence of the entry itself says.
_BALLOT_ENDS = ("voted_out", "revote", "tied_night", "raise_question")
_RULED = ("vote_restored", "vote_cancelled_by_ruling")
_SAID = (*_BALLOT_ENDS, *_RULED, "raised", "not_raised", "shot", "missed")
_MINUTES = ("silent_minute", "thirty_seconds")


class _Teller:
    """Goes through the steps and keeps what is not told yet: the tallies of a ballot under way."""

    def __init__(self, course: Course, names: Names) -> None:
        self.course, self.end, self.names = course, course.end, names
        self.told: list[tuple[Part, str]] = []
        self.tallies: list[e.Vote] = []
        self.decided: tuple[int, int] | None = None  # day and number of the last ballot that came to its end
        self.fouls = dict.fromkeys(SEATS, 0)
        self.opened: set[int] = set()
        self.points = _last_points(course)

    def chapters(self) -> list[Chapter]:
        """What was told, by parts; the result last."""
        self._break_off()
        lines: dict[Part, list[str]] = {Part(0, "before"): [self._players()]} if any(self.names.values()) else {}
        for part, line in self.told:
            lines.setdefault(part, []).append(line)
        after = lines.pop(Part(0, "after"), [])
        found = [Chapter(part_words(part), tuple(said)) for part, said in lines.items()]
        ends = [step.outcome for step in self.course.steps if step.outcome]
        if ends:
            found.append(Chapter(gettext("The result"), (_sentence(outcome_words(ends[-1])), *after)))
        elif after:
            found.append(Chapter(part_words(Part(0, "after")), tuple(after)))
        return found

    def _players(self) -> str:
        seated = [seat for seat in SEATS if self.names.get(seat)]
        return _sentence(pgettext("account", "At the table: %(seats)s") % {"seats": seats_words(seated, self.names)})

    # ------------------------------------------------------------ one step

    def tell(self, step: Step) -> None:
        """Adds what this step has to tell."""
        entry, names = step.entry, self.names
        if step.refusal is not None:
            words = {"entry": entry_words(entry, names), "why": refusal_words(step.refusal, names)}
            self._say(step.part, gettext("Does not stand: %(entry)s. %(why)s") % words)
            return
        if self.tallies and (part_of(self.tallies[0].moment) != step.part or _breaks_off(step)):
            self._break_off()
        before, follows, after = self._sorted_notices(step)
        for notice in before:
            self._say(part_of(notice.moment), notice_words(notice, names))
        said = self._words(step)
        if said:
            for notice in follows:
                said += self._follows(notice, clause_of_step(step, self.end))
            said += " " + gettext("(written in later)") if step.is_late else ""
            if isinstance(entry, e.Foul) and entry.text:
                said = f"{_sentence(said)} {entry.text}"
            self._say(step.part, said)
        for notice in after:
            self._say(part_of(notice.moment), notice_words(notice, names))
        for contradiction in step.contradictions:
            disagreement = disagreement_words(contradiction, names)
            self._say(step.part, gettext("Disagreement: %(words)s") % {"words": disagreement})

    def _sorted_notices(self, step: Step) -> tuple[list[Notice], list[Notice], list[Notice]]:
        """What the rules did: before the entry, as its consequence, and beside it."""
        before, follows, after = list[Notice](), list[Notice](), list[Notice]()
        entry = step.entry
        for notice in step.notices:
            if notice.code in _SAID:
                continue
            if isinstance(entry, e.Foul) and notice.revision == entry.revision:
                (follows if notice.code in _DOES or notice.code in _FOLLOWS else after).append(notice)
            elif notice.code == "single_nominee" or (notice.code in _MINUTES and not isinstance(entry, e.Turn)):
                before.append(notice)  # the game moved on, and the entry came after that
            else:
                after.append(notice)
        return before, follows, after

    def _follows(self, notice: Notice, named: str) -> str:
        """A consequence as it stands behind its foul; the clause is not said again where it is the foul's own."""
        joint, table = (" ", _DOES) if notice.code in _DOES else ("; ", _FOLLOWS)
        words = str(table[notice.code]) % sentence_params(notice.params, self.names)
        return joint + with_clause(words, notice.clause if notice.clause != named else "")

    def _say(self, part: Part, words: str) -> None:
        self.told.append((part, _sentence(words)))

    def _words(self, step: Step) -> str:
        """The sentence of the entry itself; empty where there is nothing to tell yet, or at all."""
        entry, names = step.entry, self.names
        match entry:
            case e.Turn():
                return self._turn(entry)
            case e.Foul():
                return self._foul(step, entry)
            case e.Nomination(seat=int(seat), target=target):
                both = {"seat": seat_words(seat, names), "target": seat_words(target, names)}
                return pgettext("account", "%(seat)s nominates %(target)s") % both
            case e.Vote():
                return self._vote(step, with_all_voters(self.end, entry))
            case e.RaiseAll():
                return self._raise_all(step, entry)
            case e.Shot():
                return self._shot(step, entry)
            case e.Check():
                return self._check(entry)
            case e.BestMove(seats=seats) if seats:
                return self._best_move(entry)
            case e.Roles():
                return self._roles(entry)
            case e.ExtraPoints(seat=seat) | e.SpeechMark(seat=seat) if self.points[entry.kind, seat] is not entry:
                return ""  # replaced by a later one
            case e.FoulClause():
                return ""  # told with its foul
        return entry_words(entry, names)

    def _turn(self, turn: e.Turn) -> str:
        moment = turn.moment
        if moment.phase == Phase.NIGHT and moment.day == 0:
            return pgettext("account", "The game begins, the blacks meet")
        if moment.phase == Phase.SPEECHES and turn.seat and moment.day not in self.opened:
            self.opened.add(moment.day)
            return pgettext("account", "%(seat)s opens the day") % {"seat": seat_words(turn.seat, self.names)}
        return ""

    def _foul(self, step: Step, foul: e.Foul) -> str:
        clause = clause_of_step(step, self.end)
        if foul.penalty == Penalty.TEAM_DEFEAT or foul.seat is None:
            return entry_words(replace(foul, clause=clause, text=""), self.names)
        if foul.penalty == Penalty.FOUL:
            self.fouls[foul.seat] += 1
            words = str(_FOULS[min(self.fouls[foul.seat], 4) - 1])
        elif foul.penalty == Penalty.WARNING:
            words = pgettext("account", "%(seat)s gets an oral warning")
        else:
            words = pgettext("account", "%(seat)s gets a disqualifying foul")
        words = with_clause(words % {"seat": seat_words(foul.seat, self.names)}, clause)
        moment = foul.moment
        if moment.phase == Phase.BALLOT and (moment.day, moment.ballot) != self.decided:
            return pgettext("account", "During the vote %(words)s") % {"words": words}
        return words

    # ------------------------------------------------------------ the vote

    def _vote(self, step: Step, vote: e.Vote) -> str:
        self.tallies.append(vote)
        decided = next((notice for notice in step.notices if notice.code in _BALLOT_ENDS), None)
        if decided is None:
            return ""
        taken, self.tallies = self.tallies, []
        self.decided = (vote.moment.day, vote.moment.ballot)
        return f"{ballot_words(vote.moment.ballot).capitalize()}: {_tallies(taken)}; {self._decided(decided)}"

    def _decided(self, notice: Notice) -> str:
        if notice.code == "voted_out":
            return self._leave((cast(int, notice.params["seat"]),))
        tied = {"seats": seats_words(notice.params["seats"], {})}
        if notice.code == "revote":
            return pgettext("account", "a tie of %(seats)s") % tied
        if notice.code == "raise_question":
            return pgettext("account", "again a tie of %(seats)s") % tied
        return with_clause(pgettext("account", "again a tie of %(seats)s, night falls") % tied, notice.clause)

    def _leave(self, seats: tuple[int, ...]) -> str:
        words = ngettext("%(seats)s leaves", "%(seats)s leave", len(seats))
        return words % {"seats": seats_words(seats, self.names)}

    def _raise_all(self, step: Step, entry: e.RaiseAll) -> str:
        raised = next((notice for notice in step.notices if notice.code == "raised"), None)
        ending = pgettext("account", "nobody leaves")
        if raised is not None:
            ending = self._leave(cast(tuple[int, ...], raised.params["seats"]))
        day = self.end.days.get(entry.moment.day)
        if entry.count is None or day is None or day.raise_all is None:
            return pgettext("account", "Raising all: %(ending)s") % {"ending": ending}
        figures = {"count": entry.count, "living": day.raise_all.living, "ending": ending}
        return pgettext("account", "For raising all: %(count)s of %(living)s; %(ending)s") % figures

    def _break_off(self) -> None:
        """A ballot that did not come to its end is told as far as it was taken."""
        if not self.tallies:
            return
        taken, self.tallies = self.tallies, []
        words = pgettext("account", "The vote is broken off: %(tallies)s") % {"tallies": _tallies(taken)}
        self._say(part_of(taken[0].moment), words)

    # ------------------------------------------------------------ the night

    def _shot(self, step: Step, shot: e.Shot) -> str:
        if any(notice.code == "shot" for notice in step.notices):
            said = {"seat": seat_words(shot.target, self.names)}
            if not shot.shots:
                return pgettext("account", "The mafia shoots; %(seat)s leaves") % said
            said["shooters"] = numbers_words(by for by, _target in shot.shots)
            return pgettext("account", "The mafia (%(shooters)s) shoots; %(seat)s leaves") % said
        words = pgettext("account", "The mafia misses")
        if shot.target:
            gone = {"seat": seat_words(shot.target, self.names)}
            words = pgettext("account", "The mafia misses: %(seat)s had left already") % gone
        return words + (" (" + ", ".join(f"{by}→{target}" for by, target in shot.shots) + ")" if shot.shots else "")

    def _check(self, check: e.Check) -> str:
        words = pgettext("account", "The sheriff checks %(seat)s")
        if check.by == Role.DON:
            words = pgettext("account", "The don checks %(seat)s")
        words %= {"seat": seat_words(check.target, self.names)}
        answer = answer_words(self.end, check)
        return f"{words}: {answer}" if answer else words

    def _best_move(self, move: e.BestMove) -> str:
        victim = best_move_victim(self.end)
        words = {"numbers": numbers_words(move.seats), "seat": seat_words(victim, self.names) if victim else ""}
        return pgettext("account", "Best move of %(seat)s: %(numbers)s") % words + hits_words(self.end, move)

    def _roles(self, roles: e.Roles) -> str:
        if roles is not self.end.roles:
            return ""  # replaced by a later one
        said = {
            role.value: seats_words([seat for seat in SEATS if roles.roles[seat - 1] == role], self.names)
            for role in Role
        }
        return pgettext("account", "The mafia: %(black)s, the don %(don)s. The sheriff: %(sheriff)s") % said


def _last_points(course: Course) -> dict[tuple[str, int], e.Entry]:
    """The points that hold, by kind and seat: a later entry replaces an earlier one."""
    return {
        (step.entry.kind, step.entry.seat): step.entry
        for step in course.steps
        if isinstance(step.entry, e.ExtraPoints | e.SpeechMark) and not step.refusal
    }


def _breaks_off(step: Step) -> bool:
    """Whether this step ends a ballot under way before all its tallies are taken."""
    return any(notice.code in ("vote_cancelled", *_RULED) for notice in step.notices)


def _tallies(votes: Iterable[e.Vote]) -> str:
    return ", ".join(_tally(vote) for vote in votes)


def _tally(vote: e.Vote) -> str:
    words = gettext("No. %(seat)s") % {"seat": vote.target} + f" — {vote.count}"
    return f"{words} ({numbers_words(vote.voters)})" if vote.voters else words


def _sentence(words: str) -> str:
    return words if words.endswith((".", "!", "?", "…")) else f"{words}."
