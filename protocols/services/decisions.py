"""Deciding a protest: what a decision would do, giving it once, and announcing it, which is when it takes effect.

What a decision changes is written into the record as a ruling or as points, so that the new sheet follows from the
record as every other does. Until it is announced nothing of the game changes (RULES §8; A 8.7.2–8.7.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from .. import access
from ..exchange.lines import line_written
from ..models import DecisionKind, Game, Protest, ProtestDecision, ProtestVote, SignedSheet, Status
from ..protest_selectors import commission_of
from ..rules import entries as e
from ..rules import protests as rules
from ..rules.fold import preview
from ..rules.outcome import outcome
from ..rules.points import best_move_night, best_move_victim, points_of_thousandths
from ..rules.sheet import Sheet
from ..rules.sheet_changes import SheetChange, sheet_changes
from ..rules.state import GameState
from ..rules.terms import AFTER, SEATS, Moment, Phase, Result, RulingAbout
from ..selectors import Record, record_of, sheet_from
from .errors import Invalid, NotReady, Refused, Stale
from .people import printed_name
from .protests import LONGEST_CLAUSE
from .readiness import problems_of
from .record import record_batch
from .shape import LONGEST_TEXT, plain_text
from .sign import closing_status, replace_sheet, results_of

LONGEST_REASONS = 4000  # characters
COMPONENTS = ("extra", "speech", "best_move", "penalty")  # of a seat's points, that a decision may set
GAME_IS = {DecisionKind.ANNULLED: Result.ANNULLED, DecisionKind.REPLAY: Result.REPLAY}


@dataclass(frozen=True, slots=True)
class Points:
    """A component of one seat's points, as the decision sets it: in thousandths, within the regulation's bounds.

    The best move is set by the three `seats` named; its points follow from the rules (A 8.3). A penalty is lifted: 0.
    """

    seat: int
    component: str
    thousandths: int
    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """What is decided: `clause` and `reasons` go with each; `result` is the one set, `points` are those set."""

    kind: DecisionKind
    clause: str = ""
    reasons: str = ""
    result: str = ""
    points: tuple[Points, ...] = ()


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a decision would make of the game; nothing of it is written."""

    game: Game
    before: Sheet
    after: Sheet
    results: list[dict[str, Any]]  # what each seat would bring: the columns of its SeatResult
    status: Status
    state: GameState

    @property
    def changes(self) -> tuple[SheetChange, ...]:
        """What the new sheet would say otherwise."""
        return sheet_changes(self.before, self.after)


# ---------------------------------------------------------------- before it is given


def foresee(protest: Protest, ruling: Ruling, *, by: User) -> Foreseen:
    """What the decision would do. Reads only. Raises as `decide` does for what can't be decided so."""
    game = protest.game
    if game.sheet_in_force is None:
        raise Invalid(_not_signed())
    record = record_of(game)
    values, state = _judged(record, _entries(ruling, record, protest))
    after = Record(game, record.rows, values, state, record.nicknames)
    if len(values) > len(record.values):
        found = problems_of(after, signer=by)
        if found:
            raise NotReady(found, after.names)
    return Foreseen(game, game.sheet_in_force.sheet, sheet_from(after), results_of(after), closing_status(after), state)


def _not_signed() -> str:
    return _("The protocol is being corrected and is not signed now; the decision waits until it is signed again.")


def _judged(record: Record, new: Sequence[e.Entry]) -> tuple[list[e.Entry], GameState]:
    """The record with these entries after all others. Raises Refused for what the rules don't allow."""
    values, state, game = list(record.values), record.state, record.game
    for value in new:
        seen = preview(values, value, game.rules, results_only=game.results_only, before=state)
        if seen.refusal is not None:
            raise Refused(seen.refusal)
        values.append(replace(value, revision=len(values) + 1))
        state = seen.after
    return values, state


