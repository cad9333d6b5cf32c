"""What a file says against itself beyond the point up to which it can be played.

Where a contradiction stops the playing, nothing that follows can be told by the rules any more. The rest is held
against what the file itself says of who left when.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set
from typing import cast

from protocols.rules.regulation import Regulation
from protocols.rules.state import GameState
from protocols.rules.terms import Moment, Result, Role

from .mafiaratings import NIGHT_TIMES, GameLog, Player
from .reading import Breach

BLACK = (Role.BLACK, Role.DON)
BEFORE_LEAVING = {
    "night": ("start", "arrangement", "relaxed sitting", "night start"),
    "day": (*NIGHT_TIMES, "day start", "night kill speaking", "speaking", "voting start"),
}
"""Times of a round before a shot, and before a vote, of that round."""


def beyond(log: GameLog, state: GameState, found: list[Breach]) -> list[Breach]:
    """The contradictions of what comes after the point reached by `state`, but for those found already."""
    moment, regulation = state.moment, state.regulation
    reached = state.days.get(moment.day)
    is_voted = moment.is_night or (reached is not None and reached.decision is not None)
    first_round = moment.day if is_voted or moment.day == 0 else moment.day - 1
    first_night = moment.day + 1 if moment.day in state.nights else max(moment.day, 1)
    known = {_key(breach) for breach in found}
    exits = {breach.params.get("seat") for breach in found if breach.code == "exits_differ"}
    refused = {cast(Moment, breach.params["moment"]).day for breach in found if breach.params.get("kind") == "vote"}
    rounds = [round_ for round_ in range(first_round, log.last_round + 1) if round_ + 1 not in refused]
    more = [
        *(breach for night in range(first_night, log.last_round + 1) for breach in _night(log, night, regulation)),
        *(breach for round_ in rounds for breach in _votes(log, round_, exits, regulation)),
        *(breach for breach in _table(log, regulation) if breach.params["seat"] not in exits),
        *_winner(log, regulation),
    ]
    return [breach for breach in more if _key(breach) not in known]


def _key(breach: Breach) -> tuple[object, ...]:
    return (breach.code, *(breach.params.get(name) for name in ("day", "ballot", "night", "seat")))


# ---------------------------------------------------------------- who is there


def _at_night(player: Player, night: int) -> bool:
    """Whether the player was there when that night's shot fell, as the file has it."""
    death = player.death
    if death is None or death.round > night or (death.round == night and death.type in ("day", "night")):
        return True
    return death.round == night and player.removal is not None and player.removal.name not in NIGHT_TIMES


def _at_vote(player: Player, round_: int) -> bool:
    death = player.death
    return death is None or death.round > round_ or (death.round == round_ and death.type != "night")


def _may_be_voided(log: GameLog, round_: int) -> bool:
    """Whether a removal about that round may have cancelled its vote, which can't be told without playing."""
    deaths = [player.death for player in log.players if player.death and player.death.type not in ("day", "night")]
    return any(death.round in (round_ - 1, round_) for death in deaths)


# ---------------------------------------------------------------- the checks


def _night(log: GameLog, night: int, regulation: Regulation) -> Iterator[Breach]:
    victim = next((player.seat for player in log.players if player.died("night", night)), None)
    blacks = [player for player in log.players if player.role in BLACK and _at_night(player, night)]
    shots = tuple((player.seat, target) for player in blacks if (target := player.shot(night)) is not None)
    named = {target for _, target in shots}
    where = {"night": night, "shots": shots}
    if victim is not None and named - {victim}:
        yield Breach("shot_not_unanimous", regulation.cite("night"), {**where, "seat": victim})
    if victim is None and len(named) == 1 and len(shots) == len(blacks):
        (target,) = named
        if _at_night(log.player(target), night):
            params = {"night": night, "seat": target, "death": log.player(target).death}
            yield Breach("shot_and_there", regulation.cite("night"), params)


