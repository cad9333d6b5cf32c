"""From the typed paper to entries: played through the rules as it is built, so that an error names its field.

Whatever can't be is named, not the first thing alone. Where a row of a vote, a shot or a removal can't be, nobody
knows who was at the table afterwards: from there on the paper is played without its votes, and only that is held
against it which is wrong whoever left.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..rules import entries as e
from ..rules.fold import new_game, step
from ..rules.moves import refuse_move
from ..rules.outcome import is_over, outcome
from ..rules.points import best_move_night, best_move_victim
from ..rules.refusal import Refusal
from ..rules.refusals import refuse
from ..rules.regulation import Regulation
from ..rules.situations import stalemate_of_move
from ..rules.state import GameState
from ..rules.terms import AFTER, ROLE_OF_LETTER, SEATS, SETUP, Moment, Penalty, Phase, Result, Role, Team
from ..rules.voting import ballot_of
from .paper import MISS, REVOTES, PaperForm

SURE = {
    "has_left", "already_nominated", "no_such_seat", "too_many_votes", "tallies_dont_match", "role_counts",
    "best_move_three", "best_move_repeated", "best_move_own", "best_move_miss", "checker_has_left",
    "wrong_clause", "fifth_foul", "already_removed", "hint_has_no_seat",
}  # fmt: skip
"""Codes of what is wrong whoever else has left: at the table are at most those of whom no leaving is written."""

ONCE = {"game_over", "stalemate_due"}  # said of the first row after the end, not of each that follows


@dataclass(slots=True)
class Played:
    """The entries so far and the state after them; `refused`: what can't be, each with the field to blame.

    `known` is the state up to which the course of the game is certain, None where all of it is.
    """

    state: GameState
    entries: list[e.Entry] = field(default_factory=list)
    refused: list[tuple[str, Refusal]] = field(default_factory=list)
    known: GameState | None = None
    last: Refusal | None = None
    filled: dict[str, tuple[int, ...]] = field(default_factory=dict)  # rows whose last tally is what remained

    @property
    def in_doubt(self) -> bool:
        """Whether something before can't be, so that who is at the table is not known."""
        return self.known is not None

    @property
    def shown(self) -> GameState:
        """The state of which the page may tell."""
        return self.known or self.state

    def write(self, name: str, entry: e.Entry) -> bool:
        """Takes the entry that the field `name` stands for; False where the rules refuse it."""
        refusal = refuse(self.state, entry)
        if refusal is not None:
            return self.refuse(name, refusal)
        self.entries.append(entry)
        self.state = step(self.state, entry)
        return True

    def refuse(self, name: str, refusal: Refusal) -> bool:
        """Blames the field, once; False. In doubt only for what is wrong all the same."""
        self.last = refusal
        if self.in_doubt and refusal.code not in SURE:
            return False
        if refusal.code == "shot_due":
            name = f"shot_{refusal.params['night']}"
        told = {(each_name, each.code, each.params.get("seat")) for each_name, each in self.refused}
        is_again = (name, refusal.code, refusal.params.get("seat")) in told
        if not is_again and not (refusal.code in ONCE and ONCE & {code for _name, code, _seat in told}):
            self.refused.append((name, refusal))
        return False

    def forget_since(self, day: int) -> None:
        """Goes back to the end of the night before: what is written of this day can't be relied on."""
        if self.known is None:
            self.known = self.state
        self.entries = [entry for entry in self.entries if entry.moment.day < day]
        self.state = new_game(self.state.regulation)
        for entry in self.entries:
            self.state = step(self.state, entry)

    def is_past_end(self) -> bool:
        """Whether the last thing refused only came after the end: the course before it stands."""
        return self.last is not None and self.last.code in ONCE

    def last_certain_before(self, day: int) -> int:
        """The day from which on the course is not known, when this one can't be played as it is written."""
        if self.last is not None and self.last.code == "shot_due":
            return min(day, int(str(self.last.params["night"])))
        return day


