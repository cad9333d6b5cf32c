"""Whether a regulation makes sense: what contradicts itself in it, each with the switch or number that is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal

from .regulation import COMPONENTS, KNOWN_TIE_KEYS, Base, Reckoning, Regulation, Stalemate
from .terms import Role

ZERO = Decimal(0)
MOST_POINTS = Decimal(1000)  # of anything, one way or the other
SECONDS = range(1, 601)  # of a speech
MINUTES = range(1440 + 1)  # a protest may be taken for, a day at the most


@dataclass(frozen=True)
class Flaw:
    """What is wrong: a code, the field it stands at, and what the words name."""

    code: str
    name: str
    params: Mapping[str, object] = field(default_factory=dict)


def flaws_of(regulation: Regulation) -> list[Flaw]:
    """Everything that makes no sense in the regulation; empty where it can be played by."""
    found = [*_numbers(regulation), *_points(regulation), *_extra(regulation), *_best_move(regulation)]
    return [*found, *_speech(regulation), *_end(regulation), *_tournament(regulation)]


def _numbers(rules: Regulation) -> Iterator[Flaw]:
    for each in fields(rules):
        value = getattr(rules, each.name)
        if each.name.endswith("_seconds") and value not in SECONDS:
            yield Flaw("seconds", each.name, {"least": SECONDS[0], "most": SECONDS[-1]})
        for number in _decimals(value):
            if abs(number) > MOST_POINTS:
                yield Flaw("too_much", each.name, {"most": MOST_POINTS})
            elif number.scaleb(3) != number.scaleb(3).to_integral_value():
                yield Flaw("too_fine", each.name, {"points": number})


def _decimals(value: object) -> Iterator[Decimal]:
    if isinstance(value, Decimal):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _decimals(item)


def _points(rules: Regulation) -> Iterator[Flaw]:
    if rules.base == Base.RESULT:
        for name, win, loss in (
            ("win_red", rules.win_red, rules.loss),
            ("win_black", rules.win_black, rules.loss if rules.loss_black is None else rules.loss_black),
        ):
            if win <= loss:
                yield Flaw("win_not_above_loss", name, {"win": win, "loss": loss})
        yield from _points_of_roles(rules)
    for name in ("removal", "removal_disqualified", "team_defeat_offender", "warning"):
        value = getattr(rules, name)
        if value is not None and value > 0:
            yield Flaw("penalty_above_0", name, {"points": value})


def _points_of_roles(rules: Regulation) -> Iterator[Flaw]:
    """The sheriff and the don, where the regulation gives them points of their own."""
    for role in (Role.SHERIFF, Role.DON):
        win, loss = rules.win_of(role), rules.loss_of(role)
        own = [name for name in (f"win_{role}", f"loss_{role}") if getattr(rules, name) is not None]
        if own and win <= loss:
            yield Flaw("win_not_above_loss", own[0], {"win": win, "loss": loss})


def _extra(rules: Regulation) -> Iterator[Flaw]:
    if rules.extra_amounts:
        if len(set(rules.extra_amounts)) != len(rules.extra_amounts) or ZERO in rules.extra_amounts:
            yield Flaw("amounts_twice", "extra_amounts")
    elif rules.extra_least > rules.extra_most:
        params = {"least": rules.extra_least, "most": rules.extra_most}
        yield Flaw("least_above_most", "extra_least", params)
    elif rules.extra_step <= 0:
        yield Flaw("step_not_above_0", "extra_step")
    else:
        for name in ("extra_least", "extra_most"):
            if getattr(rules, name) % rules.extra_step:
                yield Flaw("not_in_steps", name, {"points": getattr(rules, name), "step": rules.extra_step})
    if rules.extra_players is not None and not 1 <= rules.extra_players <= 10:
        yield Flaw("players", "extra_players", {"least": 1, "most": 10})
    if rules.extra_sum is not None:
        given = [*rules.extra_amounts] if rules.extra_amounts else [rules.extra_most]
        least = min((amount for amount in given if amount > 0), default=ZERO)
        if rules.extra_sum < least or rules.extra_sum <= 0:
            yield Flaw("sum_below_amount", "extra_sum", {"sum": rules.extra_sum})


def _best_move(rules: Regulation) -> Iterator[Flaw]:
    for name in ("best_move_red", "best_move_sheriff", "best_move_black", "best_move_don"):
        scale = dict(getattr(rules, name))
        if len(scale) != len(getattr(rules, name)) or not set(scale) <= {0, 1, 2, 3}:
            yield Flaw("hits", name)
            continue
        points = [scale.get(hits, ZERO) for hits in (1, 2, 3)]
        if points != sorted(points):
            yield Flaw("more_hits_less", name)


def _speech(rules: Regulation) -> Iterator[Flaw]:
    if rules.speech_step is None:
        if rules.base == Base.MARKS:
            yield Flaw("marks_without_scale", "base")
        return
    if rules.speech_step <= 0:
        yield Flaw("step_not_above_0", "speech_step")
    elif rules.speech_most <= 0 or rules.speech_most % rules.speech_step:
        yield Flaw("not_in_steps", "speech_most", {"points": rules.speech_most, "step": rules.speech_step})


def _end(rules: Regulation) -> Iterator[Flaw]:
    if rules.stalemate == Stalemate.THREE_NIGHTS_DRAW and not rules.has_draw:
        yield Flaw("draw_needed", "has_draw")


def _tournament(rules: Regulation) -> Iterator[Flaw]:
    if rules.reckoning == Reckoning.BEST and rules.best_games is None:
        yield Flaw("best_needed", "best_games")
    for name in ("best_games", "team_best"):
        value = getattr(rules, name)
        if value is not None and not 1 <= value <= 1000:
            yield Flaw("players", name, {"least": 1, "most": 1000})
    if not rules.multiplied <= set(COMPONENTS):
        unknown = min(rules.multiplied - set(COMPONENTS))
        yield Flaw("unknown_component", "multiplied", {"name": unknown})
    yield from _tie_keys(rules)
    if rules.compensation is not None and rules.compensation <= 0:
        yield Flaw("not_above_0", "compensation")
    if not 0 < rules.compensation_share <= 1:
        yield Flaw("share", "compensation_share")
    if not 0 <= rules.decimals <= 3:
        yield Flaw("players", "decimals", {"least": 0, "most": 3})
    if rules.protest_minutes not in MINUTES:
        yield Flaw("players", "protest_minutes", {"least": MINUTES[0], "most": MINUTES[-1]})


def _tie_keys(rules: Regulation) -> Iterator[Flaw]:
    keys = rules.tie_keys
    if not keys:
        yield Flaw("no_tie_key", "tie_keys")
    for key in keys:
        if key not in KNOWN_TIE_KEYS:
            yield Flaw("unknown_tie_key", "tie_keys", {"name": key})
    if len(set(keys)) != len(keys):
        yield Flaw("tie_key_twice", "tie_keys")
    if "lot" in keys[:-1]:
        yield Flaw("after_the_lot", "tie_keys")
