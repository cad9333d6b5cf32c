"""What must hold in every finished record, looked at once more without the refusals of the fold (RULES §1–§6).

Entries come from the board one by one, each judged by the fold; but they come from files, too, and from older
releases. Whatever breaks one of these rules blocks signing, under a code of its own. Only what the record says is
looked at: unknown voters, an uncounted raise-all, a foul without its clause are no breaches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from . import entries as e
from .course import Course
from .invariants_of_votes import breaches_of_votes
from .outcome import Problem, outcome
from .points import best_move_victim, points_of_thousandths
from .state import Exit, GameState
from .terms import ROLE_COUNTS, SEATS, HowLeft, Penalty, Phase, Result, Role, RulingAbout, Team

BY_LIVING = ("no_black_left", "blacks_not_fewer")
SETTLING = (RulingAbout.RESULT, RulingAbout.STANDS)


def breaches(entries: Iterable[e.Entry], state: GameState) -> list[Problem]:
    """Every rule that the record breaks; `state` is what follows from `entries`.

    A protocol with results only is asked for its roles, fouls and extra points alone.
    """
    course = Course(entries, state)
    found = list(_roles(course))
    if not state.results_only:
        found += _leaving(course)
        found += _nominations(course)
        found += breaches_of_votes(course)
        found += _shots(course)
    found += _fouls(course)
    if not state.results_only:
        found += _winner(course)
        found += _best_move(course)
    found += _extra_points(course)
    return found


# ---------------------------------------------------------------- roles, fouls


def _roles(course: Course) -> Iterator[Problem]:
    """Six К, two Ч, one Ш and one Д (A 9.4.1)."""
    wrong = [(entry.roles, entry) for _, entry in course.of(e.Roles) if not _are_ten(entry.roles)]
    for roles, entry in wrong:
        yield course.breach("roles_count", "roles", entry, **_counts(roles))
    dealt = tuple(player.role for player in course.state.seats.values() if player.role)
    if course.state.roles_known and not wrong and not _are_ten(dealt):
        yield course.breach("roles_count", "roles", **_counts(dealt))


def _counts(roles: tuple[Role, ...]) -> dict[str, object]:
    return {str(role): roles.count(role) for role in Role}


def _are_ten(roles: tuple[Role, ...]) -> bool:
    return {role: roles.count(role) for role in Role} == ROLE_COUNTS


def _fouls(course: Course) -> Iterator[Problem]:
    """No more than four fouls, and whoever has four is removed (A 6.5)."""
    for seat in SEATS:
        fouls = [entry for _, entry in course.of(e.Foul) if entry.seat == seat and entry.penalty == Penalty.FOUL]
        if len(fouls) > 4:
            yield course.breach("fouls_over_four", "fourth_foul", *fouls[4:], seat=seat, count=len(fouls))
        elif len(fouls) == 4 and seat not in course.removed:
            yield course.breach("four_fouls_there", "fourth_foul", seat=seat)


# ---------------------------------------------------------------- who is still at the table


def _leaving(course: Course) -> Iterator[Problem]:
    """Nobody acts or is acted on after having left, but for what RULES §1 names."""
    for place, entry in enumerate(course.order):
        for seat in sorted(set(_acting(course, entry))):
            exit_ = _gone(course, entry, seat, place)
            if exit_ is not None:
                yield course.breach(
                    "acts_after_leaving", "left", entry,
                    seat=seat, kind=entry.kind, entry=entry.revision, moment=entry.moment,
                    how=exit_.how, day=exit_.moment.day, night=exit_.moment.is_night,
                )  # fmt: skip


def _acting(course: Course, entry: e.Entry) -> Iterator[int]:
    """Who acts in the entry, or is acted on in a way that asks for somebody at the table."""
    match entry:
        case e.Turn(seat=int(seat)):
            yield seat
        case e.Nomination():
            yield entry.target
            if entry.seat is not None:
                yield entry.seat
        case e.Withdrawal():
            yield entry.seat
        case e.Vote():
            yield entry.target
            yield from entry.voters or ()
        case e.RaiseAll():
            yield from entry.voters or ()
        case e.Shot():  # a shot at a departed seat is a miss (RULES §4)
            yield from (shooter for shooter, _ in entry.shots)
        case e.Check():
            roles, holder = course.state.roles, course.state.seat_of(entry.by)
            if roles is not None and holder is not None and roles.revision < entry.revision:
                yield holder
        case e.Foul(seat=int(seat), penalty=Penalty.FOUL | Penalty.DISQUALIFYING):
            yield seat


def _gone(course: Course, entry: e.Entry, seat: int, place: int) -> Exit | None:
    """How the player had left, where that speaks against the entry; None where it doesn't."""
    player = course.state.seats.get(seat)
    if player is None:
        return None
    if isinstance(entry, e.Foul):  # last words are not free of fouls, and their penalty counts
        is_fifth = entry.penalty == Penalty.FOUL and len(player.fouls) == 4  # counted there
        return player.removed if course.was_removed(seat, place) and not is_fifth else None
    left = player.left
    if left is None or not course.had_left(seat, place):
        return None
    if course.was_removed(seat, place):
        return player.removed
    return None if _may_still(entry, left) else left


