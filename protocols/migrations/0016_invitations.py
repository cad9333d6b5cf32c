"""Invitations to serve in a tournament, and what became of roles."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

ROLES = [
    ("organizer", "organizer"),
    ("head_judge", "head judge"),
    ("judge", "judge"),
    ("commission", "member of the appeals commission"),
]
KNOWN = models.Q(role__in=["organizer", "head_judge", "judge", "commission"])


class Migration(migrations.Migration):
    dependencies = [
        ("protocols", "0015_commission"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("role", models.CharField(choices=ROLES, max_length=12, verbose_name="serves as")),
                ("whom", models.CharField(blank=True, max_length=80, verbose_name="for whom")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="e-mail")),
                ("handle", models.CharField(max_length=4, unique=True)),
                ("digest", models.CharField(max_length=64)),
                ("wrong_tries", models.PositiveSmallIntegerField(default=0)),
                ("made_at", models.DateTimeField(verbose_name="invited at")),
                ("closes_at", models.DateTimeField(verbose_name="holds until")),
                ("mailed_at", models.DateTimeField(null=True, verbose_name="letter sent at")),
                ("accepted_at", models.DateTimeField(null=True, verbose_name="accepted at")),
                ("withdrawn_at", models.DateTimeField(null=True, verbose_name="withdrawn at")),
                (
                    "accepted_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="accepted by",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="invited by",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations",
                        to="protocols.tournament",
                    ),
                ),
                (
                    "withdrawn_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="withdrawn by",
                    ),
                ),
            ],
            options={
                "verbose_name": "invitation",
                "verbose_name_plural": "invitations",
                "ordering": ["tournament", "-id"],
            },
        ),
        migrations.CreateModel(
            name="MemberChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("role", models.CharField(choices=ROLES, max_length=12, verbose_name="serves as")),
                ("what", models.CharField(choices=[("given", "given"), ("taken", "taken")], max_length=5)),
                ("done_at", models.DateTimeField(verbose_name="done at")),
                (
                    "done_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="done by",
                    ),
                ),
                (
                    "invitation",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="change",
                        to="protocols.invitation",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="member_changes",
                        to="protocols.tournament",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "change of roles",
                "verbose_name_plural": "changes of roles",
                "ordering": ["tournament", "id"],
            },
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(condition=KNOWN, name="invitation_is_to_a_known_role"),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("accepted_at__isnull", True),
                        ("accepted_by__isnull", True),
                        ("withdrawn_at__isnull", True),
                        ("withdrawn_by__isnull", True),
                    ),
                    models.Q(
                        ("accepted_at__isnull", False),
                        ("accepted_by__isnull", False),
                        ("withdrawn_at__isnull", True),
                        ("withdrawn_by__isnull", True),
                    ),
                    models.Q(
                        ("accepted_at__isnull", True),
                        ("accepted_by__isnull", True),
                        ("withdrawn_at__isnull", False),
                        ("withdrawn_by__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="invitation_ends_once_and_by_somebody",
            ),
        ),
        migrations.AddConstraint(
            model_name="memberchange",
            constraint=models.CheckConstraint(condition=KNOWN, name="member_change_is_of_a_known_role"),
        ),
        migrations.AddConstraint(
            model_name="memberchange",
            constraint=models.CheckConstraint(
                condition=models.Q(("what__in", ["given", "taken"])), name="member_change_gives_or_takes"
            ),
        ),
    ]
