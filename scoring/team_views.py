"""Teams: set up by the organizer, penalties given and revoked by the head judge and the organizer."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from protocols.access import organized, overseen, standing_in
from protocols.models import Tournament
from protocols.services.errors import Invalid
from protocols.views.login_again import keeps_typed, offered_again
from protocols.views.requests import sent_in, user_of

from .penalty_services import revoke_penalty
from .team_forms import MembersForm, PasteForm, PenaltyForm, RevokeForm, TeamForm
from .team_log import logged
from .team_models import Team
from .team_paste import Plan, read_teams, write_teams
from .team_selectors import TeamFacts, changes_of, members_by_team, players_of, team_facts_of, together_of
from .team_services import add_team, give_penalty, remove_team, set_members, set_team
from .team_table import listed_words, penalty_row
from .team_words import change_row

ORGANIZERS = ("team", "members", "remove")
PARTS = (*ORGANIZERS, "penalty", "revoke")


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def teams_edit(request: HttpRequest, slug: str) -> HttpResponse:
    """All teams, for whoever runs the tournament; the organizer adds one."""
    tournament = overseen(request.user, slug)
    is_organizer = standing_in(request.user, tournament).is_organizer
    if request.method == "POST" and not is_organizer:
        raise PermissionDenied
    form = TeamForm(sent_in(request))
    if request.method == "POST" and form.is_valid():
        try:
            with logged(tournament, by=user_of(request)):
                team = add_team(tournament, **form.cleaned_data)
        except Invalid as error:
            form.add_error(None, error.messages)
        else:
            messages.success(request, _("The team “%(team)s” is added.") % {"team": team.name})
            return redirect("team-edit", slug, team.pk)
    offered_again(request, form)
    facts = team_facts_of(tournament)
    context = {
        "tournament": tournament,
        "is_organizer": is_organizer,
        "teams": [(team, [listed_words(member) for member in team.members]) for team in facts],
        "together": [each for each in together_of(tournament) if not each.game.is_closed],
        "form": form,
        "removed": [change_row(each) for each in changes_of(tournament, None)],
    }
    return render(request, "scoring/teams_edit_page.html", context, status=422 if form.errors else 200)


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def teams_paste(request: HttpRequest, slug: str) -> HttpResponse:
    """Teams pasted as lines: what they mean is shown first, and written once that is confirmed."""
    tournament = organized(request.user, slug)
    form = PasteForm(sent_in(request))
    plan: Plan | None = None
    if request.method == "POST" and form.is_valid():
        text = form.cleaned_data["text"]
        if "seen" in request.POST:
            try:
                written = write_teams(
                    tournament, text, seen=request.POST["seen"], confirm_new=request.POST.get("confirm_new") == "on",
                    by=user_of(request),
                )  # fmt: skip
            except Invalid as error:
                form.add_error(None, error.messages)
            else:
                count = len(written.teams)
                words = ngettext("%(count)d team is written.", "%(count)d teams are written.", count)
                messages.success(request, words % {"count": count})
                return redirect("teams-edit", slug)
        plan = read_teams(tournament, text)
        if not plan.teams and not plan.errors:
            form.add_error("text", _("There is no line with a team."))
    offered_again(request, form)
    context = {"tournament": tournament, "form": form, "plan": plan}
    return render(request, "scoring/teams_paste_page.html", context, status=422 if form.errors else 200)


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def team_edit(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One team: its name, members and penalties; the head judge gives and revokes penalties, the organizer does all."""
    tournament = overseen(request.user, slug)
    is_organizer = standing_in(request.user, tournament).is_organizer
    part = request.POST.get("part", "")
    if request.method == "POST":
        if not is_organizer and part not in ("penalty", "revoke"):
            raise PermissionDenied
        if part not in PARTS:
            return redirect("team-edit", slug, pk)
    facts = team_facts_of(tournament)
    team = next((each for each in facts if each.pk == pk), None)
    if team is None:
        raise Http404
    shown = _forms(request, tournament, facts, team, part)
    form = shown.get(part, shown["team"])
    if part == "remove" or (part and form.is_valid()):
        try:
            with logged(tournament, by=user_of(request)):
                said = _save(request, tournament, team, part, form)
        except Invalid as error:
            if part == "remove":
                messages.error(request, str(error))
                return redirect("team-edit", slug, pk)
            form.add_error(None, error.messages)
        else:
            messages.success(request, said)
            return redirect("teams-edit", slug) if part == "remove" else redirect("team-edit", slug, pk)
    for each in shown.values():
        offered_again(request, each)
    context = {
        "tournament": tournament,
        "team": team,
        "is_organizer": is_organizer,
        "forms": shown,
        "members": [listed_words(member) for member in team.members],
        "penalties": [(each, penalty_row(each)) for each in team.penalties],
        "changes": [change_row(each) for each in changes_of(tournament, team.pk)],
        "may_give": tournament.rules.team_penalties,
        "revoking": request.POST.get("penalty", "") if part == "revoke" else "",
        "together": [each for each in together_of(tournament) if each.team == team.name and not each.game.is_closed],
    }
    status = 422 if part and form.errors else 200
    return render(request, "scoring/team_edit_page.html", context, status=status)


def _forms(
    request: HttpRequest, tournament: Tournament, facts: list[TeamFacts], team: TeamFacts, part: str
) -> dict[str, forms.Form]:
    def data(name: str) -> Any:
        return request.POST if name == part else None

    taken = members_by_team(facts)
    free = [player for player in players_of(tournament) if player.pk not in taken]
    return {
        "team": TeamForm(data("team"), initial={"name": team.name, "city": team.city}),
        "members": MembersForm(data("members"), members=team.members, free=free),
        "penalty": PenaltyForm(data("penalty")),
        "revoke": RevokeForm(data("revoke")),
    }


def _save(request: HttpRequest, tournament: Tournament, facts: TeamFacts, part: str, form: forms.Form) -> str:
    """Writes what the form says; in words, what was done. Raises Invalid."""
    team, by = Team.objects.get(pk=facts.pk, tournament=tournament), user_of(request)
    if part == "team":
        set_team(team, **form.cleaned_data)
        return _("The team is saved.")
    if part == "members":
        assert isinstance(form, MembersForm)
        set_members(team, form.chosen())
        return _("The members are saved.")
    if part == "remove":
        remove_team(team)
        return _("The team “%(team)s” is removed.") % {"team": team.name}
    if part == "penalty":
        give_penalty(team, **form.cleaned_data, by=by)
        return _("The penalty is given and kept with your name and the time.")
    penalty = next((each for each in facts.penalties if str(each.pk) == request.POST.get("penalty")), None)
    if penalty is None:
        raise Invalid(_("There is no such penalty."))
    penalty.team = team
    revoke_penalty(penalty, reason=form.cleaned_data["why"], by=by)
    return _("The penalty is revoked; it stays on record with your reason.")
