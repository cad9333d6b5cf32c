"""From the typed paper to entries: played through the rules as it is built, so that an error names its field."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..rules import entries as e
from ..rules.fold import new_game, step
from ..rules.moves import refuse_move
from ..rules.outcome import is_over, outcome
from ..rules.refusal import Refusal
from ..rules.refusals import refuse
from ..rules.regulation import Regulation
from ..rules.situations import stalemate_of_move
from ..rules.state import GameState
from ..rules.terms import AFTER, ROLE_OF_LETTER, SEATS, SETUP, Moment, Penalty, Phase, Result, Role, Team
from ..rules.voting import ballot_of
from .paper import MISS, REVOTES, PaperForm


@dataclass(slots=True)
class Played:
    """The entries so far and the state after them; a refusal ends it, at the field that is to blame."""

    state: GameState
    entries: list[e.Entry] = field(default_factory=list)
    refused: tuple[str, Refusal] | None = None

    def write(self, name: str, entry: e.Entry) -> None:
        """Takes the entry that the field `name` stands for; nothing after one that is refused."""
        if self.refused:
            return
        refusal = refuse(self.state, entry)
        if refusal is not None:
            self.refused = (name, refusal)
            return
        self.entries.append(entry)
        self.state = step(self.state, entry)


def played(form: PaperForm, rules: Regulation) -> Played:
    """The whole paper as entries; the form must be valid."""
    game = Played(new_game(rules))
    letters = form.cleaned_data["letters"]
    if all(letters.values()):
        game.write("role_1", e.Roles(moment=SETUP, roles=tuple(ROLE_OF_LETTER[letters[seat]] for seat in SEATS)))
    _removals(game, form, 0, "night", Moment(0, Phase.NIGHT))
    _removals(game, form, 0, "before_shot", Moment(0, Phase.NIGHT))
    for day in range(1, _last_day(form) + 1):
        _day(game, form, day)
        _night(game, form, day)
    for seat in SEATS:
        if not form.cleaned_data[f"out_{seat}"] and form.cleaned_data[f"fouls_{seat}"] != 4:
            _fouls(game, form, seat, AFTER)
    _end(game, form)
    return game


# ---------------------------------------------------------------- fouls and removals


def _fouls(game: Played, form: PaperForm, seat: int, moment: Moment) -> None:
    data = form.cleaned_data
    clauses = (*data[f"clauses_{seat}"], "", "", "", "")
    for number in range(data[f"fouls_{seat}"] or 0):
        game.write(f"fouls_{seat}", e.Foul(moment=moment, seat=seat, clause=clauses[number]))


def _removals(game: Played, form: PaperForm, day: int, when: str, moment: Moment) -> None:
    """Whoever was removed then, with the fouls before it; the time of other fouls is not on paper."""
    data = form.cleaned_data
    for seat in SEATS:
        out = data[f"out_{seat}"]
        removed = out or data[f"fouls_{seat}"] == 4
        if not removed or (data[f"out_day_{seat}"], data[f"out_when_{seat}"]) != (day, when):
            continue
        decision = game.state.days[day].decision if day in game.state.days else None
        if when == "vote" and decision is not None and not game.refused:
            refusal = game.state.refusal("removed_after_vote", "no_vote_today", seat=seat, seats=decision.leavers)
            game.refused = (f"out_when_{seat}", refusal)
        _fouls(game, form, seat, moment)
        if out:
            clause = "" if out == "?" else out
            foul = e.Foul(moment=moment, seat=seat, penalty=Penalty.DISQUALIFYING, clause=clause)
            game.write(f"out_{seat}", foul)


# ---------------------------------------------------------------- days and nights


def _last_day(form: PaperForm) -> int:
    """The last day of which anything is typed, 0 where nothing is."""
    data = form.cleaned_data
    rows = ("nominees", "raise", "shot", "don", "sheriff", *(f"tallies_{{}}_{n}" for n in range(REVOTES + 1)))
    played = [
        day
        for day in range(1, form.days + 1)
        for row in rows
        if data[row.format(day) if "{}" in row else f"{row}_{day}"] is not None
    ]
    removed = [data[f"out_day_{seat}"] or 0 for seat in SEATS]
    return min(max([0, *played, *removed, data["defeat_day"] or 0]), form.days)


def _day(game: Played, form: PaperForm, day: int) -> None:
    data = form.cleaned_data
    speeches = Moment(day, Phase.SPEECHES)
    if not data[f"nominees_{day}"] and game.state.moment.day < day and not is_over(game.state):
        game.write(f"nominees_{day}", e.Turn(moment=speeches))
    for target in data[f"nominees_{day}"] or ():
        game.write(f"nominees_{day}", e.Nomination(moment=speeches, seat=None, target=target))
    _removals(game, form, day, "speeches", speeches)
    for ballot in range(REVOTES + 1):
        counts = data[f"tallies_{day}_{ballot}"]
        if counts is not None:
            _ballot(game, form, day, ballot, counts)
    answer = data[f"raise_{day}"]
    if answer is not None:
        count = answer if not isinstance(answer, bool) else None
        entry = e.RaiseAll(moment=Moment(day, Phase.RAISE_ALL), count=count, raised=answer if count is None else None)
        game.write(f"raise_{day}", entry)
    now = game.state.moment if game.state.moment.day == day and not game.state.moment.is_night else speeches
    _removals(game, form, day, "vote", now)
    _removals(game, form, day, "after", now)
    if data["defeat_clause"] and data["defeat_day"] == day:
        team = Team(data["defeat_team"]) if data["defeat_team"] else None
        defeat = e.Foul(
            moment=now, seat=data["defeat_seat"], penalty=Penalty.TEAM_DEFEAT, clause=data["defeat_clause"], team=team
        )
        game.write("defeat_clause", defeat)


def _ballot(game: Played, form: PaperForm, day: int, number: int, counts: tuple[int, ...]) -> None:
    """A row of tallies; the last candidate's may be left out, it is what remains."""
    if game.refused:
        return
    name = f"tallies_{day}_{number}"
    first = Moment(day, Phase.BALLOT, number, 1)
    there = game.state.days.get(day)
    why = refuse_move(game.state, first)
    if why is not None:
        game.refused = (name, why)
        return
    ballot = ballot_of(game.state, there, number) if there else None
    if ballot is None or ballot.tallies:
        why = refuse(
            game.state, e.Vote(moment=first, target=counts[0] if counts and counts[0] in SEATS else 1, count=0)
        )
        assert why is not None
        game.refused = (name, why)
        return
    candidates = ballot.candidates
    if len(counts) == len(candidates) - 1 and not _breaks_off(form, day):
        counts = (*counts, ballot.living - sum(counts))
    if len(counts) > len(candidates) or (len(counts) < len(candidates) and not _breaks_off(form, day)):
        params = {"seats": candidates, "named": len(counts)}
        game.refused = (name, game.state.refusal("tallies_dont_match", "tallies", **params))
        return
    for place, (target, count) in enumerate(zip(candidates, counts, strict=False), start=1):
        game.write(name, e.Vote(moment=first._replace(step=place), target=target, count=count))


