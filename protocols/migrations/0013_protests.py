"""Protests, what the commission says of them, their decisions, and corrections that a judge asks for."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("protocols", "0012_cities"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Protest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                ("seat", models.PositiveSmallIntegerField(verbose_name="seat")),
                ("text", models.TextField(verbose_name="protest")),
                ("clause", models.CharField(blank=True, max_length=40, verbose_name="clause")),
                ("links", models.JSONField(default=list, verbose_name="links")),
                (
                    "how",
                    models.CharField(
                        choices=[
                            ("judge", "written by the judge"),
                            ("code", "by the player, with the code of the table"),
                            ("login", "by the player, logged in"),
                        ],
                        max_length=5,
                    ),
                ),
                ("made_at", models.DateTimeField(verbose_name="made at")),
                ("filed_at", models.DateTimeField(verbose_name="filed at")),
                ("admitted_because", models.TextField(blank=True, verbose_name="admitted because")),
                (
                    "admitted_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="admitted by",
                    ),
                ),
                (
                    "filed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="filed by",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="protests", to="protocols.game"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="protests",
                        to="protocols.player",
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "protest",
                "verbose_name_plural": "protests",
                "ordering": ["game", "number"],
            },
        ),
        migrations.CreateModel(
            name="ProtestDecision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("dismissed", "the protest is dismissed"),
                            ("result_changed", "the result is changed"),
                            ("points_changed", "points are changed"),
                            ("annulled", "the game is annulled"),
                            ("replay", "the game is to be replayed"),
                        ],
                        max_length=14,
                        verbose_name="decision",
                    ),
                ),
                ("clause", models.CharField(max_length=40, verbose_name="clause")),
                ("reasons", models.TextField(verbose_name="reasons")),
                ("result", models.CharField(blank=True, max_length=8, verbose_name="result")),
                ("points", models.JSONField(default=list)),
                ("votes", models.JSONField(default=list)),
                ("revision", models.PositiveIntegerField()),
                ("decided_at", models.DateTimeField(verbose_name="decided at")),
                ("announced_at", models.DateTimeField(null=True, verbose_name="announced at")),
                (
                    "announced_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="announced by",
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="decided by",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="decisions", to="protocols.game"
                    ),
                ),
                (
                    "protest",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="decision", to="protocols.protest"
                    ),
                ),
                (
                    "sheet_after",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="protocols.signedsheet",
                    ),
                ),
                (
                    "sheet_before",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="protocols.signedsheet"
                    ),
                ),
            ],
            options={
                "verbose_name": "decision on a protest",
                "verbose_name_plural": "decisions on protests",
                "ordering": ["game", "id"],
            },
        ),
        migrations.CreateModel(
            name="ProtestVote",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("dismissed", "the protest is dismissed"),
                            ("result_changed", "the result is changed"),
                            ("points_changed", "points are changed"),
                            ("annulled", "the game is annulled"),
                            ("replay", "the game is to be replayed"),
                        ],
                        max_length=14,
                        verbose_name="decision",
                    ),
                ),
                ("text", models.TextField(blank=True, verbose_name="reasons")),
                ("voted_at", models.DateTimeField(verbose_name="voted at")),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="member",
                    ),
                ),
                (
                    "protest",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="votes", to="protocols.protest"
                    ),
                ),
            ],
            options={
                "verbose_name": "vote on a protest",
                "verbose_name_plural": "votes on protests",
                "ordering": ["protest", "id"],
            },
        ),
        migrations.CreateModel(
            name="CorrectionRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(verbose_name="what is to be corrected")),
                ("asked_at", models.DateTimeField(verbose_name="asked at")),
                ("answered_at", models.DateTimeField(null=True, verbose_name="answered at")),
                ("answer", models.TextField(blank=True, verbose_name="answer")),
                (
                    "answered_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="correction_requests",
                        to="protocols.game",
                    ),
                ),
            ],
            options={
                "verbose_name": "correction asked for",
                "verbose_name_plural": "corrections asked for",
                "ordering": ["game", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("answered_at__isnull", True)),
                        fields=("game",),
                        name="correction_is_asked_for_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="correction_says_what"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("answered_at__isnull", True), ("answered_by__isnull", True)),
                            models.Q(("answered_at__isnull", False), ("answered_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="correction_is_answered_by_somebody",
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="protest",
            constraint=models.UniqueConstraint(fields=("game", "number"), name="protest_number_is_one_of_its_game"),
        ),
        migrations.AddConstraint(
            model_name="protest",
            constraint=models.UniqueConstraint(fields=("game", "player"), name="protest_is_made_once_by_a_player"),
        ),
        migrations.AddConstraint(
            model_name="protest",
            constraint=models.CheckConstraint(
                condition=models.Q(("seat__gte", 1), ("seat__lte", 10)), name="protest_seat_is_from_1_to_10"
            ),
        ),
        migrations.AddConstraint(
            model_name="protest",
            constraint=models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="protest_number_is_from_1"),
        ),
        migrations.AddConstraint(
            model_name="protest",
            constraint=models.CheckConstraint(
                condition=models.Q(("text", ""), _negated=True), name="protest_says_something"
            ),
        ),
        migrations.AddConstraint(
            model_name="protest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("filed_by__isnull", True), ("how", "code")),
                    models.Q(("filed_by__isnull", False), ("how__in", ["judge", "login"])),
                    _connector="OR",
                ),
                name="protest_is_filed_by_somebody",
            ),
        ),
        migrations.AddConstraint(
            model_name="protest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("admitted_because", ""), ("admitted_by__isnull", True)),
                    models.Q(("admitted_by__isnull", False), models.Q(("admitted_because", ""), _negated=True)),
                    _connector="OR",
                ),
                name="protest_is_admitted_with_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="protestdecision",
            constraint=models.UniqueConstraint(
                condition=models.Q(("announced_at__isnull", True)),
                fields=("game",),
                name="decision_waits_alone_in_its_game",
            ),
        ),
        migrations.AddConstraint(
            model_name="protestdecision",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind__in", ["dismissed", "result_changed", "points_changed", "annulled", "replay"])
                ),
                name="decision_is_of_a_known_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="protestdecision",
            constraint=models.CheckConstraint(
                condition=models.Q(models.Q(("reasons", ""), _negated=True), models.Q(("clause", ""), _negated=True)),
                name="decision_has_reasons_and_a_clause",
            ),
        ),
        migrations.AddConstraint(
            model_name="protestdecision",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "result_changed"), ("result__in", ["red", "black", "draw"])),
                    models.Q(models.Q(("kind", "result_changed"), _negated=True), ("result", "")),
                    _connector="OR",
                ),
                name="decision_names_the_result_it_sets",
            ),
        ),
        migrations.AddConstraint(
            model_name="protestdecision",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("announced_at__isnull", True), ("announced_by__isnull", True), ("sheet_after__isnull", True)
                    ),
                    models.Q(("announced_at__isnull", False), ("announced_by__isnull", False)),
                    _connector="OR",
                ),
                name="decision_is_announced_by_somebody",
            ),
        ),
        migrations.AddConstraint(
            model_name="protestvote",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind__in", ["dismissed", "result_changed", "points_changed", "annulled", "replay"])
                ),
                name="protest_vote_is_of_a_known_kind",
            ),
        ),
    ]