def _entries(ruling: Ruling, record: Record, protest: Protest) -> list[e.Entry]:
    """What the decision writes into the record. Raises Invalid where it would change nothing, or names no seat."""
    said = _("Decision on protest No. %(number)d, %(clause)s") % {"number": protest.number, "clause": ruling.clause}
    if ruling.kind == DecisionKind.DISMISSED:
        return []
    if record.game.status != Status.SIGNED:
        raise Invalid(_("This game counts for nobody already; its other protests can only be dismissed."))
    if ruling.kind == DecisionKind.POINTS_CHANGED:
        return _points(ruling, record, said)
    if ruling.kind == DecisionKind.RESULT_CHANGED:
        if ruling.result not in (Result.RED, Result.BLACK, Result.DRAW):
            raise Invalid(_("Say which result is set."))
        result = Result(ruling.result)
        end = outcome(record.state)
        if end is not None and end.result == result:
            raise Invalid(_("This is the result already: choose another one, or dismiss the protest."))
    else:
        result = GAME_IS[ruling.kind]
    return [e.Ruling(moment=AFTER, about=RulingAbout.RESULT, text=said, result=result)]


def _points(ruling: Ruling, record: Record, said: str) -> list[e.Entry]:
    state, found = record.state, list[tuple[bool, e.Entry]]()
    if len({(each.seat, each.component) for each in ruling.points}) != len(ruling.points):
        raise Invalid(_("One seat is named twice."))
    for each in ruling.points:
        if each.seat not in SEATS or each.component not in COMPONENTS:
            raise Invalid(_("Say whose points are changed, and which."))
        if each.component == "best_move":
            found += _best_move(each, record, said)
            continue
        if each.component == "penalty":
            found += [(True, e.Strike(moment=AFTER, of=of, text=said)) for of in penalties_of(state, each.seat)]
            continue
        if each.component == "speech":
            if each.thousandths != state.speech_marks.get(each.seat, 0):
                found.append((False, e.SpeechMark(moment=AFTER, seat=each.seat, points=each.thousandths)))
            continue
        old = state.extra_points.get(each.seat)
        if each.thousandths != (old.points if old else 0):
            text = "; ".join(part for part in (old.text if old else "", said) if part)[:LONGEST_TEXT]
            less = each.thousandths < (old.points if old else 0)
            found.append((less, e.ExtraPoints(moment=AFTER, seat=each.seat, points=each.thousandths, text=text)))
    if not found:
        raise Invalid(_("No points are changed: change some, or dismiss the protest."))
    # What is taken back comes first, so that the caps are those of what stands in the end.
    return [entry for _less, entry in sorted(found, key=lambda pair: not pair[0])]


def penalties_of(state: GameState, seat: int) -> list[int]:
    """The revisions of what a seat's penalty comes from, whose striking lifts it; a team defeat is the result's."""
    player, found = state.seats[seat], list[int]()
    if player.disqualified is not None:
        found.append(player.disqualified.revision)
    elif player.removed is not None and len(player.fouls) >= 4:
        found.append(player.fouls[3].revision)
    return found + [each.revision for each in player.warnings if state.regulation.warning]


def _best_move(each: Points, record: Record, said: str) -> list[tuple[bool, e.Entry]]:
    """The best move that stands is struck out, the one decided on is written in its place."""
    state, old = record.state, record.state.best_move
    if each.seat != best_move_victim(state):
        raise Invalid(_("Only the player shot first names the best move."))
    if old is not None and sorted(old.seats) == sorted(each.seats):
        return []
    moment = old.moment if old else Moment(best_move_night(state) or 1, Phase.BEST_MOVE)
    new = e.BestMove(moment=moment, place=(old.place or old.revision) if old else 0, seats=each.seats)
    return [*([(True, e.Strike(moment=AFTER, of=old.revision, text=said))] if old else []), (True, new)]


# ---------------------------------------------------------------- the commission


