"""Why an entry may not be written, and what may be written instead."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import cast

from django.utils.translation import gettext_lazy as _

from ..rules.refusal import Refusal
from ..rules.terms import Moment
from .moments import ballot_words, moment_words
from .terms import (
    Names,
    Words,
    check_words,
    left_words,
    numbers_words,
    points_words,
    result_words,
    seat_words,
    seats_words,
    team_words,
    with_clause,
)

REFUSALS: Words = {
    # the game moves on
    "day_skipped": _("Day %(day)s comes first"),
    "nobody_shot": _("Nobody was shot in night %(night)s, so there are no last words"),
    "day_not_opened": _("Day %(day)s has not begun yet: open it with the first speech"),
    "night_zero": _("In night 0 the blacks only meet; day 1 comes next"),
    "other_ballot": _("The %(ballot)s is under way now"),
    "no_raise_question": _("The question of raising all is not asked now"),
    "nobody_voted_out": _("Nobody was voted out, so there are no last words"),
    "raise_due": _("First write how many are for raising all: %(seats)s"),
    "vote_due": _("Night can’t fall yet. The %(ballot)s must be finished; tallies are missing for %(seats)s"),
    "shot_due": _("First write the shot or the miss of night %(night)s"),
    "vote_cancelled": _("There is no vote on day %(day)s: %(seat)s was removed"),
    "vote_cancelled_ruling": _("There is no vote on day %(day)s by the judge’s ruling"),
    "vote_decided": _("The vote is decided: %(seats)s leaves"),
    "vote_decided_many": _("The vote is decided: %(seats)s leave"),
    "vote_decided_none": _("The vote is decided: nobody leaves"),
    "no_nominees": _("Nobody is nominated on day %(day)s, so there is no vote: night falls"),
    "single_nominee": _("On day 1 one nominee (%(seat)s) is not voted on: night falls"),
    "no_such_moment": _("The game has not come to such a moment: %(moment)s"),
    "already_there": _("The game has already come to «%(moment)s» or past it"),
    "game_over": _("The game is over. Only fouls, removals, the best move, roles, points and rulings are taken now"),
    "stalemate_due": _("Here the game ends: three days and nights running nobody left. Move on to close the night"),
    "results_only": _("This protocol holds results only; the course of the game is not written in it"),
    # seats
    "no_such_seat": _("There is no seat %(number)s; seats are 1 to 10"),
    "has_left": _("%(seat)s is no longer at the table (%(left)s)"),
    "seat_needed": _("Say whom this is for: choose a seat"),
    "two_seats_needed": _("Choose two different seats"),
    # speeches
    "has_spoken": _("%(seat)s has already had the minute today"),
    "not_next": _("It is not the minute of %(seat)s. Still to speak, in order: %(numbers)s"),
    "not_tied": _("%(seat)s is not among the tied. Speaking before the revote: %(seats)s"),
    "not_the_victim": _("%(seat)s was not shot last night"),
    "not_voted_out": _("%(seat)s was not voted out today"),
    "no_last_words": _("%(seat)s is removed and leaves without last words"),
    # nominations
    "not_in_speeches": _("Nominations are taken only during the speeches"),
    "vote_has_begun": _("The vote has begun; the list of nominees is closed"),
    "not_own_minute": _("%(seat)s nominates only in the own minute; now it is the minute of %(speaker)s"),
    "not_own_minute_nobody": _("%(seat)s nominates only in the own minute"),
    "has_nominated": _("%(seat)s has already nominated %(target)s today: one nomination a day"),
    "already_nominated": _("%(seat)s is already nominated by %(by)s. May be nominated: %(numbers)s"),
    "already_nominated_unknown": _("%(seat)s is already nominated. May be nominated: %(numbers)s"),
    "no_withdrawal": _("Under this regulation a nomination can’t be withdrawn"),
    "nothing_to_withdraw": _("%(seat)s has nominated nobody today"),
    # the vote
    "not_in_ballot": _("Tallies are written only during a vote"),
    "not_a_candidate": _("%(seat)s is not on this ballot. On it: %(seats)s"),
    "already_counted": _("The votes for %(seat)s are already written: %(votes)s"),
    "not_next_candidate": _("The votes for %(next)s come first, then those for %(seat)s"),
    "too_many_votes": _("%(votes)s for %(seat)s can’t be: at most %(left)s of %(living)s votes are left"),
    "votes_dont_sum": _(
        "%(votes)s for %(seat)s doesn’t add up: whoever didn’t vote counts for the last, so it is %(left)s "
        "(%(living)s at the table)"
    ),
    "has_voted": _("%(seat)s has already voted in this ballot"),
    "voter_twice": _("One and the same player is counted twice for %(seat)s"),
    "voters_dont_match": _("For %(seat)s %(votes)s votes are written, but %(named)s players are named"),
    "tallies_dont_match": _("Candidates on this ballot: %(seats)s. Numbers written: %(named)s"),
    "removed_after_vote": _(
        "%(seat)s: the vote is decided in full, so this removal came after it. Choose “after the vote”, or leave "
        "the tallies as far as they were taken"
    ),
    "too_many_hands": _("%(count)s for raising can’t be: %(living)s are at the table"),
    "raise_unanswered": _("Write how many are for raising, or only whether they were raised"),
    "raise_disagrees": _("%(count)s of %(living)s for raising disagrees with the result chosen: over half is needed"),
    # the night
    "not_at_night": _("The shot is written at night, from night 1 on"),
    "already_shot": _("The shot of night %(night)s is already written: %(seat)s"),
    "already_shot_miss": _("The shot of night %(night)s is already written: a miss"),
    "shooter_twice": _("One and the same shooter is written twice"),
    "not_black": _("%(seat)s doesn’t shoot: not a black player"),
    "shots_disagree": _("By the shots written %(agreed)s is shot, not %(seat)s"),
    "shots_disagree_miss": _("The shots written don’t agree, so it is a miss"),
    "shots_agree": _("By the shots written it is no miss: %(agreed)s is shot"),
    "not_check_time": _("Checks are written at night: first the don’s, then the sheriff’s"),
    "already_checked": _("This night %(check)s is already written: %(seat)s"),
    "checker_has_left": _("There is no %(check)s this night: %(seat)s left before it fell"),
    # the best move
    "best_move_named": _("The best move is already written: %(numbers)s"),
    "best_move_early": _("The best move is named after the shot of night 1"),
    "best_move_miss": _("Night 1 was a miss: a dash stands for the best move, nobody names it"),
    "best_move_waits": _("After a miss the best move is named by the first player shot; nobody is shot yet"),
    "best_move_removed": _("%(seat)s is removed and has no best move"),
    "best_move_void": _("%(seat)s has no best move: %(count)s players left by the vote of day 1"),
    "best_move_three": _("The best move of %(seat)s is exactly three seats from 1 to 10"),
    "best_move_repeated": _("In the best move of %(seat)s the three seats must differ; written: %(numbers)s"),
    "best_move_own": _("%(seat)s can’t name the own seat in the best move"),
    # discipline
    "wrong_clause": _("Clause %(clause)s is not one for this penalty"),
    "fifth_foul": _("%(seat)s has four fouls and is removed; a fifth is not written"),
    "already_removed": _("%(seat)s is already removed; another foul is not written"),
    "hint_has_no_seat": _("A hint from the hall (6.8.4) names no seat, only the team that loses"),
    "team_needed": _("Choose the team that loses"),
    "other_team": _("%(seat)s plays for the %(team)s: it is this team that loses"),
    "no_such_foul": _("There is no foul in entry %(revision)s to give a clause to"),
    # before and after
    "role_counts": _(
        "Roles don’t add up: 6 К, 2 Ч, 1 Ш and 1 Д are needed; chosen: %(red)s К, %(black)s Ч, %(sheriff)s Ш, %(don)s Д"
    ),
    "already_declared": _("The end of the game is already declared. Strike that entry out first"),
    "reason_needed": _("Give the reason: it is printed in the protocol"),
    "no_draw": _("There is no draw under this regulation"),
    "not_over": _("By the rules the game is not over: at the table are %(red)s red and %(black)s black players"),
    "other_winner": _("By the record the result is another: %(result)s"),
    "result_needed": _("Choose the result that the ruling sets"),
    "not_by_day": _("The vote can be ruled on only by day"),
    "vote_not_cancelled": _("The vote of day %(day)s is not cancelled, there is nothing to restore"),
    "vote_not_open": _("The vote of day %(day)s is already cancelled or decided"),
    "nothing_to_strike": _("There is no entry %(revision)s to strike out"),
    "already_struck": _("Entry %(revision)s is already struck out"),
    "signed": _("The protocol is signed. Only the head judge may reopen it"),
    "head_judge_only": _("Only the head judge removes from the tournament (%(seat)s)"),
    # protests
    "protest_before_end": _("The end of the game is not written yet; a protest is against its result"),
    "protest_empty": _("Write what %(seat)s protests against"),
    "protest_late": _(
        "The protest of %(seat)s is %(late)s late: it is written within %(minutes)s minutes after the end of the game. "
        "The head judge may admit it with a reason"
    ),
    "protest_twice": _("%(seat)s has protested against this game already; one protest holds everything"),
    "protest_after_decision": _(
        "The protest of %(seat)s against this game is decided; the decision is final and nothing further is considered"
    ),
    "protest_decided": _("This protest is already decided; the decision is final"),
    "protest_unreasoned": _("Give the reason for the decision"),
    # points
    "extra_amount": _("%(points)s extra points for %(seat)s can’t be given; allowed: %(allowed)s"),
    "extra_range": _("%(points)s extra points for %(seat)s can’t be given: from %(least)s to %(most)s by %(step)s"),
    "extra_comment": _("%(points)s extra points for %(seat)s need a comment: for what they are given"),
    "extra_players": _("No extra points for %(seat)s: at most %(most)s players get them, and %(seats)s have them"),
    "extra_sum": _("With %(seat)s extra points come to %(sum)s; at most %(most)s are given in a game"),
    "no_speech_marks": _("Under this regulation speeches are not marked"),
    "speech_range": _("%(points)s for the speeches of %(seat)s can’t be: from 0 to %(most)s by %(step)s"),
}

_SEAT_PARAMS = ("seat", "by", "target", "speaker", "next", "agreed")


def refusal_words(refusal: Refusal, names: Names) -> str:
    """Why not, naming seat and nickname, what is allowed instead, and the clause."""
    params = refusal.params
    words = str(REFUSALS[_variant(refusal.code, params)])
    return with_clause(words % sentence_params(params, names), refusal.clause)


def _variant(code: str, params: Mapping[str, object]) -> str:
    seat = params.get("seat")
    seats = cast(tuple[int, ...], params.get("seats", ()))
    match code:
        case "vote_cancelled" if seat is None:
            return "vote_cancelled_ruling"
        case "vote_decided" if len(seats) != 1:
            return "vote_decided_many" if seats else "vote_decided_none"
        case "not_own_minute" if params.get("speaker") is None:
            return "not_own_minute_nobody"
        case "already_nominated" if params.get("by") is None:
            return "already_nominated_unknown"
        case "already_shot" if seat is None:
            return "already_shot_miss"
        case "shots_disagree" if params.get("agreed") is None:
            return "shots_disagree_miss"
        case "shots_disagree" if seat is None:
            return "shots_agree"
    return code


def sentence_params(params: Mapping[str, object], names: Names) -> dict[str, object]:
    """The parameters of a code as words: seats with nicknames, points with a comma, ballots and moments named."""
    said: dict[str, object] = {}
    for key, value in params.items():
        if isinstance(value, Decimal):
            said[key] = points_words(value)
        elif isinstance(value, Moment):
            said[key] = moment_words(value)
        elif key in _SEAT_PARAMS and isinstance(value, int):
            said[key] = seat_words(value, names)
        elif key == "ballot" and isinstance(value, int):
            said[key] = ballot_words(value - 1)
        elif key == "team":
            said[key] = team_words(value)
        elif key in ("result", "declared", "derived"):
            said[key] = result_words(value)
        elif key == "allowed":
            said[key] = "; ".join(points_words(points) for points in cast(tuple[Decimal, ...], value))
        else:
            said[key] = value
    if isinstance(params.get("seat"), int):
        said["number"] = params["seat"]
    if "seats" in params:
        said["seats"] = seats_words(params["seats"], names)
        said["numbers"] = numbers_words(params["seats"])
    if "how" in params:
        said["left"] = left_words(params["how"], params["day"], params["night"])
    if "by" in params and not isinstance(params["by"], int) and params["by"] is not None:
        said["check"] = check_words(params["by"])
    return said