def _may_still(entry: e.Entry, left: Exit) -> bool:
    """Whether somebody who left so may still do this: last words, the check of the night of the own death."""
    moment = entry.moment
    if isinstance(entry, e.Check):
        return left.how == HowLeft.SHOT and left.moment.day == moment.day
    if isinstance(entry, e.Turn) and moment.phase == Phase.LAST_WORDS:
        return left.how in (HowLeft.VOTED, HowLeft.RAISED) and left.moment.day == moment.day
    if isinstance(entry, e.Turn) and moment.phase == Phase.VICTIM_WORDS:
        return left.how == HowLeft.SHOT and left.moment.day == moment.day - 1
    return False


# ---------------------------------------------------------------- nominations


def _nominations(course: Course) -> Iterator[Problem]:
    """At most one nomination a day by each speaker, and of each nominee (RULES §2)."""
    named: dict[int, list[e.Nomination]] = {}
    for entry in course.order:
        day = named.setdefault(entry.moment.day, [])
        if isinstance(entry, e.Withdrawal) and entry.revision not in course.aside:
            day[:] = [earlier for earlier in day if earlier.seat != entry.seat]
        if not isinstance(entry, e.Nomination):
            continue
        mine = next((earlier for earlier in day if entry.seat is not None and earlier.seat == entry.seat), None)
        same = next((earlier for earlier in day if earlier.target == entry.target), None)
        facts = {"day": entry.moment.day, "by": entry.seat}
        if mine is not None:
            seats = (mine.target, entry.target)
            yield course.breach("nominates_twice", "nomination", entry, **facts, seat=entry.seat, seats=seats)
        if same is not None:
            params = {**facts, "seat": entry.target, "speaker": same.seat}
            yield course.breach("nominated_twice", "nomination", entry, **params)
        day.append(entry)


# ---------------------------------------------------------------- the night


def _shots(course: Course) -> Iterator[Problem]:
    """One shot a night; whoever is shot by all the blacks is killed, and nobody else is (RULES §4)."""
    killed = {seat for seat, player in course.state.seats.items() if player.left and player.left.how == HowLeft.SHOT}
    for night, shots in sorted(course.days_of(e.Shot).items()):
        if len(shots) > 1:
            later, targets = [shot for _, shot in shots[1:]], tuple(shot.target for _, shot in shots)
            yield course.breach("shot_twice", "night", *later, night=night, count=len(shots), targets=targets)
        place, shot = shots[0]
        if shot.shots and _disagrees(course, place, shot):
            params = {"night": night, "seat": shot.target, "shots": shot.shots}
            yield course.breach("shots_apart", "night", shot, **params)
        target = shot.target
        if target is None or shot.revision in course.aside:
            continue
        left = course.state.seats[target].left
        if not course.had_left(target, place) and (left is None or left.revision != shot.revision):
            yield course.breach("shot_and_there", "night", shot, night=night, seat=target)
        killed -= {target} if left is not None and left.revision == shot.revision else set()
    for seat in sorted(killed):
        yield course.breach("killed_unshot", "night", seat=seat)


