"""A judge's server in a process of its own: writes entry after entry into one game and prints what it has answered.

Run as `python -m tests.storage.writer GAME`, with the site's own settings; it never ends by itself.
"""

import os
import sys
from uuid import uuid4

import django


def write_for_ever(uuid: str) -> None:
    """Writes oral warnings, which may be given without end; a line is printed after each answer."""
    from protocols import access
    from protocols.models import Game
    from protocols.rules.terms import Penalty
    from protocols.services.record import record

    from .play import foul

    judge = Game.objects.select_related("judge").get(uuid=uuid).judge
    assert judge is not None
    while True:
        game, number = access.writable_game(judge, Game.objects.get(uuid=uuid).uuid), uuid4()
        warning = foul(1, penalty=Penalty.WARNING, text="Шёпот")
        answer = record(warning, game=game, revision=game.revision, by=judge, uuid=number)
        print(answer.kind, answer.entry, number, flush=True)  # noqa: T201


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "mafia_site.settings"
    django.setup()
    write_for_ever(sys.argv[1])
