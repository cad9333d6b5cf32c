"""Deciding a protest: the game replayed beside the decision, what it would do, giving it once, announcing it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from protocols import access
from protocols.board.log import authors_of
from protocols.models import DecisionKind, Game, Protest, ProtestDecision, Tournament
from protocols.printing import signed_form
from protocols.protest_selectors import commission_of, protests_of
from protocols.protest_words import decision_of, decision_words, points_lines, protester_words
from protocols.replay_view import scene_of
from protocols.replaying import course_of
from protocols.selectors import Record, record_of
from protocols.services import decisions
from protocols.services.errors import Invalid, NotReady, Refused, Stale
from protocols.services.people import printed_name
from protocols.services.protest_letters import tell_of_decision
from protocols.views.login_again import forget_typed, keeps_typed, offered_again
from protocols.views.requests import user_of
from protocols.wording import ChangeWords, problem_words, refusal_words, sheet_changes_words

from .protest_effect import Effect, Moved, effect_of
from .protest_forms import DecisionForm, VoteForm, fingerprint
from .ratings import MILLION
from .wording import decimals_of, figure, place_words

PARTS = ("preview", "give", "vote", "announce")


@dataclass(frozen=True, slots=True)
class MovedRow:
    """A row of the standings before and after."""

    nickname: str
    place_was: str
    place_now: str
    rating_was: str
    rating_now: str
    moves: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """What the decision would do, in words."""

    words: str
    seal: str  # of what was looked at
    changes: list[ChangeWords]
    rows: list[MovedRow]
    effect: Effect
    counts: bool  # whether the game would count


@never_cache
@sensitive_post_parameters("password")
@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def protest(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """One protest for those who hear it. 422 with what is refused, 409 where somebody was faster; the typed is kept."""
    tournament = access.heard(request.user, slug)
    found = _found(tournament, uuid)
    game = access.heard_game(request.user, found.game.uuid)
    found.game = game
    standing = access.standing_at(request.user, game)
    part = request.POST.get("part", "")
    if request.method == "POST" and part not in PARTS:
        return redirect("protest", slug, uuid)
    record = record_of(game)
    desk = _Desk(request, found, record, standing)
    if part == "vote":
        return desk.vote()
    if part == "announce":
        return desk.announce()
    if part:
        return desk.decide(give=part == "give")
    return desk.page()


def _found(tournament: Tournament, uuid: UUID) -> Protest:
    rows = Protest.objects.filter(game__tournament=tournament, uuid=uuid)
    found = rows.select_related("player", "game", "decision__decided_by", "decision__sheet_before").first()
    if found is None:
        raise Http404
    return found


class _Desk:
    """One request about one protest."""

    def __init__(self, request: HttpRequest, found: Protest, record: Record, standing: access.Standing) -> None:
        self.request, self.protest, self.record, self.standing = request, found, record, standing
        self.game: Game = found.game
        sent = request.POST if request.POST.get("part") in ("preview", "give") else None
        initial = {"revision": record.revision, "clause": found.clause}
        self.form = DecisionForm(sent, state=record.state, names=record.names, initial=initial)
        self.ballot = VoteForm(request.POST if request.POST.get("part") == "vote" else None)
        self.preview: Preview | None = None
        self.refused = ""

    @property
    def decision(self) -> ProtestDecision | None:
        """The decision, if there is one."""
        return decision_of(self.protest)

    @property
    def may_decide(self) -> bool:
        """Whether the person decides: the head judge, or a member of the commission."""
        return self.standing.is_head_judge or self.standing.is_commissioner

    def decide(self, *, give: bool) -> HttpResponse:
        """Shows what the decision would do; gives it once that was seen."""
        if not self.may_decide:
            raise PermissionDenied
        if not self.form.is_valid():
            return self.page(status=422)
        ruling, by = self.form.ruling(), user_of(self.request)
        revision = self.form.cleaned_data["revision"]
        try:
            if revision != self.record.revision:
                raise Stale(self.record)
            seen = self.request.POST.get("seen", "") == fingerprint(ruling, revision)
            if give and seen:
                decisions.decide(self.protest, ruling, revision=revision, by=by)
                forget_typed(self.request)
                messages.success(
                    self.request, _("The decision is given and final. Announce it when the players may know.")
                )
                return redirect("protest", self.game.tournament.slug, self.protest.uuid)
            self.preview = self._previewed(ruling, revision, by)
            if give:
                self.refused = _("Look first at what this decision does; then give it.")
        except Stale:
            typed = self.request.POST.copy()
            typed["revision"] = str(self.record.revision)
            self.form.data = typed
            self.refused = _(
                "Somebody corrected the protocol meanwhile. Nothing was decided: look at the game once more."
            )
            return self.page(status=409)
        except Refused as error:
            self.refused = refusal_words(error.refusal, self.record.names)
            self.protest = _found(self.game.tournament, self.protest.uuid)  # perhaps somebody was faster
            self.protest.game = self.game
            return self.page(status=422)
        except NotReady as error:
            self.refused = " ".join(problem_words(problem, error.names) for problem in error.problems)
            return self.page(status=422)
        except Invalid as error:
            self.refused = " ".join(error.messages)
            return self.page(status=422)
        return self.page(status=422 if self.refused else 200)

    def vote(self) -> HttpResponse:
        """A member's vote."""
        if not self.standing.is_commissioner:
            raise PermissionDenied
        if self.ballot.is_valid():
            data = self.ballot.cleaned_data
            try:
                decisions.vote(self.protest, data["kind"], data["text"], by=user_of(self.request))
                messages.success(self.request, _("Your vote is kept; until the decision you may vote again."))
                return redirect("protest", self.game.tournament.slug, self.protest.uuid)
            except Refused as error:
                self.refused = refusal_words(error.refusal, self.record.names)
            except Invalid as error:
                self.refused = " ".join(error.messages)
        return self.page(status=422)

    def announce(self) -> HttpResponse:
        """Makes the decision known and effective."""
        if not self.standing.is_head_judge:
            raise PermissionDenied
        if self.decision is None:
            return redirect("protest", self.game.tournament.slug, self.protest.uuid)
        password = self.request.POST.get("password", "")
        try:
            decisions.announce(self.decision, by=user_of(self.request), password=password)
        except Invalid as error:
            self.refused = " ".join(error.messages)
        except NotReady as error:
            self.refused = " ".join(problem_words(problem, error.names) for problem in error.problems)
        except Refused as error:
            self.refused = refusal_words(error.refusal, self.record.names)
        except Stale:
            self.refused = _("The protocol is not as it was when this was decided. Load the page anew.")
        if self.refused:
            return self.page(status=422)
        tell_of_decision(self.protest)
        messages.success(self.request, _("The decision is announced: everybody can read it now."))
        return redirect("decision", self.game.uuid, self.protest.number)

    def _previewed(self, ruling: decisions.Ruling, revision: int, by: Any) -> Preview:
        seen = decisions.foresee(self.protest, ruling, by=by)
        effect = effect_of(seen)
        names = {row.seat: row.nickname for row in seen.after.rows}
        told = ProtestDecision(kind=ruling.kind, result=ruling.result)
        return Preview(
            words=decision_words(told),
            seal=fingerprint(ruling, revision),
            changes=sheet_changes_words(seen.changes, names),
            rows=moved_rows(effect.moved, self.game.tournament.rules.decimals),
            effect=effect,
            counts=ruling.kind not in decisions.GAME_IS,
        )

    # ------------------------------------------------------------ the page

    def page(self, status: int = 200) -> HttpResponse:
        """Everything on one page: what is protested, the game beside it, the decision."""
        offered_again(self.request, self.form)
        game, found = self.game, self.protest
        votes = decisions.votes_of(found)
        decision = self.decision
        scene = None
        if not game.results_only and self.record.rows:
            course = course_of(self.record.values, game.rules, at=0)
            scene = scene_of(course, self.record, authors_of(self.record), roles=True)
        context = {
            "tournament": game.tournament,
            "game": game,
            "protest": found,
            "who": protester_words(found),
            "others": [each for each in protests_of(game) if each.pk != found.pk],
            "standing": self.standing,
            "form": self.form,
            "ballot": self.ballot,
            "preview": self.preview,
            "refused": self.refused,
            "decision": decision,
            "words": decision_words(decision) if decision else "",
            "points": points_lines(decision) if decision else [],
            "decided_by": printed_name(decision.decided_by) if decision else "",
            "votes": [(printed_name(each.member), DecisionKind(each.kind).label, each.text) for each in votes],
            "commission": [printed_name(each.user) for each in commission_of(game.tournament)],
            "may_decide": self.may_decide and decision is None and game.is_closed,
            "may_vote": self.standing.is_commissioner and decision is None,
            "may_announce": self.standing.is_head_judge and decision is not None and not decision.is_announced,
            "scene": scene,
            "fragment": False,
            "beside": True,
            "sheet": signed_form(game.sheet_in_force, [found]) if game.sheet_in_force else None,
            "article": game.rules.cite("protest_final"),
        }
        return render(self.request, "scoring/protest_page.html", context, status=status)


def moved_rows(moved: tuple[Moved, ...], most: int) -> list[MovedRow]:
    """The rows of the standings that would be others, in words."""
    totals = [place.rating.total for each in moved for place in (each.was, each.now) if place]
    decimals = decimals_of(totals, MILLION, most)

    def rating(place: Any) -> str:
        return figure(place.rating.total, MILLION, decimals) if place else "—"

    def number(place: Any) -> str:
        return place_words(place) if place else "—"

    return [
        MovedRow(each.nickname, number(each.was), number(each.now), rating(each.was), rating(each.now), each.moves)
        for each in moved
    ]