def _disagrees(course: Course, place: int, shot: e.Shot) -> bool:
    """Whether the shots written by name make another victim than the entry says."""
    named = {target for _, target in shot.shots}
    agreed = named.pop() if len(named) == 1 else None
    state, roles = course.state, course.state.roles
    if roles is not None:
        shooters = {shooter for shooter, _ in shot.shots}
        blacks = {seat for seat in course.living(place) if state.team_of(seat) == Team.BLACK}
        if shooters != blacks:
            if roles.revision > shot.revision:
                return False  # the roles came later: what they say of the shot is put before the judge
            agreed = None
    if agreed is not None and course.had_left(agreed, place):
        return shot.target not in (None, agreed)
    return shot.target != agreed


# ---------------------------------------------------------------- the end


def _winner(course: Course) -> Iterator[Problem]:
    """The winner is who wins by those at the table, or by a clause of its own: a defeat, a stalemate, a ruling."""
    state, end = course.state, outcome(course.state)
    if not state.roles_known:
        return
    for place, entry in course.of(e.GameOver):
        is_open = entry.revision in course.aside and not course.ruled_on(SETTLING, entry.revision)
        if is_open and entry.result.counts and (end is None or end.result != entry.result):
            yield course.breach("winner_and_living", "end", entry, result=entry.result, **_strengths(course, place))
    if end is None or end.reason not in BY_LIVING:
        return
    by_it = [
        course.left[seat] for seat, player in state.seats.items() if player.left and player.left.revision == end.by
    ]
    strengths = _strengths(course, max(by_it, default=len(course.order)) + 1)
    if _winner_by(strengths) != end.result:
        yield course.breach("winner_and_living", "end", result=end.result, **strengths)


def _strengths(course: Course, place: int) -> dict[str, int]:
    """How many of each team were at the table at that place."""
    teams = [course.state.team_of(seat) for seat in course.living(place)]
    return {"red": teams.count(Team.RED), "black": teams.count(Team.BLACK)}


def _winner_by(strengths: dict[str, int]) -> Result | None:
    if not strengths["black"]:
        return Result.RED
    return Result.BLACK if strengths["black"] >= strengths["red"] else None


# ---------------------------------------------------------------- points


def _best_move(course: Course) -> Iterator[Problem]:
    """A best move is named once, by the player shot on night 1, not removed: three seats, not the own (A 8.3)."""
    victim = best_move_victim(course.state)
    for number, (place, entry) in enumerate(course.of(e.BestMove)):
        if victim is None:
            yield course.breach("best_move_unshot", "best_move", entry, seats=entry.seats)
        elif course.was_removed(victim, place):
            yield course.breach("best_move_of_removed", "best_move", entry, seat=victim)
        elif number:
            yield course.breach("best_move_twice", "best_move", entry, seat=victim, seats=entry.seats)
        elif len({seat for seat in entry.seats if seat in SEATS} - {victim}) != 3 or len(entry.seats) != 3:
            yield course.breach("best_move_not_three", "best_move", entry, seat=victim, seats=entry.seats)


def _extra_points(course: Course) -> Iterator[Problem]:
    """The judge's extra points keep within amounts, players and sum (A 8.4.1–8.4.3)."""
    rules = course.rules
    given: dict[int, e.ExtraPoints] = {}
    for _, entry in course.of(e.ExtraPoints):
        points = points_of_thousandths(entry.points)
        if points and not _is_an_amount(course, points):
            yield course.breach("extra_not_given_so", "extra_amount", entry, seat=entry.seat, points=points)
        given[entry.seat] = entry
    with_points = {seat: entry for seat, entry in sorted(given.items()) if entry.points}
    seats, total = tuple(with_points), points_of_thousandths(sum(entry.points for entry in with_points.values()))
    beyond = [entry for entry in with_points.values() if entry.revision in course.aside]
    if rules.extra_players is not None and len(seats) > rules.extra_players:
        figures = {"seats": seats, "count": len(seats), "most": rules.extra_players}
        yield course.breach("extra_too_many", "extra_players", *beyond, **figures)
    if rules.extra_sum is not None and total > rules.extra_sum:
        figures = {"seats": seats, "sum": total, "most": rules.extra_sum}
        yield course.breach("extra_too_much", "extra_sum", *beyond, **figures)


def _is_an_amount(course: Course, points: Decimal) -> bool:
    rules = course.rules
    if rules.extra_amounts:
        return points in rules.extra_amounts
    return rules.extra_least <= points <= rules.extra_most and not points % rules.extra_step
