"""What happened while a tournament ran goes along in its archive: seats drawn and changed, a cancellation."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from protocols.models import Cancellation, Round, SeatChange, SeatingKind, SeatingRun, Tournament
from protocols.services import replacing, seating_people, seating_rounds, seating_runs
from protocols.services.errors import Invalid
from scoring.archives import archive_of, rebuild
from scoring.running_archives import running_told, write_running
from tests.exchange.records import empty_site

from .lines import PLAYERS
from .tournaments import player, signed, stage_of, tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(db: None) -> Tournament:
    """Two lots, one in use; a player replaced, another one's seats freed; cancelled after the first game."""
    made = tournament()
    first, final = stage_of(made), stage_of(made, "Финал")
    signed(first, "red")
    organizer = User.objects.get(username="organizer")
    seating_people.register(made, [*PLAYERS, "Опоздавший"], confirm_new=True)
    ten = list(made.participants.order_by("number"))[:10]
    lots = [
        seating_runs.ask_for_rotation(final, ten, games=2, kind=SeatingKind.LOT, seed=seed, by=organizer)
        for seed in (1, 2)
    ]
    seating_rounds.use(lots[1], by=organizer, confirmed=True)
    since = final.games.order_by("number")[1]
    replacing.replace_player(made, player(PLAYERS[0]), "Опоздавший", since=since, reason="Заболел", by=organizer)
    replacing.free_seats(made, player(PLAYERS[1]), reason="Уехал", by=organizer)
    replacing.cancel_tournament(made, reason="Потоп", by=organizer)
    return Tournament.objects.get(pk=made.pk)


def test_it_is_rebuilt_as_it_was(cup: Tournament) -> None:
    told, raw = running_told(cup), archive_of(cup)
    assert {name: len(value) for name, value in told.items()} == {"seats_drawn": 2, "seat_changes": 2, "cancelled": 3}
    empty_site()
    made = rebuild(raw).tournament
    assert (running_told(made), archive_of(made)) == (told, raw)
    run = SeatingRun.objects.get(state="used")
    assert list(Round.objects.filter(seating=run).values_list("number", flat=True)) == [1, 2]
    assert (SeatChange.objects.count(), Cancellation.objects.get().reason) == (2, "Потоп")


def test_a_draw_that_no_site_could_have_made_is_refused(cup: Tournament) -> None:
    told = running_told(cup)
    told["seats_drawn"][0]["plan"][0][0][0] = 7
    stages = {stage.number: stage for stage in cup.stages.all()}
    players = {each.player.nickname_key: each.player for each in cup.participants.select_related("player")}
    with pytest.raises(Invalid, match="по десять за столом"):
        write_running(cup, told, stages, players)
