"""What is hidden from the public until it is announced, and who said so: a line for each act, the last one holds."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .tournament import Stage, Tournament
from .written_once import WrittenOnce, WrittenOnceManager


class Hidden(models.TextChoices):
    """What an act hides; nothing: everything is announced."""

    TABLE = "table", _("the whole table")
    EXTRA = "extra", _("only the extra points")
    NOTHING = "nothing", _("nothing")


class Hiding(WrittenOnce):
    """From a round of a stage on something is hidden from the public, or, as `nothing`, all is announced.

    Where the games of the stage have no rounds, `number` is that of a game.
    """

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="hidings")
    what = models.CharField(_("what is hidden"), max_length=7, choices=Hidden.choices)
    stage = models.ForeignKey(Stage, models.PROTECT, null=True, related_name="+", verbose_name=_("stage"))
    number = models.PositiveSmallIntegerField(_("from round"), null=True)
    done_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("done by"))
    done_at = models.DateTimeField(_("done at"))

    objects = WrittenOnceManager["Hiding"]()

    class Meta:
        verbose_name = _("hiding")
        verbose_name_plural = _("hidings")
        ordering = ["tournament", "id"]
        constraints = [
            models.CheckConstraint(name="hiding_is_of_something_known", condition=models.Q(what__in=Hidden.values)),
            models.CheckConstraint(
                name="hiding_says_from_when",
                condition=models.Q(what=Hidden.NOTHING, stage__isnull=True, number__isnull=True)
                | (~models.Q(what=Hidden.NOTHING) & models.Q(stage__isnull=False, number__gte=1)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} · {self.what}"