def played(form: PaperForm, rules: Regulation) -> Played:
    """The whole paper as entries; fields that can't be read are left out, and what hangs on them is in doubt."""
    for name in form.fields:
        form.cleaned_data.setdefault(name, () if name.startswith("clauses_") else None)
    game = Played(new_game(rules))
    letters = form.cleaned_data["letters"]
    if all(letters.values()) and not any(f"role_{seat}" in form.errors for seat in SEATS):
        game.write("role_1", e.Roles(moment=SETUP, roles=tuple(ROLE_OF_LETTER[letters[seat]] for seat in SEATS)))
    if any(f"{name}_{seat}" in form.errors for name in ("fouls", "out", "out_day", "out_when") for seat in SEATS):
        game.known = game.state
    _removals(game, form, 0, "night", Moment(0, Phase.NIGHT))
    _removals(game, form, 0, "before_shot", Moment(0, Phase.NIGHT))
    day, last = 1, _last_day(form)
    while day <= last:
        if not game.in_doubt and not (_day(game, form, day) and _night(game, form, day)):
            day = game.last_certain_before(day)
            game.forget_since(day)
        if game.in_doubt:
            _doubtful_day(game, form, day)
            _night(game, form, day)
        day += 1
    if not game.in_doubt and not is_over(game.state):
        _stalemate(game)
    last_moment = AFTER if is_over(game.state) else game.state.moment
    for seat in SEATS:
        if not form.cleaned_data[f"out_{seat}"] and form.cleaned_data[f"fouls_{seat}"] != 4:
            _fouls(game, form, seat, last_moment)
    if not game.in_doubt:
        _best_move(game, form, max(game.state.moment.day, 1), is_last=True)
        _end(game, form)
    return game


def _unread(form: PaperForm, *names: str) -> bool:
    """Whether one of the fields can't be read."""
    return any(name in form.errors for name in names)


# ---------------------------------------------------------------- fouls and removals


def _fouls(game: Played, form: PaperForm, seat: int, moment: Moment) -> bool:
    data = form.cleaned_data
    clauses = (*data[f"clauses_{seat}"], "", "", "", "")
    taken = True
    for number in range(data[f"fouls_{seat}"] or 0):
        taken = game.write(f"fouls_{seat}", e.Foul(moment=moment, seat=seat, clause=clauses[number])) and taken
    return taken


def _removals(game: Played, form: PaperForm, day: int, when: str, moment: Moment) -> bool:
    """Whoever was removed then, with the fouls before it; the time of other fouls is not on paper."""
    data = form.cleaned_data
    taken = True
    for seat in SEATS:
        out = data[f"out_{seat}"]
        removed = out or data[f"fouls_{seat}"] == 4
        if not removed or (data[f"out_day_{seat}"], data[f"out_when_{seat}"]) != (day, when):
            continue
        decision = game.state.days[day].decision if day in game.state.days else None
        if when == "vote" and decision is not None:
            refusal = game.state.refusal("removed_after_vote", "no_vote_today", seat=seat, seats=decision.leavers)
            taken = game.refuse(f"out_when_{seat}", refusal)
            continue
        taken = _fouls(game, form, seat, moment) and taken
        if out:
            clause = "" if out == "?" else out
            foul = e.Foul(moment=moment, seat=seat, penalty=Penalty.DISQUALIFYING, clause=clause)
            taken = game.write(f"out_{seat}", foul) and taken
    return taken or game.is_past_end()


# ---------------------------------------------------------------- days and nights


def _last_day(form: PaperForm) -> int:
    """The last day of which anything is typed, 0 where nothing is."""
    data = form.cleaned_data
    rows = ("nominees", "raise", "shot", "don", "sheriff", *(f"tallies_{{}}_{n}" for n in range(REVOTES + 1)))
    names = {day: [row.format(day) if "{}" in row else f"{row}_{day}" for row in rows] for day in form.day_numbers}
    played = [day for day, of_day in names.items() for name in of_day if data[name] is not None or _unread(form, name)]
    removed = [data[f"out_day_{seat}"] or 0 for seat in SEATS]
    return min(max([0, *played, *removed, data["defeat_day"] or 0]), form.days)


