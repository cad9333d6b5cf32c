"""Cuts go along in a tournament's archive: sizes, who passed, what was taken back, and the log."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import TestCase

from protocols.exchange import archive
from protocols.exchange.reading import Unreadable
from protocols.models import Tournament
from protocols.services.errors import Invalid
from scoring.archives import archive_of, rebuild
from scoring.cut_archives import cuts_told, write_cuts
from scoring.cut_models import Cut, CutNotice, CutPlace, CutSize
from scoring.cut_selectors import cuts_of
from scoring.cut_services import draw_cut_lot, set_cut_size, take_cut, withdraw_cut
from tests.exchange.records import another_site, empty_site

from .test_cut_services import cut_of, organizer, take, tied_at
from .tournaments import person, signed, stage_of, tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(db: None) -> Tournament:
    """Three stages: a cut taken back, one taken with a lot and corrected since, and a size alone."""
    made = tournament()
    first, semi, final = stage_of(made), stage_of(made, "Полуфинал"), stage_of(made, "Финал")
    signed(first, "red", extra={3: "0.5"})
    set_cut_size(semi, 7)
    take(semi)
    withdraw_cut(semi, reason="взята рано", by=organizer())
    set_cut_size(semi, 8)
    draw_cut_lot(semi, tied_at(semi), by=organizer())
    take(semi)
    set_cut_size(final, 4)
    with TestCase.captureOnCommitCallbacks(execute=True):
        signed(first, "black", extra={1: "0.5"})
    return Tournament.objects.get(pk=made.pk)


@pytest.mark.parametrize("site", [empty_site, another_site], ids=["empty", "another"])
def test_cuts_are_rebuilt_as_they_were(cup: Tournament, site: Callable[[], None]) -> None:
    raw, told = archive_of(cup), cuts_told(cup)
    prints = [each.fingerprint for each in cuts_of(cup).stages]
    counts = [model.objects.count() for model in (CutSize, Cut, CutPlace, CutNotice)]
    assert counts == [2, 2, 15, 1]
    site()
    made = rebuild(raw).tournament
    assert [model.objects.count() for model in (CutSize, Cut, CutPlace, CutNotice)] == counts
    assert [each.fingerprint for each in cuts_of(made).stages] == prints
    if site is empty_site:
        assert (cuts_told(made), archive_of(made)) == (told, raw)
    assert rebuild(raw).was_known is True


def test_a_tournament_without_cuts_says_nothing_of_them() -> None:
    made = tournament()
    signed(stage_of(made))
    assert "cuts" not in archive.read(archive_of(made)).manifest


@pytest.mark.parametrize(
    "spoil",
    [
        lambda cuts: cuts[0].update(stage=9),
        lambda cuts: cuts[0].update(stage=1),
        lambda cuts: cuts.append(copy.deepcopy(cuts[0])),
        lambda cuts: cuts[0]["taken"][0].pop("withdrawn"),
        lambda cuts: cuts[0].update(size=3),
        lambda cuts: cuts[0].pop("size"),
        lambda cuts: cuts[0]["taken"][0]["places"][0].update(player="Никто"),
        lambda cuts: cuts[0]["taken"][0]["places"][0].update(player=cuts[0]["taken"][0]["places"][1]["player"]),
        lambda cuts: cuts[0]["taken"][0]["places"][0].update(rating="1/0"),
        lambda cuts: cuts[0]["taken"][0]["places"][0].update(rating="02"),
    ],
    ids=["other stage", "first stage", "twice", "two in force", "other size", "no size", "unknown player",
         "player twice", "no number", "odd number"],
)  # fmt: skip
def test_cuts_that_contradict_themselves_are_refused(cup: Tournament, spoil: Callable[[Any], Any]) -> None:
    told = json.loads(json.dumps(cuts_told(cup)))
    spoil(told)
    stages = {stage.number: stage for stage in cup.stages.all()}
    players = {place.player.nickname_key: place.player for place in CutPlace.objects.select_related("player")}
    empty = {model: model._base_manager.all() for model in (CutSize,)}
    empty[CutSize].delete()
    with pytest.raises(Invalid):
        write_cuts(cup, told, stages, players)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda cut: cut.update(at="2026-13-01T00:00:00.000000+00:00"),
        lambda cut: cut.update(by="a\u202eb"),
        lambda cut: cut.update(size=0),
        lambda cut: cut["places"].clear(),
        lambda cut: cut["places"][0].update(nickname="a\u200b"),
        lambda cut: cut["places"][0].update(rating="1,5"),
        lambda cut: cut.update(fingerprint="x"),
    ],
)
def test_cuts_that_are_no_cuts_are_not_read(cup: Tournament, spoil: Callable[[Any], Any]) -> None:
    manifest = archive.read(archive_of(cup)).manifest
    spoil(manifest["cuts"][0]["taken"][0])
    facts = {name: value for name, value in manifest.items() if name not in ("format", "version", "games", "drafts")}
    with pytest.raises(Unreadable):
        archive.read(archive.to_bytes(facts, []))


def test_who_takes_a_cut_of_a_rebuilt_tournament_goes_on_with_it(cup: Tournament) -> None:
    raw = archive_of(cup)
    empty_site()
    somebody = person("somebody", "Новая")
    made = rebuild(raw, by=somebody).tournament
    final = made.stages.get(number=3)
    set_cut_size(final, 8)
    cut = take_cut(final, seen=cut_of(final).fingerprint, confirmed=True, by=somebody)
    passed = [
        set(each.places.values_list("nickname", flat=True))
        for each in (cut, Cut.objects.get(size=8, stage=made.stages.get(number=2)))
    ]
    assert passed[0] == passed[1]
