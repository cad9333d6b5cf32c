"""The regulations' switches and numbers side by side, in words: what a tournament chooses when it chooses one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from .models import RegulationCode, Tournament
from .rules.regulation import PRESETS, AfterLeaving, Regulation, Stalemate
from .wording import points_words


@dataclass(frozen=True)
class Line:
    """One option: its name and its value in each of the presets, in their order."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """Options that belong together."""

    title: str
    lines: tuple[Line, ...]


def regulation_name(code: str) -> str:
    """The name of a preset as a tournament shows it."""
    return str(RegulationCode(code).label)


def regulation_title(tournament: Tournament) -> str:
    """The regulation of a tournament as its pages name it: the preset, or its own with the version."""
    own = tournament.regulation_version
    if own is None:
        return regulation_name(tournament.regulation)
    return _("%(name)s, version %(number)d") % {"name": own.name, "number": own.number}


def regulation_parts() -> list[Part]:
    """Every switch and number of the presets, in words."""
    return [
        _part(pgettext("regulation", "The day"), _day_lines()),
        _part(pgettext("regulation", "The vote"), _vote_lines()),
        _part(_("The end of the game"), _end_lines()),
        _part(_("Points of a game"), _point_lines()),
        _part(pgettext("regulation", "The tournament"), _tournament_lines()),
    ]


Words = Callable[[Regulation], str]


def _part(title: str, lines: list[tuple[str, Words]]) -> Part:
    return Part(title, tuple(Line(name, tuple(words(rules) for rules in PRESETS.values())) for name, words in lines))


def _yes_no(value: bool) -> str:
    return pgettext("regulation", "yes") if value else pgettext("regulation", "no")


def _seconds(seconds: int) -> str:
    return pgettext("regulation", "%(seconds)d s") % {"seconds": seconds}


def _day_lines() -> list[tuple[str, Words]]:
    return [
        (_("The minute"), lambda r: _seconds(r.speech_seconds)),
        (
            _("Who opens the day"),
            lambda r: _("the next one living") if r.opener_moves else _("always seat 1"),
        ),
        (_("A nomination may be withdrawn"), lambda r: _yes_no(r.withdrawal)),
        (
            _("After the third foul, with 3–4 at the table"),
            lambda r: _seconds(30) if r.thirty_seconds_for_silenced else pgettext("regulation", "silence"),
        ),
        (_("Last words"), lambda r: _seconds(r.last_words_seconds)),
    ]


def _vote_lines() -> list[tuple[str, Words]]:
    return [
        (
            _("One nominee on day 1"),
            lambda r: (
                pgettext("regulation", "no vote") if r.single_nominee_day_one else pgettext("regulation", "a vote")
            ),
        ),
        (_("Speech of the tied"), lambda r: _seconds(r.tied_seconds)),
        (
            _("A second full tie with 3–4 at the table"),
            lambda r: pgettext("regulation", "night") if r.no_raise_at_four else _("raise-all question"),
        ),
        (_("Three of nine may leave together"), lambda r: _yes_no(r.raise_three_of_nine)),
        (_("Last words of those who leave together"), lambda r: _seconds(r.raised_seconds)),
        (
            _("A removal after the vote was decided"),
            lambda r: _("cancels the next day’s vote") if r.removal_after_vote_cancels_next else _("cancels nothing"),
        ),
        (
            _("A removal of one who had already left"),
            lambda r: (
                _("cancels nothing") if r.removal_after_leaving == AfterLeaving.NOTHING else _("cancels the vote")
            ),
        ),
    ]


def _end_lines() -> list[tuple[str, Words]]:
    return [(_("When nobody leaves"), _stalemate), (_("A draw is possible"), lambda r: _yes_no(r.has_draw))]


def _stalemate(rules: Regulation) -> str:
    return {
        Stalemate.NONE: _("nothing ends the game"),
        Stalemate.THREE_DAYS_RED: _("three days and nights running — red wins"),
        Stalemate.THREE_MISSES_AT_FOUR_RED: _("three misses running at four — red wins"),
        Stalemate.THREE_NIGHTS_DRAW: _("three nights and days running — a draw"),
    }[rules.stalemate]


def _scale(scale: tuple[tuple[int, Decimal], ...]) -> str:
    points = dict(scale)
    return " · ".join(points_words(points.get(hits, Decimal(0))) for hits in (3, 2))


def _point_lines() -> list[tuple[str, Words]]:
    return [
        (_("Win of the red"), lambda r: points_words(r.win_red)),
        (_("Win of the black"), lambda r: points_words(r.win_black)),
        (_("Removal from the game"), lambda r: points_words(r.removal)),
        (_("Team defeat, to the offender"), lambda r: points_words(r.team_defeat_offender)),
        (_("Best move of a red player, for 3 · 2 blacks"), lambda r: _scale(r.best_move_red)),
        (_("Best move of the sheriff, for 3 · 2 blacks"), lambda r: _scale(r.best_move_sheriff)),
        (
            _("Best move after two or more left on day 1"),
            lambda r: (
                pgettext("regulation", "void") if r.best_move_void_after_raise else pgettext("regulation", "counts")
            ),
        ),
        (_("Extra points of a player"), _extra_amounts),
        (_("Extra points of a game"), _extra_caps),
        (_("Mark for speeches"), _speech),
        (
            _("Compensation of the first victim"),
            lambda r: (
                _("up to %(points)s a lost game") % {"points": points_words(r.compensation)}
                if r.compensation is not None
                else pgettext("regulation", "none")
            ),
        ),
    ]


def _extra_amounts(rules: Regulation) -> str:
    if rules.extra_amounts:
        return _("%(least)s or %(most)s") % {
            "least": points_words(min(rules.extra_amounts)),
            "most": points_words(max(rules.extra_amounts)),
        }
    return _("from %(least)s to %(most)s in steps of %(step)s") % {
        "least": points_words(rules.extra_least),
        "most": points_words(rules.extra_most),
        "step": points_words(rules.extra_step),
    }


def _extra_caps(rules: Regulation) -> str:
    if rules.extra_players is None or rules.extra_sum is None:
        return pgettext("regulation", "no cap")
    return _("to %(players)d players, %(sum)s in all") % {
        "players": rules.extra_players,
        "sum": points_words(rules.extra_sum),
    }


def _speech(rules: Regulation) -> str:
    if rules.speech_step is None:
        return pgettext("regulation", "none")
    return _("from %(least)s to %(most)s in steps of %(step)s") % {
        "least": points_words(Decimal(0)),
        "most": points_words(rules.speech_most),
        "step": points_words(rules.speech_step),
    }


def _tournament_lines() -> list[tuple[str, Words]]:
    return [
        (_("The stage’s multiplier applies to"), _multiplied),
        (
            _("At equal points, first"),
            lambda r: (
                _("the judge’s extra points and best moves")
                if r.tie_extra_with_best_move
                else _("the judge’s extra points")
            ),
        ),
        (
            _("A protest is taken for"),
            lambda r: pgettext("regulation", "%(minutes)d min") % {"minutes": r.protest_minutes},
        ),
    ]


def _multiplied(rules: Regulation) -> str:
    names = {
        "win": pgettext("regulation", "the win"),
        "speech": pgettext("regulation", "the mark for speeches"),
        "best_move": pgettext("regulation", "the best move"),
        "extra": pgettext("regulation", "extra points"),
        "penalty": pgettext("regulation", "the penalty"),
    }
    shown = [name for key, name in names.items() if key in rules.multiplied and (key != "speech" or rules.speech_step)]
    return ", ".join(shown)
