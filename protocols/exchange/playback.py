"""A game of a file played through the rules, so that what it leaves out (the order of speeches and of the ballot,
cancelled votes) follows and what contradicts is found.

Own minutes are written as turns: the file names speakers, its ballots stand in the order of speeches, and a day in
which nothing else happened would otherwise be missing. Other turns are written only where the file puts a foul there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from protocols.rules import entries as e
from protocols.rules.fold import new_game, step
from protocols.rules.outcome import outcome
from protocols.rules.points import best_move_night, best_move_victim
from protocols.rules.refusals import refuse
from protocols.rules.regulation import Regulation
from protocols.rules.situations import cancellation_of, speaking_order, stalemate_of_move
from protocols.rules.state import Ballot, Day, GameState
from protocols.rules.terms import AFTER, SEATS, SETUP, Moment, Penalty, Phase, Role, Team
from protocols.rules.voting import current_ballot, remaining

from .beyond import beyond
from .logged import Fact, Mark, at, exit_as_told, facts_of, left_at_an_unknown_time, marks_of, same_nicknames
from .mafiaratings import GameLog, Time
from .reading import Breach, Contradictory

VOTING = ("voting start", "voting", "voting kill all")
NIGHT_ZERO = ("start", "arrangement", "relaxed sitting", "night start", "shooting")


@dataclass(frozen=True)
class Played:
    """The entries in playing order, numbered from 1, and the file's facts that they can't hold."""

    entries: list[e.Entry]
    facts: dict[str, Any]
    state: GameState


def played(log: GameLog, regulation: Regulation) -> Played:
    """The game's entries under that regulation. Raises `Contradictory` with every breach."""
    if len(log.players) != len(SEATS):
        params = {"count": len(log.players), "nicknames": log.nicknames[len(SEATS) :]}
        raise Contradictory([Breach("not_ten_players", regulation.cite("table"), params)], {0: log.nicknames})
    play = Playback(log, regulation)
    play.play()
    if play.stuck:
        play.breaches += beyond(log, play.state, play.breaches)
    if play.breaches:
        raise Contradictory(play.breaches, {0: log.nicknames})
    return Played(play.entries, log.facts, play.state)


