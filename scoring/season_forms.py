"""What an organizer types of a season."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

from crispy_forms.layout import Column, Row
from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from protocols.forms.tournament import date_input, helper_of
from protocols.models import Tournament
from protocols.models.lines import LineInput

from .season_models import MOST_COUNTED, CountedChoice, ReckoningChoice, Season, site_zone
from .season_ratings import SEASON_KEYS
from .season_services import eligible
from .wording import key_words

if TYPE_CHECKING:
    OfTournaments = forms.ModelMultipleChoiceField[Tournament]
else:
    OfTournaments = forms.ModelMultipleChoiceField  # generic for the type checker alone

KEYS = tuple(f"key_{number}" for number in range(1, 5))
OLDEST, LATEST = datetime.date(1986, 1, 1), datetime.date(2200, 1, 1)


class TournamentsField(OfTournaments):
    """Tournaments and evenings, each with its day."""

    def label_from_instance(self, obj: Any) -> str:
        """The title, the city and the first day."""
        facts = ", ".join(filter(None, (obj.city, date_format(obj.starts_on, "j E Y"))))
        return f"{obj.title} ({facts})"


class SeasonForm(forms.Form):
    """A season: its name and period, what it counts, and, once it is there, its tournaments and organizers."""

    title = LineInput(label=gettext_lazy("Name of the season"), max_length=120)
    slug = forms.SlugField(
        label=gettext_lazy("Address on the site"),
        max_length=60,
        help_text=gettext_lazy("Latin letters, digits and hyphens."),
    )
    starts_on = forms.DateField(label=gettext_lazy("First day"), widget=date_input())
    ends_on = forms.DateField(label=gettext_lazy("Last day"), widget=date_input())
    time_zone = forms.CharField(
        label=gettext_lazy("Time zone"),
        max_length=60,
        help_text=gettext_lazy("Where the season is played, as Europe/Moscow: it begins and ends by the days there."),
    )
    counted = forms.ChoiceField(
        label=gettext_lazy("What is added up"), choices=CountedChoice.choices, widget=forms.RadioSelect
    )
    reckoning = forms.ChoiceField(label=gettext_lazy("How"), choices=ReckoningChoice.choices, widget=forms.RadioSelect)
    best = forms.IntegerField(
        label=gettext_lazy("How many of the best"),
        min_value=1,
        max_value=MOST_COUNTED,
        help_text=gettext_lazy("Tournaments or games; asked only where the best are added up."),
    )
    least_games = forms.IntegerField(
        label=gettext_lazy("Minimum of games"),
        min_value=0,
        max_value=MOST_COUNTED,
        help_text=gettext_lazy("Who has played fewer has no place. 0: nobody is left out."),
    )
    is_public = forms.BooleanField(label=gettext_lazy("Open to everybody"), required=False)
    takes_all = forms.BooleanField(
        label=gettext_lazy("All public tournaments and evenings of the period"),
        required=False,
        help_text=gettext_lazy("Later ones come in by themselves. Otherwise only those marked below count."),
    )
    tournaments = TournamentsField(
        label=gettext_lazy("Tournaments and evenings"),
        queryset=Tournament.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    owners = LineInput(
        label=gettext_lazy("Organizers of the season"),
        max_length=1000,
        help_text=gettext_lazy("Logins, with commas between them. All of them may change the season."),
    )

    def __init__(self, data: QueryDict | None, *, season: Season | None) -> None:
        super().__init__(data, initial=_initial(season))
        nothing = [("", "—")]
        for number, name in enumerate(KEYS, start=1):
            self.fields[name] = forms.ChoiceField(
                label=_("At equal ratings, key %(number)d") % {"number": number},
                choices=nothing + [(key, capfirst(key_words(key))) for key in SEASON_KEYS],
                required=False,
            )
        columns = [Row(Column(KEYS[0]), Column(KEYS[1])), Row(Column(KEYS[2]), Column(KEYS[3]))]
        shown: list[Any] = [
            "title", Row(Column("starts_on"), Column("ends_on")), "time_zone", "counted", "reckoning",
            Row(Column("best"), Column("least_games")), *columns, "is_public", "takes_all",
        ]  # fmt: skip
        if season is None:
            del self.fields["owners"], self.fields["tournaments"]
            shown.insert(1, "slug")
        else:
            del self.fields["slug"]
            chosen = eligible(season, season.starts_on, season.ends_on)
            self.fields["tournaments"].queryset = chosen  # type: ignore[attr-defined]
            shown += ["tournaments", "owners"]
        self.helper = helper_of(*shown)

    def clean_time_zone(self) -> str:
        """The zone's name."""
        zone = str(self.cleaned_data["time_zone"]).strip()
        if zone not in available_timezones():
            raise ValidationError(_("There is no such time zone: %(zone)s.") % {"zone": zone})
        return zone

    def clean_owners(self) -> list[str]:
        """The logins."""
        return [name.strip() for name in self.cleaned_data["owners"].split(",") if name.strip()]

    def clean(self) -> dict[str, Any]:
        """The fields; `tie_keys` are the keys in their order."""
        found = super().clean() or {}
        first, last = found.get("starts_on"), found.get("ends_on")
        if first and last and first > last:
            self.add_error("ends_on", _("The last day is before the first."))
        for name, day in (("starts_on", first), ("ends_on", last)):
            if day and not OLDEST <= day <= LATEST:
                self.add_error(name, _("A year from 1986 to 2200 is meant."))
        keys = [found[name] for name in KEYS if found.get(name)]
        twice = next((name for name in KEYS if found.get(name) and keys.count(found[name]) > 1), None)
        if twice:
            self.add_error(twice, _("This key is named twice."))
        found["tie_keys"] = keys
        return found


def _initial(season: Season | None) -> dict[str, Any]:
    """What the form begins with: the season, or a year that begins with this one's."""
    if season is None:
        year = timezone.localdate().year
        return {
            "starts_on": datetime.date(year, 1, 1), "ends_on": datetime.date(year, 12, 31), "time_zone": site_zone(),
            "counted": CountedChoice.TOURNAMENTS, "reckoning": ReckoningChoice.SUM, "best": 1, "least_games": 0,
            "is_public": True, "takes_all": False, "key_1": "wins", "key_2": "extra",
        }  # fmt: skip
    names = ("title", "starts_on", "ends_on", "time_zone", "counted", "reckoning", "best", "least_games", "is_public")
    return {
        **{name: getattr(season, name) for name in names},
        "takes_all": season.takes_all,
        "tournaments": list(season.tournaments.order_by("pk")),
        "owners": ", ".join(season.owners.order_by("username").values_list("username", flat=True)),
        **dict(zip(KEYS, season.rules.tie_keys, strict=False)),
    }
