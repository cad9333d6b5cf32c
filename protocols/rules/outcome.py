"""How the game ended, and what must be settled before the protocol may be signed (RULES §1, §5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .entries import GameOver, Ruling
from .state import Contradiction, GameState, Outcome
from .terms import RulingAbout


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that blocks signing, as a code with its clause."""

    code: str
    clause: str
    params: Mapping[str, object] = field(default_factory=dict)


def outcome(state: GameState) -> Outcome | None:
    """The end of the game with its reason and clause; None while it goes on.

    A ruling stands above all, then a game broken off, then what the rules derive, then what the judge declared
    while roles were unknown.
    """
    ruling = _ruling(state)
    declared = state.declared
    if ruling is not None and ruling.result is not None:
        return Outcome(
            ruling.result, "ruling", state.regulation.cite("correction"), ruling.moment, ruling.revision,
            ruling.revision, text=ruling.text,
        )  # fmt: skip
    if declared is not None and (not declared.result.counts or state.derived is None or _stands(state)):
        return _declared_outcome(state, declared)
    return state.derived


def _declared_outcome(state: GameState, declared: GameOver) -> Outcome:
    reason = "broken_off"
    if declared.result.counts:
        reason = "results_only" if state.results_only else "declared"
    clause = declared.clause or state.regulation.cite("result")
    return Outcome(
        declared.result,
        reason,
        clause,
        declared.moment,
        declared.revision,
        declared.revision,
        text=declared.text,
    )


def _ruling(state: GameState) -> Ruling | None:
    """The last ruling on the result, if any."""
    return next((r for r in reversed(state.rulings) if r.about == RulingAbout.RESULT), None)


def _stands(state: GameState) -> bool:
    """Whether a ruling let the declared result stand against the derived one."""
    declared = state.declared
    return declared is not None and any(
        r.about == RulingAbout.STANDS and r.revision > declared.revision for r in state.rulings
    )


def is_over(state: GameState) -> bool:
    """Whether the game has ended."""
    return outcome(state) is not None


def open_contradictions(state: GameState) -> list[Contradiction]:
    """Disagreements between record and rules that no later ruling has settled."""
    found = list(state.contradictions)
    declared, derived = state.declared, state.derived
    if declared is not None and declared.result.counts and state.roles_known and not state.results_only:
        revision = max(declared.revision, state.roles.revision if state.roles else 0)
        params: dict[str, object] = {"declared": declared.result}
        if derived is None:
            found.append(Contradiction("declared_not_over", state.regulation.cite("end"), revision, params))
        elif derived.result != declared.result:
            params["derived"] = derived.result
            params["moment"] = derived.moment
            found.append(Contradiction("declared_other_winner", derived.clause, revision, params))
    settled = [r.revision for r in state.rulings if r.about in (RulingAbout.RESULT, RulingAbout.STANDS)]
    return [c for c in found if not any(revision > c.revision for revision in settled)]


def problems(state: GameState) -> list[Problem]:
    """What blocks signing: no end, no roles, entries that no longer stand, contradictions without a ruling (A 9.9)."""
    cite = state.regulation.cite
    found = []
    end = outcome(state)
    if end is None:
        found.append(Problem("not_over", cite("result")))
    if not state.roles_known and (end is None or end.result.counts):
        found.append(Problem("roles_unknown", cite("roles")))
    found += [Problem(c.code, c.clause, c.params) for c in open_contradictions(state)]
    for entry, refusal in state.set_aside:
        params = {"kind": entry.kind, "revision": entry.revision, "why": refusal}
        found.append(Problem("set_aside", refusal.clause, params))
    return found
