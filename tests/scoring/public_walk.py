"""Every address of the site that a stranger can ask for, filled in: whatever is added to the site is walked, too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

QUERY = "after=1.1&stage=1&sheet=1&step=99&wide=1&overlay=1&q=а"
"""Asked of every address besides the bare one: what none of them knows is passed over."""

KEPT_OUT = {"Set-Cookie", "X-Now", "Expires"}  # headers of chance, and of the time on the wall
CHANCE = re.compile(rb'name="(?:csrfmiddlewaretoken|typed|uuid)" value="[^"]*"|data-now="[^"]*"|"token": "[^"]*"')


class Unfilled(Exception):
    """An address has a place that the walk can't fill in: give its word to `addresses`."""


@dataclass(frozen=True)
class Fetched:
    """What was answered: the status, every header, every byte, without chance and time."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


def patterns(found: list[URLPattern | URLResolver] | None = None, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Every address as it is written in the tables of addresses, and its entry; Django's own admin apart."""
    for each in get_resolver().url_patterns if found is None else found:
        route = before + str(each.pattern)
        if isinstance(each, URLPattern):
            yield route, each
        elif each.namespace != "admin":
            yield from patterns(each.url_patterns, route)


def addresses(words: Mapping[str, object]) -> list[str]:
    """Every address, bare and with a query. A word is looked up as «<what stands before it>/<its name>», then by name.

    Raises Unfilled naming the address and the place for which there is no word.
    """
    found: list[str] = []
    for route, each in patterns():
        path = "/"
        for piece in re.split(r"(<[^>]+>)", route):
            if not piece.startswith("<"):
                path += piece
                continue
            name = piece[1:-1].rpartition(":")[2]
            before = path.rstrip("/").rpartition("/")[2]
            word = words.get(f"{before}/{name}", words.get(name))
            if word is None:
                raise Unfilled(f"«{each.name}», {route}: {before}/{name}")
            path += str(word)
        found += [path, f"{path}?{QUERY}"]
    return found


def fetched(address: str, client: Client | None = None) -> Fetched:
    """The answer to a stranger, or to whoever is logged in with that client."""
    response = (client or Client()).get(address)
    raw = b"".join(response.streaming_content) if response.streaming else response.content  # type: ignore[attr-defined]
    headers = {name: value for name, value in response.headers.items() if name not in KEPT_OUT}
    return Fetched(response.status_code, tuple(sorted(headers.items())), CHANCE.sub(b"", raw))