def _votes(log: GameLog, round_: int, disputed: Set[object], regulation: Regulation) -> Iterator[Breach]:
    """`disputed`: seats of which it is told already that they left otherwise than the file says."""
    day = round_ + 1
    for player in log.players:
        if player.votes(round_) and not _at_vote(player, round_):
            params = {"day": day, "ballot": 0, "seat": player.seat}
            yield Breach("vote_by_departed", regulation.cite("left"), params)
    ballots = max((len(player.votes(round_)) for player in log.players), default=0)
    if not ballots or _may_be_voided(log, round_):
        return
    there = [
        player
        for player in log.players
        if _at_vote(player, round_) and (player.votes(round_) or player.seat not in disputed)
    ]
    complete = True
    for ballot in range(ballots):
        silent = tuple(player.seat for player in there if player.vote(round_, ballot) is None)
        if silent:
            complete = False
            figures = {"given": len(there) - len(silent), "living": len(there), "seats": silent}
            yield Breach("votes_dont_sum", regulation.cite("tallies"), {"day": day, "ballot": ballot, **figures})
    if complete:
        yield from _led_out(log, round_, ballots - 1, there, regulation)


def _led_out(
    log: GameLog, round_: int, last: int, there: list[Player], regulation: Regulation
) -> Iterator[Breach]:  # fmt: skip
    """The last ballot of a day leads out its only leader; a first one that ties is followed by another (RULES §3)."""
    tallies = Counter(player.vote(round_, last) for player in there)
    most = max(tallies.values())
    leaders = tuple(sorted(seat for seat, count in tallies.items() if seat is not None and count == most))
    where = {"day": round_ + 1, "ballot": last + 1}
    if len(leaders) > 1 and last == 0:
        yield Breach("no_votes", regulation.cite("voting"), {**where, "seats": leaders})
    elif len(leaders) == 1 and not log.player(leaders[0]).died("day", round_):
        params = {"day": round_ + 1, "seat": leaders[0], "death": log.player(leaders[0]).death}
        yield Breach("voted_and_there", regulation.cite("voting"), params)


def _table(log: GameLog, regulation: Regulation) -> Iterator[Breach]:
    victim = _best_move_victim(log, regulation)
    for player in log.players:
        fouls, death = len(player.fouls), player.death
        by_fouls = death is not None and death.type == "warnings"
        if _stayed_with_four(player) or (fouls < 4 and by_fouls) or fouls > 4:
            params = {"seat": player.seat, "count": fouls, "death": death}
            yield Breach("fouls_and_exit", regulation.cite("fourth_foul"), params)
        if player.best_move is not None and player.seat != victim:
            yield Breach(
                "best_move_not_victim", regulation.cite("best_move"), {"seat": player.seat, "victim": victim}
            )  # fmt: skip


def _best_move_victim(log: GameLog, regulation: Regulation) -> int | None:
    """Who was shot on night 1, or first, where the regulation gives the best move after a miss (A 8.3)."""
    shot = {player.death.round: player.seat for player in log.players if player.death and player.death.type == "night"}
    return shot.get(min(shot, default=1) if regulation.best_move_after_miss else 1)


def _stayed_with_four(player: Player) -> bool:
    """Whether the fourth foul fell while the player was there, and it was not what the player left by (A 6.5)."""
    death = player.death
    if len(player.fouls) < 4 or (death is not None and death.type == "warnings"):
        return False
    time = player.fouls[3]
    if death is None:
        return time.name != "end"
    if not time.name or time.round != death.round:
        return bool(time.name) and time.round < death.round
    return time.name in BEFORE_LEAVING.get(death.type, ())


def _winner(log: GameLog, regulation: Regulation) -> Iterator[Breach]:
    """The winner is the one whom those left at the table make it, where they make one (A 4.6.1)."""
    there = [player.role for player in log.players if player.death is None]
    black = sum(role in BLACK for role in there)
    red = len(there) - black
    by_living = Result.RED if not black else Result.BLACK if black >= red else None
    is_defeat = any(player.death and player.death.type == "teamKickOut" for player in log.players)
    if by_living and by_living != log.winner and not is_defeat:
        yield Breach("winner_and_living", regulation.cite("end"), {"declared": log.winner, "red": red, "black": black})
