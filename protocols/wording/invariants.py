"""What a record breaks and what looks wrong in it, naming seats, nicknames and the clause."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ..rules.outcome import Problem
from .entries import KIND_WORDS
from .refusals import sentence_params
from .terms import Names, Words, seat_words, seats_words, with_clause

BREACHES: Words = {
    # the table
    "roles_count": _(
        "Roles don’t add up: 6 К, 2 Ч, 1 Ш and 1 Д are needed; written: "
        "%(red)s К, %(black)s Ч, %(sheriff)s Ш, %(don)s Д"
    ),
    "person_twice": _("%(seats)s: one and the same person; ten different people play at a table"),
    "judge_plays": _("%(seat)s is the judge of this game; its judge is no player of the table"),
    "acts_after_leaving": _("Entry %(entry)s (%(kind)s, %(moment)s): %(seat)s was no longer at the table (%(left)s)"),
    # nominations and votes
    "nominates_twice": _("Day %(day)s: %(by)s nominates twice (%(seats)s); one nomination a day"),
    "nominated_twice": _("Day %(day)s: %(seat)s is nominated twice"),
    "vote_for_other": _(
        "Day %(day)s, %(ballot)s: %(votes)s votes for %(seat)s, who is not nominated. On the ballot: %(seats)s"
    ),
    "revote_for_other": _(
        "Day %(day)s, %(ballot)s: %(votes)s votes for %(seat)s, who is not among the leaders. On the ballot: %(seats)s"
    ),
    "counted_though_cancelled": _("Day %(day)s: votes are counted, but there is no vote: %(seat)s was removed"),
    "counted_though_ruled_out": _("Day %(day)s: votes are counted, but there is no vote by the judge’s ruling"),
    "single_nominee_counted": _("Votes are counted for %(seat)s, but on day 1 one nominee is not voted on"),
    "tallied_twice": _("Day %(day)s, %(ballot)s: the votes for %(seat)s are written twice"),
    "tallies_and_living": _(
        "Day %(day)s, %(ballot)s (%(seats)s): %(given)s votes in all, but %(living)s at the table, each with one"
    ),
    "tie_without_divisor": _(
        "Day %(day)s, %(ballot)s: %(seats)s can’t tie with %(votes)s each: %(living)s votes are not divided by %(tied)s"
    ),
    "votes_twice": _("Day %(day)s, %(ballot)s: %(seat)s votes twice"),
    "voters_and_tally": _("Day %(day)s, %(ballot)s: %(votes)s votes for %(seat)s, but %(named)s players are named"),
    "hands_and_living": _("Day %(day)s: %(count)s for raising, but %(living)s at the table"),
    "hand_twice": _("Day %(day)s: %(seat)s is counted twice for raising"),
    "hands_and_named": _("Day %(day)s: %(count)s for raising, but %(named)s players are named"),
    # who leaves
    "raised_by_too_few": _("Day %(day)s: %(seats)s are raised by %(count)s of %(living)s; over half is needed"),
    "not_raised_by_half": _("Day %(day)s: %(seats)s are not raised, though %(count)s of %(living)s are over half"),
    "words_of_other": _("Day %(day)s: last words of %(seat)s, but by the votes leaves: %(seats)s"),
    "words_of_nobody": _("Day %(day)s: last words of %(seat)s, but by the votes nobody leaves"),
    "left_by_no_vote": _("Day %(day)s: by the votes leaves: %(seats)s; in the record left: %(leavers)s"),
    # the night
    "shot_twice": _("Night %(night)s: one shot a night, but %(count)s are written: %(targets)s"),
    "shots_apart": _("Night %(night)s: %(seat)s is killed, but the blacks’ shots don’t agree on it: %(pairs)s"),
    "shots_agree_on": _("Night %(night)s: a miss is written, but all the blacks’ shots agree: %(pairs)s"),
    "shot_and_there": _("Night %(night)s: %(seat)s is shot, but has not left the table"),
    "killed_unshot": _("%(seat)s left as shot, but no shot says so"),
    # discipline and the end
    "fouls_over_four": _("%(seat)s has %(count)s fouls; with the fourth the player is removed, there is no fifth"),
    "four_fouls_there": _("%(seat)s has four fouls and is not removed"),
    "winner_and_living": _(
        "Written: %(result)s; but at the table were %(red)s red and %(black)s black players, and no clause ends the "
        "game so"
    ),
    # points
    "best_move_unshot": _("The best move (%(numbers)s) is nobody’s: in night 1 nobody was shot"),
    "best_move_of_removed": _("%(seat)s was removed before the best move was named"),
    "best_move_twice": _("%(seat)s has a second best move: %(numbers)s"),
    "best_move_not_three": _(
        "The best move of %(seat)s must be three different seats, not the own; written: %(numbers)s"
    ),
    "extra_not_given_so": _("%(points)s extra points for %(seat)s are not among those that may be given"),
    "extra_too_many": _("Extra points for %(count)s players (%(seats)s); at most %(most)s may have them"),
    "extra_too_much": _("Extra points come to %(sum)s (%(seats)s); at most %(most)s are given in a game"),
}
CAUTIONS: Words = {
    "out_of_turn": _("Day %(day)s: %(seat)s spoke out of turn"),
    "second_unchanged_day": _(
        "In days and nights %(before)s and %(night)s nobody left: with a third one running the game ends"
    ),
    "second_unchanged_night": _(
        "In nights %(before)s and %(night)s, each with the day after it, nobody left: with a third the game ends"
    ),
    "second_miss_at_four": _(
        "Nights %(before)s and %(night)s were missed with four at the table: with a third miss the game ends"
    ),
    "protest_written_late": _(
        "The protest is %(late)s late: it is written within %(minutes)s minutes after the end of the game"
    ),
    "table_twice_in_round": _("Round %(round)s has another game at table %(table)s"),
    "number_twice_in_round": _("Round %(round)s has another game with number %(game)s"),
}


def breach_of_record_words(problem: Problem, names: Names) -> str:
    """What the record breaks, with its clause."""
    params = problem.params
    said = sentence_params(params, names)
    if "kind" in params:
        said["kind"] = KIND_WORDS[str(params["kind"])]
    if "shots" in params:
        said["pairs"] = ", ".join(f"{by}→{target}" for by, target in cast(tuple[tuple[int, int], ...], params["shots"]))
    if "targets" in params:
        targets = cast(tuple[int | None, ...], params["targets"])
        said["targets"] = ", ".join(seat_words(seat, names) if seat else gettext("a miss") for seat in targets)
    if "leavers" in params:
        said["seats"] = seats_words(params["seats"], names) or "—"
        said["leavers"] = seats_words(params["leavers"], names) or "—"
    return with_clause(str(BREACHES[_variant(problem.code, params)]) % said, problem.clause)


def _variant(code: str, params: Mapping[str, object]) -> str:
    match code:
        case "counted_though_cancelled" if params["seat"] is None:
            return "counted_though_ruled_out"
        case "words_of_other" if not params["seats"]:
            return "words_of_nobody"
        case "shots_apart" if params["seat"] is None:
            return "shots_agree_on"
    return code


def caution_words(caution: Problem, names: Names) -> str:
    """What looks wrong and doesn't keep from signing, with its clause."""
    return with_clause(str(CAUTIONS[caution.code]) % sentence_params(caution.params, names), caution.clause)
