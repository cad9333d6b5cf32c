"""Names as they are printed, and the people of whom a file tells no more than that."""

from __future__ import annotations

import re

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User

from ..exchange.canonical import sha256
from ..exchange.lines import line_written

PREFIX = "file."  # of the logins that stand for people of files
LONGEST = 150  # characters of a first or a last name


def printed_name(person: User | None) -> str:
    """The person's name as the form prints it; never an e-mail address, of which only the name before the @ is left.

    >>> printed_name(User(username="anna@example.org")), printed_name(User(username="a", last_name="Белова"))
    ('anna', 'Белова')
    >>> printed_name(User(first_name="Анна @anna", last_name="Белова"))
    'Анна Белова'
    """
    if person is None:
        return ""
    name = line_written(person.get_full_name() or person.get_username())
    return line_written(re.sub(r"@\S*", "", name)) or "—"


def person_of_file(name: str) -> User:
    """Who stands here for a person whom a file names: an inactive user of that printed name, whom nobody can be.

    They are never taken for a user of the same name here: a file must not speak for anybody who has a login.
    """
    first, _space, last = name.rpartition(" ")
    names = {"first_name": first[:LONGEST], "last_name": last[:LONGEST]}
    found, _is_new = User.objects.get_or_create(
        username=PREFIX + sha256(name.encode())[:24],
        defaults={**names, "is_active": False, "password": make_password(None)},
    )
    return found


def is_of_file(person: User) -> bool:
    """Whether the user only stands for a person of a file."""
    return person.get_username().startswith(PREFIX)