def vote(protest: Protest, kind: str, text: str, *, by: User) -> ProtestVote:
    """What a member of the appeals commission would decide; the member's last vote holds, until the decision.

    Raises PermissionDenied for anybody else, Invalid in words, Refused after the decision.
    """
    _may_decide(protest.game, by, must_be_member=True)
    if kind not in DecisionKind.values:
        raise Invalid(_("Say what you would decide."))
    with transaction.atomic():
        _held(protest.game)
        _refuse_decided(protest, "-")
        text = plain_text(text[: LONGEST_REASONS * 2])[:LONGEST_REASONS]
        return ProtestVote.objects.create(protest=protest, member=by, kind=kind, text=text, voted_at=timezone.now())


def votes_of(protest: Protest) -> list[ProtestVote]:
    """The last vote of each member, in the order in which they first voted."""
    last: dict[int, ProtestVote] = {}
    for each in ProtestVote.objects.filter(protest=protest).select_related("member").order_by("pk"):
        last[each.member_id] = each
    return list(last.values())


def _may_decide(game: Game, by: User, *, must_be_member: bool = False) -> bool:
    """Whether the head judge decides, or a member of the commission; neither where they played themselves.

    Raises PermissionDenied for anybody else, Invalid for whoever played.
    """
    standing = access.standing_at(by, game)
    is_head = standing.is_head_judge and not must_be_member
    if not (is_head or standing.is_commissioner):
        raise PermissionDenied
    if standing.plays:
        raise Invalid(_("You played at this table: somebody else decides this protest."))
    return is_head


# ---------------------------------------------------------------- giving it


def decide(protest: Protest, ruling: Ruling, *, revision: int, by: User) -> ProtestDecision:
    """Gives the decision, which is final; it takes effect when it is announced. Nothing of the game changes yet.

    `revision` is that of the record that was looked at. By the head judge, or by a member of the commission once more
    than half of its members have voted so. Raises PermissionDenied for anybody else; Refused (A 8.7.4, or the clause
    of a cap); Stale where the protocol was corrected since; NotReady; Invalid in words.
    """
    is_head = _may_decide(protest.game, by)
    clause, reasons = _words(ruling)
    with transaction.atomic():
        game = _held(protest.game)
        _refuse_decided(protest, reasons)
        if not clause:
            raise Invalid(_("Name the clause that the decision follows from."))
        if ProtestDecision.objects.filter(game=game, announced_at=None).exists():
            raise Invalid(_("Another decision on this game waits to be announced; announce it first."))
        if game.sheet_in_force is None:
            raise Invalid(_not_signed())
        if game.revision != revision:
            raise Stale(record_of(game))
        votes = votes_of(protest)
        if not is_head and not is_carried(game, votes, ruling.kind):
            raise Invalid(_("A member decides only what more than half of the commission has voted for."))
        protest.game = game
        ruling = replace(ruling, clause=clause, reasons=reasons)
        foresee(protest, ruling, by=by)
        return ProtestDecision.objects.create(
            protest=protest,
            game=game,
            kind=ruling.kind,
            clause=clause,
            reasons=reasons,
            result=ruling.result if ruling.kind == DecisionKind.RESULT_CHANGED else "",
            points=_points_told(ruling),
            votes=[{"name": printed_name(each.member), "kind": each.kind} for each in votes],
            revision=revision,
            sheet_before=game.sheet_in_force,
            decided_by=by,
            decided_at=timezone.now(),
        )


def is_carried(game: Game, votes: Sequence[ProtestVote], kind: str) -> bool:
    """Whether more than half of the commission's members have voted for that kind of decision."""
    members = set(commission_of(game.tournament).values_list("user", flat=True))
    return 2 * sum(each.kind == kind and each.member_id in members for each in votes) > len(members)


def _words(ruling: Ruling) -> tuple[str, str]:
    clause = line_written(ruling.clause[: LONGEST_CLAUSE * 4])
    if len(clause) > LONGEST_CLAUSE:
        raise Invalid(_("A clause is at most %(most)d characters, like A 6.6.1.") % {"most": LONGEST_CLAUSE})
    reasons = plain_text(ruling.reasons[: LONGEST_REASONS * 4])
    if len(reasons) > LONGEST_REASONS:
        raise Invalid(_("The text is too long: at most %(most)d characters.") % {"most": LONGEST_REASONS})
    return clause, reasons


