"""Invitations to serve in a tournament, and who was given or lost which role by whom."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .lines import LineField
from .tournament import MemberRole, Tournament
from .written_once import WrittenOnce, WrittenOnceManager

MOST_TRIES = 10  # wrong codes, after which an invitation is worth nothing


class Invitation(models.Model):
    """Somebody may serve in the tournament in that role: whoever brings the code, once, until `closes_at`.

    The code is its `handle`, by which it is found, and a secret of which only the digest is kept.
    """

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="invitations")
    role = models.CharField(_("serves as"), max_length=12, choices=MemberRole.choices)
    whom = LineField(_("for whom"), max_length=80, blank=True)
    email = models.EmailField(_("e-mail"), blank=True)
    handle = models.CharField(max_length=4, unique=True)
    digest = models.CharField(max_length=64)
    wrong_tries = models.PositiveSmallIntegerField(default=0)
    made_at = models.DateTimeField(_("invited at"))
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("invited by")
    )
    closes_at = models.DateTimeField(_("holds until"))
    mailed_at = models.DateTimeField(_("letter sent at"), null=True)
    accepted_at = models.DateTimeField(_("accepted at"), null=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("accepted by")
    )
    withdrawn_at = models.DateTimeField(_("withdrawn at"), null=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("withdrawn by")
    )

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["tournament", "-id"]
        constraints = [
            models.CheckConstraint(name="invitation_is_to_a_known_role",
                                   condition=models.Q(role__in=MemberRole.values)),
            models.CheckConstraint(
                name="invitation_ends_once_and_by_somebody",
                condition=models.Q(accepted_at__isnull=True, accepted_by__isnull=True, withdrawn_at__isnull=True,
                                   withdrawn_by__isnull=True)
                | models.Q(accepted_at__isnull=False, accepted_by__isnull=False, withdrawn_at__isnull=True,
                           withdrawn_by__isnull=True)
                | models.Q(accepted_at__isnull=True, accepted_by__isnull=True, withdrawn_at__isnull=False,
                           withdrawn_by__isnull=False),
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.tournament}: {self.get_role_display()}"


class MemberChange(WrittenOnce):
    """A role in a tournament was given to a person or taken from them; without `invitation`, by `done_by` alone."""

    class What(models.TextChoices):
        """What became of the role."""

        GIVEN = "given", _("given")
        TAKEN = "taken", _("taken")

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="member_changes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("person"))
    role = models.CharField(_("serves as"), max_length=12, choices=MemberRole.choices)
    what = models.CharField(max_length=5, choices=What.choices)
    invitation = models.OneToOneField(Invitation, models.PROTECT, null=True, related_name="change")
    done_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("done by"))
    done_at = models.DateTimeField(_("done at"))

    objects = WrittenOnceManager["MemberChange"]()

    class Meta:
        verbose_name = _("change of roles")
        verbose_name_plural = _("changes of roles")
        ordering = ["tournament", "id"]
        constraints = [
            models.CheckConstraint(name="member_change_is_of_a_known_role",
                                   condition=models.Q(role__in=MemberRole.values)),
            models.CheckConstraint(name="member_change_gives_or_takes",
                                   condition=models.Q(what__in=["given", "taken"])),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.user}: {self.get_role_display()} {self.what}"
