"""The time zones that a tournament may have, by the city that people know them by."""

from __future__ import annotations

from functools import lru_cache
from zoneinfo import available_timezones

from babel.dates import get_timezone_location
from django.utils.translation import get_language

LANDS = frozenset({"Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"})


def zone_choices() -> list[tuple[str, str]]:
    """Each zone of the IANA that is named after a city, in the order of their names in the language of the page."""
    return list(_choices(get_language() or "en"))


@lru_cache(4)
def _choices(language: str) -> tuple[tuple[str, str], ...]:
    zones = [zone for zone in available_timezones() if zone.partition("/")[0] in LANDS]
    cities = {zone: get_timezone_location(zone, locale=language.replace("-", "_"), return_city=True) for zone in zones}
    return tuple((zone, f"{city} ({zone})") for zone, city in sorted(cities.items(), key=lambda each: each[::-1]))
