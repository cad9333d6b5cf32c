"""What the form of a regulation asks, chapter by chapter, in the order of the rulebook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ..rules.regulation import AfterLeaving, Base, Reckoning, Stalemate

Kind = Literal["switch", "number", "number?", "points", "points?", "amounts", "scale", "ties", "parts", "choice"]

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Words = str | _StrPromise


@dataclass(frozen=True)
class Question:
    """One switch or number: what it is called, which rule it belongs to, how it is answered."""

    name: str
    label: Words
    rule: str
    kind: Kind
    help: Words = ""
    choices: tuple[tuple[str, Words], ...] = ()
    of: tuple[str, ...] = ()  # the numbers of the regulation that it answers, where it has another name

    @property
    def answers(self) -> tuple[str, ...]:
        """The numbers of the regulation that it answers."""
        return self.of or (self.name,)


SCALES = ("best_move_red", "best_move_sheriff", "best_move_black", "best_move_don")
AS_TEAM = _("Empty: as the other players of the team.")

DAY = (
    Question("speech_seconds", _("A player’s own minute, seconds"), "day", "number"),
    Question(
        "opener_moves", _("Each day is opened by the next living seat after the one of the day before"), "day", "switch"
    ),
    Question("withdrawal", _("A nomination may be taken back in the same minute"), "nomination", "switch"),
    Question(
        "thirty_seconds_for_silenced",
        _("With 3 or 4 at the table a silenced player has a short minute instead of silence"),
        "third_foul",
        "switch",
    ),
    Question("short_speech_seconds", _("That short minute, seconds"), "third_foul", "number"),
    Question("last_words_seconds", _("Last words, seconds"), "day", "number"),
    Question("night_seconds", _("The blacks’ shooting, seconds"), "night", "number"),
    Question("check_seconds", _("A check, seconds"), "night", "number"),
)
VOTE = (
    Question("single_nominee_day_one", _("With one nominee on day 1 there is no vote"), "voting", "switch"),
    Question("tied_seconds", _("Speech of the tied before a revote, seconds"), "revote_speech", "number"),
    Question("no_raise_at_four", _("With 3 or 4 at the table a second full tie means night"), "no_raise", "switch"),
    Question("raise_three_of_nine", _("Three of nine may leave together"), "raised", "switch"),
    Question("raised_seconds", _("Last words of each who leaves together, seconds"), "raised", "number"),
    Question(
        "removal_after_vote_cancels_next",
        _("A removal after the day’s vote was decided cancels the next day’s"),
        "no_vote_after_decided",
        "switch",
    ),
    Question(
        "removal_after_leaving",
        _("The removal of a player who had already left"),
        "no_vote_today",
        "choice",
        choices=((AfterLeaving.NOTHING, _("cancels nothing")), (AfterLeaving.CANCEL, _("cancels the vote"))),
    ),
)
END = (
    Question(
        "stalemate",
        _("When nobody leaves"),
        "three_days",
        "choice",
        choices=(
            (Stalemate.NONE, _("nothing ends the game")),
            (Stalemate.THREE_DAYS_RED, _("three days and nights running — red wins")),
            (Stalemate.THREE_MISSES_AT_FOUR_RED, _("three misses running at four — red wins")),
            (Stalemate.THREE_NIGHTS_DRAW, _("three nights and days running — a draw")),
        ),
    ),
    Question("has_draw", _("A game may end in a draw"), "end", "switch"),
)
POINTS = (
    Question(
        "base",
        _("The points of a game come from"),
        "win",
        "choice",
        choices=((Base.RESULT, _("its result")), (Base.MARKS, _("the judge’s marks for speeches"))),
    ),
    Question("win_red", _("Win: a red player"), "win", "points"),
    Question("win_sheriff", _("Win: the sheriff"), "win", "points?", AS_TEAM),
    Question("win_black", _("Win: a black player"), "win", "points"),
    Question("win_don", _("Win: the don"), "win", "points?", AS_TEAM),
    Question("loss", _("Loss: a red player"), "loss", "points"),
    Question("loss_sheriff", _("Loss: the sheriff"), "loss", "points?", _("Empty: as the red.")),
    Question("loss_black", _("Loss: a black player"), "loss", "points?", _("Empty: as the red.")),
    Question("loss_don", _("Loss: the don"), "loss", "points?", AS_TEAM),
    Question("draw", _("Draw: every player"), "loss", "points"),
    Question("has_marks", _("The judge marks speeches"), "speech_mark", "switch", of=("speech_step", "speech_most")),
    Question("speech_step", _("The step of the mark"), "speech_mark", "points?"),
    Question("speech_most", _("The highest mark"), "speech_mark", "points?"),
    Question(
        "speech_in_points", _("The mark stands in “Points”, otherwise in “Extra points”"), "speech_mark", "switch"
    ),
    Question("removal", _("Penalty for a removal by four fouls"), "penalty", "points"),
    Question(
        "removal_disqualified",
        _("Penalty for a disqualifying foul"),
        "penalty",
        "points?",
        _("Empty: as for four fouls."),
    ),
    Question("team_defeat_offender", _("Penalty of whose violation brings the team’s defeat"), "team_defeat", "points"),
    Question("warning", _("Penalty for each warning (a yellow card)"), "warning", "points"),
    Question("best_move_red", _("Best move of a red player"), "best_move", "scale"),
    Question("best_move_sheriff", _("Best move of the sheriff"), "best_move", "scale"),
    Question("best_move_black", _("Best move of a black player"), "best_move", "scale"),
    Question("best_move_don", _("Best move of the don"), "best_move", "scale"),
    Question(
        "best_move_after_miss",
        _("After a miss on night 1 the best move is that of the first player shot"),
        "best_move_dash",
        "switch",
    ),
    Question(
        "best_move_void_after_raise",
        _("No best move if two or more left by the vote of day 1"),
        "best_move_void",
        "switch",
    ),
)
EXTRA = (
    Question(
        "extra_by",
        _("The judge gives extra points"),
        "extra_amount",
        "choice",
        choices=(("list", _("of these amounts only")), ("range", _("in a range, by steps"))),
        of=("extra_amounts",),
    ),
    Question("extra_amounts", _("The amounts"), "extra_amount", "amounts", _("With semicolons between: 0,5; 1")),
    Question("extra_step", _("The step"), "extra_amount", "points"),
    Question("extra_least", _("The least; below 0 points may be taken off"), "extra_amount", "points"),
    Question("extra_most", _("The most"), "extra_amount", "points"),
    Question(
        "extra_players", _("To so many players of a game"), "extra_players", "number?", _("Empty: to any number.")
    ),
    Question("extra_sum", _("In a game together at most"), "extra_sum", "points?", _("Empty: without a limit.")),
    Question("extra_comment", _("Only with a comment"), "extra", "switch"),
)
RATING = (
    Question(
        "reckoning",
        _("The rating is"),
        "rating",
        "choice",
        choices=(
            (Reckoning.SUM, _("the sum of all games")),
            (Reckoning.AVERAGE, _("the sum divided by the games")),
            (Reckoning.BEST, _("the sum of the best games")),
        ),
    ),
    Question("best_games", _("So many of the best games"), "rating", "number?"),
    Question("multiplied", _("The stage’s multiplier applies to"), "rating", "parts"),
    Question(
        "has_compensation",
        _("The first victim is compensated for lost games (Ci)"),
        "ci",
        "switch",
        of=("compensation",),
    ),
    Question("compensation", _("Ci of a game at most"), "ci", "points?"),
    Question(
        "compensation_share",
        _("Ci is at its most from this share of the games on"),
        "ci",
        "points",
        _("min(M; M · K ÷ round(share · N)): K nights shot first in N games of the group of stages"),
    ),
    Question("decimals", _("Decimals shown, at most"), "stages", "number"),
)
TIES = (
    Question("tie_keys", _("The first of these that differs decides"), "ties", "ties"),
    Question("tie_extra_with_best_move", _("With extra points the best moves are compared, too"), "ties", "switch"),
)
TEAMS = (
    Question("team_best", _("So many of a team’s best ratings count"), "teams", "number?", _("Empty: all members.")),
    Question("team_penalties", _("A team may have penalties of its own"), "teams", "switch"),
)
PROTESTS = (Question("protest_minutes", _("A protest is taken for so many minutes"), "protest", "number"),)

CHAPTERS: tuple[tuple[Words, tuple[Question, ...]], ...] = (
    (pgettext_lazy("regulation", "The day"), DAY),
    (pgettext_lazy("regulation", "The vote"), VOTE),
    (_("The end of the game"), END),
    (_("Points of a game"), POINTS),
    (_("Extra points"), EXTRA),
    (_("The rating"), RATING),
    (_("Equal players"), TIES),
    (_("Teams"), TEAMS),
    (_("Protests"), PROTESTS),
)
