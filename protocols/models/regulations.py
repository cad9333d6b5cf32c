"""The regulations (регламент) that organizers write for their tournaments, version by version."""

from __future__ import annotations

import uuid
from typing import ClassVar, Protocol

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from ..rules.regulation import PRESETS, Regulation
from ..rules.regulation_data import from_data
from .lines import LineField
from .written_once import WrittenOnce, WrittenOnceManager

NAME_LENGTH = 80  # characters


class RegulationVersion(models.Model):
    """One version of a tournament's own regulation: a preset's copy, changed.

    A version is never changed in place: where no game has begun under it, another row takes its number. So its key
    stands for these very numbers, whichever worker or database reads them. `frozen_at` is when the first protocol
    was signed under it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey("protocols.Tournament", models.PROTECT, related_name="regulation_versions")
    number = models.PositiveSmallIntegerField(_("version"), validators=[MinValueValidator(1)])
    name = LineField(_("name"), max_length=NAME_LENGTH)
    code = models.CharField(max_length=1)  # the preset whose edition and clauses it has
    numbers = models.JSONField()  # every switch and number, as rules.regulation_data writes them
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("author"))
    created_at = models.DateTimeField(_("written at"))
    frozen_at = models.DateTimeField(_("first signed under at"), null=True, blank=True)

    class Meta:
        verbose_name = _("regulation")
        verbose_name_plural = _("regulations")
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="regulation_number_is_one_of_its_tournament"),
            models.CheckConstraint(name="regulation_number_is_from_1", condition=models.Q(number__gte=1)),
            models.CheckConstraint(name="regulation_has_a_name", condition=~models.Q(name="")),
            models.CheckConstraint(name="regulation_began_with_a_preset", condition=models.Q(code__in=sorted(PRESETS))),
        ]

    def __str__(self) -> str:
        return f"{self.name} · {self.number}"

    @property
    def rules(self) -> Regulation:
        """The regulation as the rules core knows it."""
        found = _parsed.get(self.id)
        if found is None:
            if len(_parsed) >= MOST_KEPT:
                _parsed.clear()
            found = _parsed[self.id] = from_data(self.code, self.numbers)
        return found


class RegulationMove(WrittenOnce):
    """That a game under way was given another regulation: which one it had, which one it has, by whom and when.

    Both are told by name and number, or by the preset's code: a version that nothing is played under may be gone.
    """

    game = models.ForeignKey("protocols.Game", models.PROTECT, related_name="regulation_moves", verbose_name=_("game"))
    was = LineField(_("regulation before"), max_length=NAME_LENGTH + 8)
    became = LineField(_("regulation after"), max_length=NAME_LENGTH + 8)
    moved_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("moved by"))
    moved_at = models.DateTimeField(_("moved at"))

    objects: ClassVar[WrittenOnceManager[RegulationMove]] = WrittenOnceManager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("change of a game’s regulation")
        verbose_name_plural = _("changes of games’ regulations")
        ordering = ["moved_at", "id"]

    def __str__(self) -> str:
        return f"{self.game}: {self.was} → {self.became}"


MOST_KEPT = 500
_parsed: dict[uuid.UUID, Regulation] = {}


class UnderARegulation(Protocol):
    """What is played, or was signed, under a regulation."""

    regulation_version: RegulationVersion | None
    regulation_version_id: uuid.UUID | None


def own_rules(row: UnderARegulation) -> Regulation | None:
    """The regulation that the row names; None for a preset. A version read before costs no query."""
    key = row.regulation_version_id
    if key is None:
        return None
    found = _parsed.get(key)
    if found is None:
        assert row.regulation_version is not None
        found = row.regulation_version.rules
    return found