def _breaks_off(form: PaperForm, day: int) -> bool:
    """Whether a row may be shorter than its candidates: a removal broke the ballot off (A 7.1)."""
    data = form.cleaned_data
    return any((data[f"out_day_{seat}"], data[f"out_when_{seat}"]) == (day, "vote") for seat in SEATS)


def _night(game: Played, form: PaperForm, day: int) -> None:
    data = form.cleaned_data
    _removals(game, form, day, "before_shot", Moment(day, Phase.NIGHT))
    shot = data[f"shot_{day}"]
    if shot is not None:
        target = None if shot == MISS else shot
        game.write(f"shot_{day}", e.Shot(moment=Moment(day, Phase.NIGHT), target=target))
    for by, name, phase in ((Role.DON, "don", Phase.DON), (Role.SHERIFF, "sheriff", Phase.SHERIFF)):
        seat = data[f"{name}_{day}"]
        if seat is not None:
            game.write(f"{name}_{day}", e.Check(moment=Moment(day, phase), by=by, target=seat))
    now = game.state.moment if game.state.moment.day == day and game.state.moment.is_night else Moment(day, Phase.NIGHT)
    _removals(game, form, day, "night", now)
    seats = data["best_move"]
    if day == 1 and seats is not None:
        game.write("best_move", e.BestMove(moment=Moment(1, Phase.BEST_MOVE), seats=seats))


# ---------------------------------------------------------------- the end


def _end(game: Played, form: PaperForm) -> None:
    """The winner on paper against the one that the record gives (RULES §1, §5)."""
    data = form.cleaned_data
    if game.refused:
        return
    if not is_over(game.state):
        _stalemate(game)
    if not data["result"]:
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
