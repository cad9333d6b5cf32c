"""A record that breaks a rule stays one on its way through a file: nowhere is it signed."""

import pytest

from protocols.models import Game, SeatResult, SignedSheet, Status
from protocols.rules import entries as e
from protocols.selectors import record_of
from protocols.services.errors import NotReady
from protocols.services.importing import Target, import_file
from protocols.services.prepare import create_game, seat_players
from protocols.services.sign import _issue, _results
from protocols.wording.files import why_not_taken
from tests.storage.broken import BEGUN, MINUTE, defeat, fouls, stored
from tests.storage.play import nominate, speech

from .records import NICKNAMES, PLAYED_ON, bytes_of, empty_site, people, tournament

pytestmark = pytest.mark.django_db

BROKEN: list[e.Entry] = [*BEGUN, speech(1), nominate(1, 5), nominate(1, 6), *fouls(10, 5), defeat(MINUTE)]
MENDED: list[e.Entry] = [*BEGUN, speech(1), nominate(1, 5), *fouls(10, 4), defeat(MINUTE)]
WHY = [
    "День 1: №1 Ёлка 7 выставляет дважды (№5 Дельта, №6 Астра); за день — одна кандидатура (уточнение §2)",
    "У игрока №10 Клён 🍁 фолов: 5; с четвёртым игрок удаляется, пятого не бывает (п. 6.5)",
]


def file_with(course: list[e.Entry], *, forged: bool = False) -> bytes:
    """The file of a game with these entries, from a site that is no more; `forged`: signed around the rules."""
    who = people()
    _, stage = tournament(who)
    game = create_game(stage, played_on=PLAYED_ON, judge=who.judge)
    seat_players(game, NICKNAMES, confirm_new=True)
    stored(game, who.judge, course)
    if forged:
        record = record_of(game)
        game.sheet_in_force = _issue(record, who.judge)
        game.status = Status.SIGNED
        SeatResult.objects.bulk_create(_results(record, game.sheet_in_force))
        game.save()
    raw = bytes_of(game)
    empty_site()
    return raw


def refused(raw: bytes, *, sign: bool) -> list[str]:
    """Why the file is not taken in, in words; nothing of it is left."""
    with pytest.raises(NotReady) as caught:
        import_file(raw, name="game.json", target=Target(), sign=sign)
    assert (Game.objects.count(), SignedSheet.objects.count()) == (0, 0)
    return why_not_taken(caught.value)


def test_an_open_game_that_breaks_rules_is_taken_in_and_not_signed() -> None:
    raw = file_with(BROKEN)
    assert refused(raw, sign=True) == WHY
    [game] = import_file(raw, name="game.json", target=Target()).games
    assert Game.objects.get(pk=game.pk).status == Status.OVER


def test_a_mended_game_is_signed_as_it_comes() -> None:
    [game] = import_file(file_with(MENDED), name="game.json", target=Target(), sign=True).games
    assert Game.objects.get(pk=game.pk).status == Status.SIGNED


def test_a_game_signed_elsewhere_though_it_breaks_rules_is_not_taken_in() -> None:
    assert refused(file_with(BROKEN, forged=True), sign=False) == WHY


def test_a_game_signed_elsewhere_by_the_rules_is_taken_in() -> None:
    [game] = import_file(file_with(MENDED, forged=True), name="game.json", target=Target()).games
    assert Game.objects.get(pk=game.pk).status == Status.SIGNED
