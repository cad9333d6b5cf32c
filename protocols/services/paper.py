"""A game that was kept on paper, typed in afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction

from ..models import Game
from ..rules import entries as e
from ..rules.fold import standing
from ..rules.terms import Moment
from ..selectors import record_of
from .record import Answer, record_batch

NOT_ON_THE_PAPER = (e.SeatCorrection, e.ExtraPoints, e.SpeechMark)  # these stand when the paper is typed in anew


def record_paper(values: Sequence[e.Entry], *, game: Game, revision: int, by: User, uuid: UUID) -> Answer:
    """Writes the whole paper in place of whatever stands; all or nothing. Answers and raises as `record_batch`."""
    before = record_of(game)
    old = [value for value in standing(before.values) if not isinstance(value, NOT_ON_THE_PAPER)]
    now: Moment = before.state.moment
    strikes = [e.Strike(moment=now, of=value.revision) for value in sorted(old, key=lambda value: -value.revision)]
    with transaction.atomic():
        answer = record_batch([*strikes, *values], game=game, revision=revision, by=by, uuid=uuid, confirmed=True)
        if answer.is_written and not game.from_paper:
            game.from_paper = True
            Game.objects.filter(pk=game.pk).update(from_paper=True)
    return answer