def _open_day(game: Played, form: PaperForm, day: int) -> Moment:
    """The speeches of the day, begun by a turn where no nomination begins them."""
    speeches = Moment(day, Phase.SPEECHES)
    is_closed = game.state.moment.day < day and not is_over(game.state)
    if is_closed and (game.in_doubt or not form.cleaned_data[f"nominees_{day}"]):
        game.write(f"nominees_{day}", e.Turn(moment=speeches))
    return speeches


def _nominations(game: Played, form: PaperForm, day: int) -> bool:
    taken, speeches = True, Moment(day, Phase.SPEECHES)
    for target in form.cleaned_data[f"nominees_{day}"] or ():
        taken = game.write(f"nominees_{day}", e.Nomination(moment=speeches, seat=None, target=target)) and taken
    return taken


def _day(game: Played, form: PaperForm, day: int) -> bool:
    """Plays the day; False where its course can't be what is written, so that it isn't known who left."""
    data = form.cleaned_data
    votes = [f"tallies_{day}_{ballot}" for ballot in range(REVOTES + 1)]
    if _unread(form, f"nominees_{day}", *votes, f"raise_{day}"):
        return False
    speeches = _open_day(game, form, day)
    taken = _nominations(game, form, day) and _removals(game, form, day, "speeches", speeches)
    for ballot, name in enumerate(votes):
        if data[name] is not None:
            taken = taken and _ballot(game, form, day, ballot, data[name])
    answer = data[f"raise_{day}"]
    if answer is not None and taken:
        count = answer if not isinstance(answer, bool) else None
        entry = e.RaiseAll(moment=Moment(day, Phase.RAISE_ALL), count=count, raised=answer if count is None else None)
        taken = game.write(f"raise_{day}", entry)
    if not taken:
        return game.is_past_end()
    now = game.state.moment if game.state.moment.day == day and not game.state.moment.is_night else speeches
    taken = _removals(game, form, day, "vote", now) and _removals(game, form, day, "after", now)
    _team_defeat(game, form, day, now)
    return taken


def _doubtful_day(game: Played, form: PaperForm, day: int) -> None:
    """A day of which it isn't known who left: its rows are tried against those surely gone, and taken back."""
    speeches = _open_day(game, form, day)
    before, written = game.state, len(game.entries)
    counts = form.cleaned_data[f"tallies_{day}_0"]
    if _nominations(game, form, day) and counts is not None and not _unread(form, f"nominees_{day}"):
        _ballot(game, form, day, 0, counts)
    game.state = before
    del game.entries[written:]
    for when in ("speeches", "vote", "after"):
        _removals(game, form, day, when, speeches)
    _team_defeat(game, form, day, speeches)


def _team_defeat(game: Played, form: PaperForm, day: int, now: Moment) -> None:
    data = form.cleaned_data
    if data["defeat_clause"] and data["defeat_day"] == day and not _unread(form, "defeat_seat", "defeat_team"):
        team = Team(data["defeat_team"]) if data["defeat_team"] else None
        defeat = e.Foul(
            moment=now, seat=data["defeat_seat"], penalty=Penalty.TEAM_DEFEAT, clause=data["defeat_clause"], team=team
        )
        game.write("defeat_clause", defeat)


