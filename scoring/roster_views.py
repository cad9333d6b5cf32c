"""A list of players pasted or uploaded: shown with everything that is doubtful in it, then written."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from protocols.access import organized
from protocols.exchange.roster import Listed, NoList, read_list
from protocols.exchange.roster_files import ListFile, text_of
from protocols.models import Tournament
from protocols.services.errors import Invalid
from protocols.services.roster import NEW, Told
from protocols.views.login_again import keeps_typed, offered_again
from protocols.views.requests import sent_in, user_of
from protocols.wording.roster import HOW, flaw_words, no_list_words, notes_of, reading_words

from .roster_forms import RosterForm
from .roster_teams import RosterPlan, read_all, take_roster
from .team_log import logged

CHOICE = "who-"  # and the number of the line


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def roster(request: HttpRequest, slug: str) -> HttpResponse:
    """Players of a list: what it means is shown first, and written once that is confirmed; the organizer's."""
    tournament = organized(request.user, slug)
    form = RosterForm(sent_in(request), request.FILES or None)
    context: dict[str, Any] = {"tournament": tournament, "form": form}
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            file = _told(form)
            listed = read_list(file.text, form.chosen)
            said = _taken(request, tournament, listed)
            if said:
                messages.success(request, said)
                return redirect("participants", slug)
            context |= _shown(request, read_all(tournament, listed), file)
            shown = {"text": file.text, "divider": form.cleaned_data["divider"]}
            context |= {"form": RosterForm(initial=shown), "text": file.text, "divider": shown["divider"]}
        except NoList as error:
            form.add_error("file" if form.cleaned_data["file"] else "text", no_list_words(error))
        except Invalid as error:
            status = 422
            context |= _shown(request, read_all(tournament, listed), file)
            context |= {"refused": error.messages, "text": file.text, "divider": form.cleaned_data["divider"]}
    offered_again(request, form)
    return render(request, "scoring/roster_page.html", context, status=422 if form.errors else status)


def _told(form: RosterForm) -> ListFile:
    """What was uploaded or, without a file, pasted. Raises NoList."""
    file = form.cleaned_data["file"]
    return text_of(file.read()) if file else ListFile(form.cleaned_data["text"], "utf-8")


def _taken(request: HttpRequest, tournament: Tournament, listed: Listed) -> str:
    """Writes the list if that was asked for, and says so; otherwise empty. Raises Invalid."""
    seen = request.POST.get("seen", "")
    if not seen:
        return ""
    choices = {
        int(name.removeprefix(CHOICE)): value
        for name, value in request.POST.items()
        if name.startswith(CHOICE) and name.removeprefix(CHOICE).isdecimal() and len(name) < 12
    }
    with logged(tournament, by=user_of(request)):
        written = take_roster(tournament, listed, seen=seen, choices={n: str(each) for n, each in choices.items()})
    said = [_("Participants added: %(n)d.") % {"n": len(written.added)}]
    if written.back:
        said.append(_("Take part again: %(names)s.") % {"names": ", ".join(written.back)})
    if written.there:
        said.append(_("Took part already: %(n)d.") % {"n": len(written.there)})
    return " ".join(said)


def _shown(request: HttpRequest, plan: RosterPlan, file: ListFile) -> dict[str, Any]:
    """The preview: what is asked, what can't be read, what is new, known, there already, and the teams."""
    lines = [told for told in plan.people.lines if told.repeats is None]
    reading = reading_words(plan.people.listed)
    if file.how in HOW:
        reading.append(str(HOW[file.how]))
    if file.sheet:
        reading.append(_("Only the sheet “%(sheet)s” of the workbook is read.") % {"sheet": file.sheet})
    return {
        "plan": plan,
        "errors": plan.errors,
        "reading": reading,
        "flaws": [(flaw, flaw_words(flaw)) for flaw in plan.people.flaws],
        "repeats": [told for told in plan.people.lines if told.repeats is not None],
        "asked": [(told, notes_of(told), _options(request, told)) for told in lines if told.alike],
        "new": [(told, notes_of(told)) for told in lines if told.player is None and not told.alike],
        "known": [(told, notes_of(told)) for told in lines if told.player is not None and told.state is None],
        "there": [(told, notes_of(told)) for told in lines if told.state is not None],
        "seen": plan.fingerprint,
    }


def _options(request: HttpRequest, told: Told) -> list[tuple[str, str, bool]]:
    """Who a look-alike may be: value, words, whether it is chosen."""
    typed = request.POST.get(f"{CHOICE}{told.row.line}", "")
    found = []
    for each in told.alike:
        if each.line is None:
            words = _("the same player as %(nickname)s, who is known here") % {"nickname": each.nickname}
        else:
            place = {"nickname": each.nickname, "line": each.line}
            words = _("the same player as %(nickname)s on line %(line)d") % place
        found.append((each.choice, words))
    found.append((NEW, _("another player, who is new here")))
    return [(value, words, value == typed) for value, words in found]