def _points_told(ruling: Ruling) -> list[dict[str, Any]]:
    if ruling.kind != DecisionKind.POINTS_CHANGED:
        return []
    return [
        {"seat": p.seat, "component": p.component, "thousandths": p.thousandths}
        | ({"seats": list(p.seats)} if p.seats else {})
        for p in ruling.points
    ]


def _refuse_decided(protest: Protest, reasons: str) -> None:
    """Raises Refused where the protest has its decision, or the one to be given has no reasons (A 8.7.4)."""
    earlier = ProtestDecision.objects.filter(protest=protest).values_list("kind", flat=True).first()
    refusal = rules.refuse_decision(rules.DecisionKind(earlier) if earlier else None, reasons, protest.game.rules)
    if refusal is not None:
        raise Refused(refusal)


def _held(game: Game) -> Game:
    """The game, its row held until the transaction ends."""
    games = Game.objects.select_for_update(of=("self",)).select_related(
        "tournament", "stage", "regulation_version", "sheet_in_force"
    )
    return games.get(pk=game.pk)


# ---------------------------------------------------------------- announcing it


def ruling_of(decision: ProtestDecision) -> Ruling:
    """The decision as it was given."""
    points = tuple(
        Points(told["seat"], told["component"], told["thousandths"], tuple(told.get("seats", ())))
        for told in decision.points
    )
    return Ruling(DecisionKind(decision.kind), decision.clause, decision.reasons, decision.result, points)


def announce(decision: ProtestDecision, *, by: User, password: str) -> SignedSheet | None:
    """Makes the decision known and effective: the head judge's, who signs the new sheet with the password.

    Gives the new sheet; None where the decision changes nothing. Raises PermissionDenied for anybody else, Invalid in
    words, Stale where the protocol is not as it was decided on.
    """
    standing = access.standing_at(by, decision.game)
    if not standing.is_head_judge:
        raise PermissionDenied
    if standing.plays:
        raise Invalid(_("You played at this table: somebody else decides this protest."))
    if not by.check_password(password):
        raise Invalid(_("The password is wrong."))
    with transaction.atomic():
        game = _held(decision.game)
        decision = ProtestDecision.objects.select_related("protest").get(pk=decision.pk)
        if decision.is_announced:
            raise Invalid(_("The decision is announced already."))
        if game.sheet_in_force_id != decision.sheet_before_id or game.revision != decision.revision:
            raise Stale(record_of(game))
        protest, made = decision.protest, None
        protest.game = game
        record = record_of(game)
        entries = _entries(ruling_of(decision), record, protest)
        if entries:
            reason = _("Decision on protest No. %(number)d, %(clause)s") % {
                "number": protest.number, "clause": decision.clause,
            }  # fmt: skip
            made = replace_sheet(game, lambda: _write(entries, game, by), by=by, reason=reason)
        decision.announced_at, decision.announced_by, decision.sheet_after = timezone.now(), by, made
        decision.save(update_fields=["announced_at", "announced_by", "sheet_after"])
    return made


def _write(entries: Sequence[e.Entry], game: Game, by: User) -> int:
    answer = record_batch(entries, game=game, revision=game.revision, by=by, uuid=uuid4(), confirmed=True)
    if answer.refusal is not None:
        raise Refused(answer.refusal)
    if not answer.is_written:
        raise Stale(answer.record)
    return answer.record.revision


def points_now(state: GameState, component: str) -> dict[int, Decimal]:
    """That component of every seat's points as the record has it."""
    if component == "speech":
        return {seat: points_of_thousandths(state.speech_marks.get(seat, 0)) for seat in SEATS}
    given = state.extra_points
    return {seat: points_of_thousandths(given[seat].points if seat in given else 0) for seat in SEATS}
