"""A regulation as players read it: full sentences made from its switches and numbers, each with its clause."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from .rules.articles import CITATIONS
from .rules.articles import FEDERATION_PRACTICE as PRACTICE
from .rules.regulation import AfterLeaving, Base, Edition, Reckoning, Regulation, Scale, Stalemate
from .rules.terms import Role
from .wording import points_words

Told = tuple[str, str, str]  # a key, the clause, the sentence


@dataclass(frozen=True)
class Sentence:
    """One rule of the regulation; `was` is what the preset says instead, empty where it says the same."""

    key: str
    clause: str
    text: str
    was: str = ""


@dataclass(frozen=True)
class Chapter:
    """Sentences that belong together."""

    title: str
    sentences: tuple[Sentence, ...]


def chapters_of(rules: Regulation, preset: Regulation) -> list[Chapter]:
    """The whole regulation in words, what differs from the preset marked."""
    return [
        Chapter(title, tuple(_marked(tell(rules), {key: text for key, _clause, text in tell(preset)})))
        for title, tell in (
            (pgettext("regulation", "The day"), _day),
            (pgettext("regulation", "The vote"), _vote),
            (_("The end of the game"), _end),
            (_("Points of a game"), _points),
            (_("Extra points"), _extra),
            (_("The rating"), _rating),
            (_("Equal players"), _ties),
            (_("Teams"), _teams),
            (_("Protests"), _protests),
        )
    ]


def sentence_of(rules: Regulation, chapter: str, key: str) -> Sentence:
    """One rule of the regulation; `chapter` is points, extra, rating, ties or teams. Raises KeyError for another."""
    tell = {"points": _points, "extra": _extra, "rating": _rating, "ties": _ties, "teams": _teams}[chapter]
    return {told[0]: Sentence(*told) for told in tell(rules)}[key]


def _marked(told: Iterator[Told], before: dict[str, str]) -> Iterator[Sentence]:
    for key, clause, text in told:
        was = before.get(key, "")
        yield Sentence(key, clause, text, was if was != text else "")


def cited(rules: Regulation, rule: str) -> str:
    """The clause of a rule in the edition that the regulation began with."""
    if rule in CITATIONS:
        return rules.cite(rule)
    in_a, in_b, in_federation = OF_POINTS[rule]
    return {Edition.A: in_a, Edition.B: in_b, Edition.FEDERATION: in_federation}[rules.edition]


OF_POINTS: dict[str, tuple[str, str, str]] = {
    "win": ("A 8.2", "A 8.2", PRACTICE),
    "loss": ("A 8.2.3", "A 8.2.3", PRACTICE),
    "penalty": ("A 8.2.4", "A 8.2.4", PRACTICE),
    "ci": ("§6", "§6", PRACTICE),
    "rating": ("A 8.6", "A 8.6", "A 8.6"),
    "ties": ("A 8.5", "A 8.5", "A 8.5"),
    "teams": ("§7", "§7", "§7"),
    "stages": ("§7", "§7", "§7"),
}


def _seconds(value: int) -> str:
    return ngettext("%(count)d second", "%(count)d seconds", value) % {"count": value}


def _teller(rules: Regulation) -> Callable[[str, str, str], Told]:
    return lambda key, rule, text: (key, cited(rules, rule), text)


def _day(rules: Regulation) -> Iterator[Told]:
    tell = _teller(rules)
    yield tell("minute", "day", _("A player’s own minute lasts %(time)s.") % {"time": _seconds(rules.speech_seconds)})
    yield tell(
        "opener",
        "day",
        _("Each day is opened by the next living seat after the one that opened the day before.")
        if rules.opener_moves
        else _("Each day is opened by seat 1, or by the first living seat after it."),
    )
    yield tell(
        "withdrawal",
        "nomination",
        _("A nomination may be taken back in the minute it was made in.")
        if rules.withdrawal
        else _("A nomination can’t be taken back."),
    )
    silence = _("After the third foul the player loses the next own minute.")
    if rules.thirty_seconds_for_silenced:
        silence += " " + _("With 3 or 4 at the table %(time)s are given instead.") % {
            "time": _seconds(rules.short_speech_seconds)
        }
    yield tell("silence", "third_foul", silence)
    words = {"last": _seconds(rules.last_words_seconds), "night": _seconds(rules.night_seconds)}
    yield tell("last_words", "day", _("Last words last %(last)s.") % words)
    times = words | {"check": _seconds(rules.check_seconds)}
    yield tell("night", "night", _("The blacks have %(night)s to shoot, a check takes %(check)s.") % times)


def _vote(rules: Regulation) -> Iterator[Told]:
    tell = _teller(rules)
    yield tell(
        "single",
        "voting",
        _("With one nominee on day 1 there is no vote, night falls.")
        if rules.single_nominee_day_one
        else _("One nominee of day 1 is voted on as on any other day."),
    )
    tied = _("The tied speak for %(time)s each before a revote.") % {"time": _seconds(rules.tied_seconds)}
    yield tell("tied", "revote_speech", tied)
    yield tell(
        "no_raise",
        "no_raise",
        _("With 3 or 4 at the table a second full tie means night.")
        if rules.no_raise_at_four
        else _("After a second full tie it is asked, with 3 or 4 at the table too, whether all of the tied leave."),
    )
    raised = _("Those who leave together have %(time)s each.") % {"time": _seconds(rules.raised_seconds)}
    three = _("Three of nine may leave together.") if rules.raise_three_of_nine else _("Three of nine can’t.")
    yield tell("raised", "raised", f"{raised} {three}")
    yield tell(
        "after_vote",
        "no_vote_after_decided",
        _("A removal after the day’s vote was decided cancels the vote of the next day.")
        if rules.removal_after_vote_cancels_next
        else _("A removal after the day’s vote was decided cancels nothing."),
    )
    yield tell(
        "after_leaving",
        "no_vote_today",
        _("The removal of a player who had already left cancels nothing.")
        if rules.removal_after_leaving == AfterLeaving.NOTHING
        else _("The removal of a player who had already left cancels the vote, as any removal does."),
    )


def _end(rules: Regulation) -> Iterator[Told]:
    tell = _teller(rules)
    stalemate = {
        Stalemate.NONE: _("However long nobody leaves, the game goes on."),
        Stalemate.THREE_DAYS_RED: _("Three days and nights running in which nobody leaves: the red win."),
        Stalemate.THREE_MISSES_AT_FOUR_RED: _("Four at the table and three nights running missed: the red win."),
        Stalemate.THREE_NIGHTS_DRAW: _("Three nights with the days after them in which nobody leaves: a draw."),
    }[rules.stalemate]
    yield tell("stalemate", "three_days", stalemate)
    draw = _("A game may end in a draw.") if rules.has_draw else _("There is no draw.")
    yield tell("draw", "end", draw)


def _points(rules: Regulation) -> Iterator[Told]:
    tell = _teller(rules)
    if rules.base == Base.MARKS:
        yield tell("win", "win", _("The result of a game brings no points; the judge’s mark for speeches does."))
    else:
        yield tell("win", "win", _("For a win: %(roles)s.") % {"roles": _by_role(rules.win_of)})
        yield tell("loss", "loss", _("For a loss: %(roles)s.") % {"roles": _by_role(rules.loss_of)})
        draw = _("For a draw every player gets %(points)s.") % {"points": points_words(rules.draw)}
        yield tell("draw", "loss", draw if rules.has_draw else _("There are no points for a draw."))
    yield tell("mark", "speech_mark", _speech(rules))
    yield tell("removal", "penalty", _removal(rules))
    offender = {"points": points_words(rules.team_defeat_offender, sign=True)}
    yield tell(
        "team_defeat",
        "team_defeat",
        _("Whose violation brings the team’s defeat gets %(points)s.") % offender
        if rules.team_defeat_offender
        else _("Whose violation brings the team’s defeat gets no penalty besides it."),
    )
    yield tell(
        "warning",
        "warning",
        _("Each warning (a yellow card) costs %(points)s.") % {"points": points_words(rules.warning, sign=True)}
        if rules.warning
        else _("A warning has no further consequence."),
    )
    yield tell("best_move", "best_move", _best_move(rules))
    yield tell(
        "best_move_void",
        "best_move_void",
        _("There is no best move if two or more left by the vote of day 1.")
        if rules.best_move_void_after_raise
        else _("The best move counts however many left by the vote of day 1."),
    )


def _by_role(of: Callable[[Role], Decimal]) -> str:
    names = (
        (Role.RED, _("a red player %(points)s")),
        (Role.SHERIFF, _("the sheriff %(points)s")),
        (Role.BLACK, _("a black player %(points)s")),
        (Role.DON, _("the don %(points)s")),
    )
    return ", ".join(words % {"points": points_words(of(role))} for role, words in names)


def _speech(rules: Regulation) -> str:
    if rules.speech_step is None:
        return _("Speeches are not marked.")
    range_ = {"most": points_words(rules.speech_most), "step": points_words(rules.speech_step)}
    marked = _("The judge marks each player’s speeches from 0 to %(most)s in steps of %(step)s.") % range_
    column = _("The mark stands in “Points”.") if rules.speech_in_points else _("The mark stands in “Extra points”.")
    return f"{marked} {column}"


def _removal(rules: Regulation) -> str:
    fouls = points_words(rules.removal, sign=True)
    apart = rules.removal_of(disqualified=True)
    if apart == rules.removal:
        return _("A removal, by four fouls or by a disqualifying one, costs %(points)s, once a game.") % {
            "points": fouls
        }
    words = {"fouls": fouls, "foul": points_words(apart, sign=True)}
    return _("A removal costs %(fouls)s by four fouls and %(foul)s by a disqualifying one, once a game.") % words


def _best_move(rules: Regulation) -> str:
    names = (
        (Role.RED, _("a red player")),
        (Role.SHERIFF, _("the sheriff")),
        (Role.BLACK, _("a black player")),
        (Role.DON, _("the don")),
    )
    given = [f"{name} {_scale(rules.best_move_scale(role))}" for role, name in names if rules.best_move_scale(role)]
    who = (
        _("The player shot on night 1 names three seats; after a miss, the first player shot.")
        if rules.best_move_after_miss
        else _("The player shot on night 1 names three seats.")
    )
    if not given:
        return f"{who} " + _("It brings no points.")
    return f"{who} " + _("Points for the blacks among them: %(roles)s; others nothing.") % {"roles": "; ".join(given)}


def _scale(scale: Scale) -> str:
    parts = [f"{hits} — {points_words(points)}" for hits, points in sorted(scale, reverse=True) if points]
    return "(" + " · ".join(parts) + ")"


def _extra(rules: Regulation) -> Iterator[Told]:
    tell = _teller(rules)
    if rules.extra_amounts:
        amounts = "; ".join(points_words(points) for points in rules.extra_amounts)
        yield tell("amounts", "extra_amount", _("The judge may give a player: %(amounts)s.") % {"amounts": amounts})
    else:
        words = {
            "least": points_words(rules.extra_least),
            "most": points_words(rules.extra_most),
            "step": points_words(rules.extra_step),
        }
        amounts = _("The judge may give a player from %(least)s to %(most)s in steps of %(step)s.") % words
        yield tell("amounts", "extra_amount", amounts)
    players = rules.extra_players
    yield tell(
        "players",
        "extra_players",
        _("Any number of players may get them.")
        if players is None
        else ngettext("At most %(count)d player gets them.", "At most %(count)d players get them.", players)
        % {"count": players},
    )
    total = rules.extra_sum
    yield tell(
        "sum",
        "extra_sum",
        _("Their sum in a game is not limited.")
        if total is None
        else _("In a game they come to %(points)s at most.") % {"points": points_words(total)},
    )
    yield tell(
        "comment",
        "extra",
        _("They are given only with a comment, which is printed.")
        if rules.extra_comment
        else _("They may carry a comment, which is printed."),
    )


def _rating(rules: Regulation) -> Iterator[Told]:
    tell = _teller(rules)
    yield tell("reckoning", "rating", _reckoning(rules))
    names = component_names()
    shown = [name for key, name in names.items() if key in rules.multiplied and (key != "speech" or rules.has_marks)]
    yield tell(
        "multiplied",
        "rating",
        _("The multiplier of a stage is for: %(parts)s.") % {"parts": ", ".join(shown)}
        if shown
        else _("Stages have no multiplier."),
    )
    yield tell("ci", "ci", _compensation(rules))
    yield tell(
        "decimals",
        "stages",
        ngettext(
            "Ratings are shown with %(count)d decimal at most; their order is that of the exact values.",
            "Ratings are shown with %(count)d decimals at most; their order is that of the exact values.",
            rules.decimals,
        )
        % {"count": rules.decimals},
    )


def _reckoning(rules: Regulation) -> str:
    if rules.reckoning == Reckoning.AVERAGE:
        return _("A player’s rating is the sum over all games and stages, divided by the number of games.")
    if rules.reckoning == Reckoning.BEST:
        count = rules.best_games or 1
        return ngettext(
            "A player’s rating is that of the best game.",
            "A player’s rating is the sum of the best %(count)d games.",
            count,
        ) % {"count": count}
    return _("A player’s rating is the sum over all games and stages.")


def _compensation(rules: Regulation) -> str:
    """Ci in words, with its formula (RULES §6)."""
    if rules.compensation is None:
        return _("There is no compensation of the first victim (Ci).")
    words = {"most": points_words(rules.compensation), "share": points_words(rules.compensation_share)}
    return " ".join(
        (
            _("Compensation: for each lost game in which a player, red or sheriff, was shot on night 1,"),
            "Ci = min({most}; {most} · K ÷ round({share} · N)).".format(**words),
            _("K are the player’s nights of that kind, in won games too, N the player’s games in the group of stages."),
            _("round() is half up, and a divisor of 0 counts as 1. Ci is apart from the other columns of the rating."),
        )
    )


def component_names() -> dict[str, str]:
    """The parts of a rating that a multiplier may be for."""
    return {
        "win": pgettext("regulation", "the win"),
        "speech": pgettext("regulation", "the mark for speeches"),
        "best_move": pgettext("regulation", "the best move"),
        "extra": pgettext("regulation", "extra points"),
        "penalty": pgettext("regulation", "the penalty"),
        "compensation": pgettext("regulation", "compensation Ci"),
    }


def tie_key_names(rules: Regulation | None = None) -> dict[str, str]:
    """The tie keys in words; of «extra» those that the regulation means."""
    whole = rules is not None and rules.tie_extra_with_best_move
    return {
        "extra": _("more of the judge’s extra points and best moves")
        if whole
        else _("more of the judge’s extra points"),
        "wins": _("more wins"),
        "don_sheriff_wins": _("more wins as don or sheriff"),
        "first_victim": _("more often shot on night 1"),
        "best_move": _("more points of best moves"),
        "penalty": _("fewer penalties"),
        "qualifying": _("the higher qualifying rating, given from outside"),
        "lot": _("lot"),
    }


def _ties(rules: Regulation) -> Iterator[Told]:
    tell = _teller(rules)
    names = tie_key_names(rules)
    keys = "; ".join(f"{number}) {names[key]}" for number, key in enumerate(rules.tie_keys, start=1))
    yield tell(
        "keys", "ties", _("At equal ratings the first of these that differs decides: %(keys)s.") % {"keys": keys}
    )


def _teams(rules: Regulation) -> Iterator[Told]:
    tell = _teller(rules)
    best = rules.team_best
    total = (
        _("A team has the sum of its members’ ratings.")
        if best is None
        else ngettext(
            "A team has the best rating of its members.",
            "A team has the sum of the best %(count)d ratings of its members.",
            best,
        )
        % {"count": best}
    )
    yield tell("sum", "teams", total)
    yield tell(
        "penalties",
        "teams",
        _("Penalties of the team are taken off its sum.")
        if rules.team_penalties
        else _("There are no penalties of a team."),
    )


def _protests(rules: Regulation) -> Iterator[Told]:
    minutes = rules.protest_minutes
    within = ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
    yield _teller(rules)(
        "window", "protest", _("A protest is taken for %(time)s after the end of the game.") % {"time": within}
    )