class Playback:
    """The state of the game as the file is read on; what the file holds and has not been written waits in
    `waiting` and `marks`."""

    def __init__(self, log: GameLog, regulation: Regulation) -> None:
        self.log = log
        self.state: GameState = new_game(regulation)
        self.entries: list[e.Entry] = []
        self.breaches: list[Breach] = []
        self.stuck = False  # what would follow from here can't be told any more
        self.marks: list[Mark] = marks_of(log)
        self.waiting: set[Fact] = facts_of(log)

    @property
    def is_over(self) -> bool:
        """Whether the rules have ended the game."""
        return self.state.derived is not None

    def play(self) -> None:
        """The whole game, and the comparison of how it ended."""
        for nickname, seats in same_nicknames(self.log.nicknames):
            self.breach("nickname_twice", "table", nickname=nickname, seats=seats)
        started, ended = self.log.started, self.log.ended
        if started is not None and ended is not None and ended < started:
            self.breach("ends_before_start", "header", started=started, ended=ended)
        for seat in left_at_an_unknown_time(self.log):
            self.breach("left_at_unknown_time", "left", seat=seat, death=self.log.player(seat).death)
            self.stuck = True
        roles = e.Roles(moment=SETUP, roles=tuple(player.role for player in self.log.players))
        self.stuck = not self.write(roles) or self.stuck
        if self.stuck:
            return
        self._place(Moment(0, Phase.NIGHT), lambda time: time.round == 0 and time.name in NIGHT_ZERO)
        for number in range(1, self.log.last_round + 2):
            if number > 1:
                self._night(number - 1)
            self._day(number)
            if self.is_over or self.stuck:
                break
        self._finish()

    # ------------------------------------------------------------ writing

    def write(self, entry: e.Entry) -> bool:
        """Whether the rules take the entry; a refusal is a breach of the file."""
        numbered = replace(entry, revision=len(self.entries) + 1)
        after = step(self.state, numbered)
        if len(after.set_aside) > len(self.state.set_aside):
            refusal = after.set_aside[-1][1]
            params = {"refusal": refusal, "moment": entry.moment, "kind": entry.kind}
            self.breaches.append(Breach("refused", refusal.clause, params))
            return False
        self.state = after
        self.entries.append(numbered)
        return True

    def breach(self, code: str, rule: str, **params: object) -> None:
        """Notes a contradiction with its clause."""
        self.breaches.append(Breach(code, self.state.regulation.cite(rule), params))

    def take(self, kind: str, round_: int, *seats: int) -> None:
        """These facts of the file are dealt with."""
        self.waiting.difference_update((kind, round_, seat) for seat in seats)

    def _place(self, moment: Moment, belongs: Callable[[Time], bool], turn: int | None = None) -> None:
        """Writes the fouls whose time belongs to that moment; `turn` names whose words they fell into."""
        found = [mark for mark in self.marks if belongs(mark.time)]
        words = e.Turn(moment=moment, seat=turn)
        if found and turn is not None and not self.is_over and refuse(self.state, words) is None:
            self.write(words)
        for mark in found:
            self.marks.remove(mark)
            team = self.state.team_of(mark.seat) if mark.penalty == Penalty.TEAM_DEFEAT else None
            self.write(e.Foul(moment=moment, seat=mark.seat, penalty=mark.penalty, clause=mark.clause, team=team))

    # ------------------------------------------------------------ the day

    def _day(self, number: int) -> None:
        round_ = number - 1
        night = self.state.nights.get(round_)
        victim = night.victim if night else None
        words = Moment(number, Phase.VICTIM_WORDS, 0, 1)
        self._place(words, at("night kill speaking", round_), victim)
        if self.is_over or self.stuck:
            return
        self._place(Moment(number, Phase.SPEECHES), at("day start", round_))
        self._speeches(number)
        if not self.stuck:
            self._votes(number)
        if not self.stuck:
            self._last_words(number)
            self.compare_exits(lambda type_, round__: round__ <= round_)

    def _speeches(self, number: int) -> None:
        round_ = number - 1
        while not self.is_over:
            day = self.state.days.get(number) or Day(number)
            order = speaking_order(self.state, day)
            if not order:
                break
            seat, moment = order[0], Moment(number, Phase.SPEECHES, 0, len(day.speeches) + 1)
            if not self.write(e.Turn(moment=moment, seat=seat)):
                self.stuck = True
                return
            self._nominate(round_, seat, moment)
            self._place(moment, at("speaking", round_, speaker=seat))
        if self.is_over:
            return
        for _, _, seat in sorted(fact for fact in self.waiting if fact[:2] == ("nomination", round_)):
            self._nominate(round_, seat, self.state.moment)  # who had left has no minute: the rules say so

    def _nominate(self, round_: int, seat: int, moment: Moment) -> None:
        target = self.log.player(seat).nominee(round_)
        self.take("nomination", round_, seat)
        if target is not None:
            self.write(e.Nomination(moment=moment, seat=seat, target=target))

    def _votes(self, number: int) -> None:
        round_, ballot = number - 1, 0
        if self._is_voided(round_):
            opening = Moment(number, Phase.BALLOT)
            self._place(opening, at("voting start", round_))
            self._place(opening, at("voting", round_, ballot=0, speaker=None, nominee=None))
            self._place(opening._replace(step=1), lambda time: time.round == round_ and time.name in VOTING)
            return
        while not self.is_over:
            day = self.state.days[number]
            current = current_ballot(self.state, day)
            if current is None or current[0] != ballot:
                break
            if not self._ballot(day, ballot, current[1].candidates):
                return
            ballot += 1
        if self.is_over:
            return
        day = self.state.days[number]
        if day.raise_due:
            self._raise_all(day)
        late = sorted(fact for fact in self.waiting if fact[:2] == (f"vote {ballot}", round_))
        if late:  # a ballot that was not held: the rules say why
            self._refused_ballot(number, ballot, [seat for _, _, seat in late])

    def _is_voided(self, round_: int) -> bool:
        """Whether a removal during the vote voided it, so that the file has no votes (A 7.1).

        How far the vote had come is unknown then: what fell in it stands by the first candidate.
        """
        if any(player.votes(round_) for player in self.log.players):
            return False
        removals = [player.removal for player in self.log.players if player.removal]
        return any(time.round == round_ and time.name in VOTING for time in removals)

    def _refused_ballot(self, number: int, ballot: int, seats: list[int]) -> None:
        targets = [self.log.player(seat).vote(number - 1, ballot) for seat in seats]
        first = next(target for target in targets if target is not None)
        moment = Moment(number, Phase.BALLOT, ballot, 1)
        self.write(e.Vote(moment=moment, target=first, count=targets.count(first)))
        self.stuck = True

    def _ballot(self, day: Day, ballot: int, candidates: tuple[int, ...]) -> bool:
        """Whether the ballot was taken to its end, or to the removal that voided it."""
        number, round_ = day.number, day.number - 1
        for ordinal, seat in enumerate(candidates if ballot else (), 1):
            before = Moment(number, Phase.PRE_REVOTE, ballot, ordinal)
            self._place(before, at("voting", round_, ballot=ballot, speaker=seat), seat)
        opening = Moment(number, Phase.BALLOT, ballot)
        if not ballot:
            self._place(opening, at("voting start", round_))
        self._place(opening, at("voting", round_, ballot=ballot, speaker=None, nominee=None))
        votes = self._votes_in(round_, ballot)
        for ordinal, seat in enumerate(candidates, 1):
            moment = Moment(number, Phase.BALLOT, ballot, ordinal)
            self._place(moment, at("voting", round_, ballot=ballot, nominee=seat))
            if self.is_over or cancellation_of(self.state, number) is not None:
                return True
            if votes and not self._tally(moment, seat, votes):
                return False
        if not votes:
            self.breach("no_votes", "voting", day=number, ballot=ballot, seats=candidates)
            self.stuck = True
        return bool(votes)

    def _votes_in(self, round_: int, ballot: int) -> dict[int, int]:
        """Seat → whom it voted for; whoever had left is named and left out."""
        votes = {}
        for player in self.log.players:
            target = player.vote(round_, ballot)
            if target is None:
                continue
            if self.state.seats[player.seat].left is None:
                votes[player.seat] = target
            else:
                self.take(f"vote {ballot}", round_, player.seat)
                self.breach("vote_by_departed", "left", day=round_ + 1, ballot=ballot, seat=player.seat)
        return votes

    def _tally(self, moment: Moment, seat: int, votes: dict[int, int]) -> bool:
        current = current_ballot(self.state, self.state.days[moment.day])
        assert current is not None
        on_ballot = current[1]
        voters = tuple(sorted(voter for voter, target in votes.items() if target == seat))
        count = len(voters)
        if seat == on_ballot.candidates[-1]:
            self._check_sum(moment, votes, on_ballot)
            count = remaining(on_ballot)
        self.take(f"vote {moment.ballot}", moment.day - 1, *voters)
        written = self.write(e.Vote(moment=moment, target=seat, count=count, voters=voters))
        self.stuck = self.stuck or not written
        return written

    def _check_sum(self, moment: Moment, votes: dict[int, int], ballot: Ballot) -> None:
        """Every player at the table has one vote, for a candidate of the ballot (RULES §3)."""
        where = {"day": moment.day, "ballot": moment.ballot}
        for voter, target in sorted(votes.items()):
            if target not in ballot.candidates:
                self.take(f"vote {moment.ballot}", moment.day - 1, voter)
                self.breach("vote_for_other", "voting", **where, seat=voter, target=target)
        silent = tuple(seat for seat in self.state.living if seat not in votes)
        if silent:
            figures = {"given": len(votes), "living": ballot.living}
            self.breach("votes_dont_sum", "tallies", **where, seats=silent, **figures)

    def _raise_all(self, day: Day) -> None:
        round_, moment = day.number - 1, Moment(day.number, Phase.RAISE_ALL)
        self._place(moment, at("voting kill all", round_))
        if self.is_over or not self.state.days[day.number].raise_due:
            return
        answers = {seat: self.log.player(seat).raises(round_) for seat in self.state.living}
        left = tuple(seat for seat in day.tied if self.log.player(seat).died("day", round_))
        if any(answer is not None for answer in answers.values()):
            voters = tuple(seat for seat, answer in answers.items() if answer)
            self.take("raise", round_, *answers)
            self.write(e.RaiseAll(moment=moment, count=len(voters), voters=voters))
            return
        if left and left != day.tied:
            self.breach("raised_in_part", "voting", day=day.number, seats=day.tied, left=left)
        self.write(e.RaiseAll(moment=moment, raised=left == day.tied))

    def _last_words(self, number: int) -> None:
        day = self.state.days.get(number)  # none where a vote was voided before any word of the day was written
        decision = day.decision if day else None
        for ordinal, seat in enumerate(decision.leavers if decision else (), 1):
            moment = Moment(number, Phase.LAST_WORDS, 0, ordinal)
            self._place(moment, at("day kill speaking", number - 1, speaker=seat), seat)

    # ------------------------------------------------------------ the night

    def _night(self, number: int) -> None:
        moment = Moment(number, Phase.NIGHT)
        if stalemate_of_move(self.state, moment):
            self.write(e.Turn(moment=moment))
            return
        self._place(moment, at("night start", number))
        if self.is_over:
            return
        if not self.write(self._shot(number, moment)):
            self.stuck = True
            return
        self._place(moment, at("shooting", number))
        for role, phase in ((Role.DON, Phase.DON), (Role.SHERIFF, Phase.SHERIFF)):
            kind = str(role)
            checked = [seat for name, night, seat in sorted(self.waiting) if (name, night) == (kind, number)]
            for seat in checked if not self.is_over else ():
                self.take(kind, number, seat)
                self.write(e.Check(moment=Moment(number, phase), by=role, target=seat))
            self._place(Moment(number, phase), at(kind, number))
        if number == (best_move_night(self.state) or 1) and not self._waits_for_a_victim():
            self._best_move()
        self.compare_exits(lambda type_, round_: type_ == "night" and round_ <= number)

    def _shot(self, number: int, moment: Moment) -> e.Shot:
        blacks = self.state.living_of(Team.BLACK)
        shots = [(seat, self.log.player(seat).shot(number)) for seat in blacks]
        shown = tuple((seat, target) for seat, target in shots if target is not None)
        self.take("shot", number, *(seat for seat, _ in shown))
        named, all_shown = {target for _, target in shown}, len(shown) == len(blacks)
        victim = next((player.seat for player in self.log.players if player.died("night", number)), None)
        if victim is None:
            agreed = named.pop() if all_shown and len(named) == 1 else None
            return e.Shot(moment=moment, target=agreed, shots=shown)
        if named - {victim}:
            self.breach("shot_not_unanimous", "night", night=number, seat=victim, shots=shown)
        if all_shown and named == {victim}:
            return e.Shot(moment=moment, target=victim, shots=shown)
        return e.Shot(moment=moment, target=victim)  # a shot missing from the file is unknown: the hit stands

    def _waits_for_a_victim(self) -> bool:
        """Whether the regulation gives the best move to who is shot first, and nobody is yet."""
        return self.state.regulation.best_move_after_miss and best_move_victim(self.state) is None

    def _best_move(self) -> None:
        number, victim = best_move_night(self.state) or 1, best_move_victim(self.state)
        for player in self.log.players:
            if player.best_move is None:
                continue
            self.take("best move", 1, player.seat)
            if victim != player.seat:
                self.breach("best_move_not_victim", "best_move", seat=player.seat, victim=victim)
            else:
                self.write(e.BestMove(moment=Moment(number, Phase.BEST_MOVE), seats=player.best_move))

    # ------------------------------------------------------------ the end

    def _finish(self) -> None:
        if not self.stuck and not self.is_over:
            morning = Moment(self.state.moment.day + 1, Phase.SPEECHES)
            for moment in (Moment(self.state.moment.day, Phase.NIGHT), morning):
                if stalemate_of_move(self.state, moment):
                    self.write(e.Turn(moment=moment))
        if self.stuck:
            return
        for _, _, seat in sorted(fact for fact in self.waiting if fact[0] == "best move"):
            self.breach("best_move_not_victim", "best_move", seat=seat, victim=None)
            self.take("best move", 1, seat)
        if self.is_over:
            self._name_four_of_unknown_time()
            self._place(AFTER, lambda time: time.name in ("end", ""))
        self.compare_exits(lambda type_, round_: True)
        for kind, round_ in sorted({fact[:2] for fact in self.waiting}):
            seats = tuple(sorted(seat for name, number, seat in self.waiting if (name, number) == (kind, round_)))
            self.breach("beyond_play", "after_end", kind=kind.split()[0], round=round_, seats=seats)
        for mark in self.marks:
            self.breach("foul_beyond_play", "after_end", seat=mark.seat, time=mark.time)
        self._compare_winner()

    def _name_four_of_unknown_time(self) -> None:
        """Four fouls kept as a bare number remove a player: nothing says that the fourth fell after the end (A 6.5)."""
        for player in self.log.players:
            if player.death is None and len(player.fouls) == 4 and not any(time.name for time in player.fouls):
                self.breach("fouls_and_exit", "fourth_foul", seat=player.seat, count=4, death=None)

    def compare_exits(self, is_due: Callable[[str, int], bool]) -> None:
        """Who left by the rules and who by the file, as far as the game has come; a difference stops the reading."""
        for seat in sorted(SEATS, key=lambda seat: self.state.seats[seat].left is None):  # causes before what follows
            death, player = self.log.player(seat).death, self.state.seats[seat]
            due = death is not None and is_due(death.type, death.round) and not self._is_to_come(seat)
            found = exit_as_told(self.state, seat)
            said = (death.type if death else "", death.round if death else 0)
            if (due or player.left) and said not in found:
                rule = player.left.clause if player.left else self.state.regulation.cite("left")
                self.breaches.append(Breach("exits_differ", rule, {"seat": seat, "death": death, "left": player.left}))
                self.stuck = True

    def _is_to_come(self, seat: int) -> bool:
        """Whether the file removes the player after the end, which is still to be read."""
        removal = self.log.player(seat).removal
        return removal is not None and removal.name == "end" and any(mark.seat == seat for mark in self.marks)

    def _compare_winner(self) -> None:
        end = outcome(self.state)
        if end is None:
            living = {"red": len(self.state.living_of(Team.RED)), "black": len(self.state.living_of(Team.BLACK))}
            self.breach("not_over", "end", declared=self.log.winner, **living)
        elif end.result != self.log.winner:
            self.breaches.append(
                Breach("other_winner", end.clause, {"declared": self.log.winner, "derived": end.result, "end": end})
            )
