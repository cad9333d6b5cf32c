"""What each component of a figure rests on: its clause, and the sentences of this tournament's own regulation.

The points of a game go by the regulation that its protocol was signed under; multipliers and Ci by the regulation of
the stage; how games make a rating, and the tie keys, by that of the tournament.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from protocols.regulation_text import cited, sentence_of
from protocols.rules.regulation import COMPONENTS, Base, Edition, Regulation
from protocols.rules.sheet import Remark
from protocols.rules.terms import Result, Role

from .explain import Opened, Piece, rules_of
from .ratings import ONE
from .selectors import PlayedGame, TournamentStandings
from .tiebreaks import CLAUSES

TAKES_OFF = ("penalty", "warning")  # kinds of remarks


@dataclass(frozen=True, slots=True)
class Rule:
    """A sentence of the regulation that a figure rests on; `stages` where only these stages have it so."""

    text: str
    clause: str
    stages: tuple[str, ...] = ()


def clauses_of(piece: Piece, played: PlayedGame, of_stage: Regulation) -> tuple[str, ...]:
    """The clauses under which the game brought the piece, those of the violations first."""
    result, rules = played.result, played.result.sheet.rules
    if piece.component == "win":
        return (win_clause(played),)
    if piece.component == "compensation":
        return (cited(of_stage, "ci"),)
    if piece.component == "penalty":
        return tuple(dict.fromkeys(clause for each in penalties_of(played) for clause in _taken_by(each, rules)))
    by_sheriff = piece.component == "best_move" and result.role == Role.SHERIFF
    if by_sheriff and rules.edition != Edition.FEDERATION:
        return ("A 8.3.1",)
    return (cited(rules, {"speech": "speech_mark", "extra": "extra", "best_move": "best_move"}[piece.component]),)


def win_clause(played: PlayedGame) -> str:
    """The clause of what the result of the game brought (A 8.2.1–8.2.3)."""
    result, rules = played.result, played.result.sheet.rules
    if rules.base == Base.MARKS:
        return cited(rules, "speech_mark")
    if rules.edition == Edition.FEDERATION or result.result == Result.DRAW:
        return cited(rules, "win" if result.won else "loss")
    if not result.won:
        return cited(rules, "loss")
    return "A 8.2.1" if result.result == Result.RED else "A 8.2.2"


def penalties_of(played: PlayedGame) -> list[Remark]:
    """The remarks of the signed sheet by which the player lost points."""
    remarks = played.result.sheet.sheet.remarks
    return [each for each in remarks if each.seat == played.result.seat and each.kind in TAKES_OFF and each.points]


def _taken_by(remark: Remark, rules: Regulation) -> Iterable[str]:
    """The clause of the violation, and that of the points it takes off; of a warning and a defeat it is one."""
    if remark.clause:
        yield remark.clause
    if remark.kind == "penalty" and "6.8" not in remark.clause:
        yield cited(rules, "penalty")


def clauses_of_count(key: str, played: PlayedGame) -> tuple[str, ...]:
    """The clause by which a game is one of those counted."""
    if key == "wins":
        return (win_clause(played),)
    return (CLAUSES[key],) if key in ("don_sheriff_wins", "first_victim") else ()


def comment_of(played: PlayedGame) -> str:
    """What the judge wrote beside the extra points."""
    remarks = played.result.sheet.sheet.remarks
    return next((each.text for each in remarks if each.kind == "extra" and each.seat == played.result.seat), "")


# ---------------------------------------------------------------- sentences


def rules_behind(found: TournamentStandings, figure: Opened) -> list[Rule]:
    """The sentences of the regulation that the figure rests on, those of games as they were signed."""
    whole = found.tournament.rules
    played = [part.played for part in figure.parts]
    components = {piece.component for part in figure.parts for piece in part.pieces if piece.value}
    at = OF_GAMES.get(figure.key, ())
    if figure.key == "rating":
        at = tuple(each for name in COMPONENTS if name in components for each in OF_COMPONENTS.get(name, ()))
    made = _told(at, figure.key, [(game.result.stage.name, game.result.sheet.rules) for game in played], whole)
    if figure.key in ("rating", "games") and (figure.key == "rating" or whole.reckoning != "sum"):
        made.append(_rule(whole, "rating", "reckoning"))
    own = [(game.result.stage.name, rules_of(found, game)) for game in played]
    if figure.key == "compensation" or (figure.key == "rating" and "compensation" in components):
        made += _shared((name, [_rule(rules, "rating", "ci")]) for name, rules in own or [("", whole)])
    is_multiplied = any(game.rating is not None and game.rating.multiplier != ONE for game in played)
    if is_multiplied and figure.key in ("rating", "points", "extra_points", "penalty", "compensation"):
        made += _shared((name, [_rule(rules, "rating", "multiplied")]) for name, rules in own)
    return made + ([tie_rule(found)] if figure.key in KEYS_AT_TIES else [])


At = tuple[tuple[str, str], ...]  # sentences, each by its chapter and key
KEYS_AT_TIES = ("wins", "extra", "don_sheriff_wins", "first_victim", "best_move", "penalty_key", "qualifying")
PENALTY: At = (("points", "removal"), ("points", "team_defeat"), ("points", "warning"))
OF_COMPONENTS: dict[str, At] = {
    "win": (("points", "win"), ("points", "loss"), ("points", "draw")),
    "speech": (("points", "mark"),),
    "best_move": (("points", "best_move"),),
    "extra": (("extra", "amounts"), ("extra", "players"), ("extra", "sum")),
    "penalty": PENALTY,
}
OF_GAMES: dict[str, At] = {
    "wins": (("points", "win"),),
    "points": (*OF_COMPONENTS["win"], ("points", "mark")),
    "extra_points": (*OF_COMPONENTS["extra"], ("points", "best_move"), ("points", "mark")),
    "extra": (("extra", "amounts"), ("points", "best_move"), ("points", "mark")),
    "best_move": OF_COMPONENTS["best_move"],
    "penalty": PENALTY,
    "penalty_key": PENALTY,
}
"""The sentences about points of one game that each figure is made by."""


def tie_rule(found: TournamentStandings) -> Rule:
    """The order of the tie keys, as the regulation has it."""
    return _rule(found.tournament.rules, "ties", "keys")


def _rule(rules: Regulation, chapter: str, key: str) -> Rule:
    sentence = sentence_of(rules, chapter, key)
    return Rule(sentence.text, sentence.clause)


def _told(asked: At, figure: str, signed: Sequence[tuple[str, Regulation]], whole: Regulation) -> list[Rule]:
    told = dict.fromkeys(signed or [("", whole)])
    return _shared((name, [_rule(rules, *at) for at in asked if _has(rules, figure, at)]) for name, rules in told)


def _has(rules: Regulation, figure: str, at: tuple[str, str]) -> bool:
    """Whether the regulation has what that sentence is about; «there is none» need not be said beside a figure."""
    chapter, key = at
    if chapter == "points" and key == "mark":
        return rules.has_marks and (figure == "rating" or rules.speech_in_points is (figure == "points"))
    if key == "best_move" and figure == "extra":
        return rules.tie_extra_with_best_move
    present = {
        "loss": rules.base == Base.RESULT,
        "draw": rules.has_draw and rules.base == Base.RESULT,
        "team_defeat": bool(rules.team_defeat_offender),
        "warning": bool(rules.warning),
        "players": rules.extra_players is not None,
        "sum": rules.extra_sum is not None,
    }
    return present.get(key, True)


def _shared(told: Iterable[tuple[str, list[Rule]]]) -> list[Rule]:
    """Each sentence once; the stages are named where not all have it."""
    stages: dict[Rule, list[str]] = {}
    everywhere: list[str] = []
    for name, rules in told:
        everywhere.append(name)
        for rule in rules:
            stages.setdefault(rule, []).append(name)
    every = set(everywhere)
    return [
        rule if set(names) == every else Rule(rule.text, rule.clause, tuple(dict.fromkeys(names)))
        for rule, names in stages.items()
    ]