def _ballot(game: Played, form: PaperForm, day: int, number: int, counts: tuple[int, ...]) -> bool:
    """A row of tallies; the last candidate's may be left out, it is what remains."""
    name = f"tallies_{day}_{number}"
    first = Moment(day, Phase.BALLOT, number, 1)
    there = game.state.days.get(day)
    why = refuse_move(game.state, first)
    if why is not None:
        return game.refuse(name, why)
    ballot = ballot_of(game.state, there, number) if there else None
    if ballot is None or ballot.tallies:
        why = refuse(
            game.state, e.Vote(moment=first, target=counts[0] if counts and counts[0] in SEATS else 1, count=0)
        )
        assert why is not None
        return game.refuse(name, why)
    candidates = ballot.candidates
    if len(counts) == len(candidates) - 1 and not _breaks_off(form, day):
        counts = (*counts, ballot.living - sum(counts))
        if counts[-1] >= 0:
            game.filled[name] = counts
    if len(counts) > len(candidates) or (len(counts) < len(candidates) and not _breaks_off(form, day)):
        params = {"seats": candidates, "named": len(counts)}
        return game.refuse(name, game.state.refusal("tallies_dont_match", "tallies", **params))
    for place, (target, count) in enumerate(zip(candidates, counts, strict=False), start=1):
        if not game.write(name, e.Vote(moment=first._replace(step=place), target=target, count=count)):
            return False
    return True


def _breaks_off(form: PaperForm, day: int) -> bool:
    """Whether a row may be shorter than its candidates: a removal broke the ballot off (A 7.1)."""
    data = form.cleaned_data
    return any((data[f"out_day_{seat}"], data[f"out_when_{seat}"]) == (day, "vote") for seat in SEATS)


def _night(game: Played, form: PaperForm, day: int) -> bool:
    """Plays the night; False where its shot or a removal can't be."""
    data = form.cleaned_data
    taken = _removals(game, form, day, "before_shot", Moment(day, Phase.NIGHT))
    shot, is_unread = data[f"shot_{day}"], _unread(form, f"shot_{day}")
    if shot is not None or is_unread or game.in_doubt:
        target = None if shot == MISS else shot
        entry = e.Shot(moment=Moment(day, Phase.NIGHT), target=target)
        taken = (game.write(f"shot_{day}", entry) or game.is_past_end()) and taken and not is_unread
    if not taken and not game.in_doubt:
        return False
    for by, name, phase in ((Role.DON, "don", Phase.DON), (Role.SHERIFF, "sheriff", Phase.SHERIFF)):
        seat = data[f"{name}_{day}"]
        if seat is not None:
            game.write(f"{name}_{day}", e.Check(moment=Moment(day, phase), by=by, target=seat))
    now = game.state.moment if game.state.moment.day == day and game.state.moment.is_night else Moment(day, Phase.NIGHT)
    taken = _removals(game, form, day, "night", now) and taken
    if not is_unread and not (shot is None and game.in_doubt) and day == (best_move_night(game.state) or 1):
        _best_move(game, form, day)
    return taken


def _best_move(game: Played, form: PaperForm, night: int, *, is_last: bool = False) -> None:
    """What is named after that night; where the regulation gives it after a miss, not before somebody is shot."""
    seats = form.cleaned_data["best_move"]
    waits = game.state.regulation.best_move_after_miss and best_move_victim(game.state) is None
    if seats is not None and waits == is_last:
        game.write("best_move", e.BestMove(moment=Moment(night, Phase.BEST_MOVE), seats=seats))


# ---------------------------------------------------------------- the end


def _end(game: Played, form: PaperForm) -> None:
    """The winner on paper against the one that the record gives (RULES §1, §5)."""
    data = form.cleaned_data
    if not data["result"] or _unread(form, "result", "time", "clause"):
        return
    time = data["time"].replace(".", ":")
    declared = e.GameOver(
        moment=game.state.moment, result=Result(data["result"]), clause=data["clause"], time=time
    )  # fmt: skip
    end = outcome(game.state)
    if end is None or time or end.result != declared.result:
        game.write("result", declared)


def _stalemate(game: Played) -> None:
    """A stalemate is complete when the game moves on from its last night or day."""
    moment = game.state.moment
    for target in (Moment(moment.day, Phase.NIGHT), Moment(moment.day + 1, Phase.SPEECHES)):
        if target.key > moment.key and stalemate_of_move(game.state, target):
            game.write("result", e.Turn(moment=target))
            return
