"""Participants, pairs kept apart, conflicts, rounds, and the seatings drawn for them."""

import uuid

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("protocols", "0010_hidings"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="seating_is_public",
            field=models.BooleanField(default=False, verbose_name="its seating is open to everybody"),
        ),
        migrations.AddField(
            model_name="tournament",
            name="time_zone",
            field=models.CharField(blank=True, max_length=40, verbose_name="time zone"),
        ),
        migrations.CreateModel(
            name="SeatingRun",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("search", "drawn by search"),
                            ("lot", "seats by lot, rotated"),
                            ("place", "seats by place, rotated"),
                        ],
                        default="search",
                        max_length=6,
                    ),
                ),
                ("players", models.JSONField()),
                ("games", models.PositiveSmallIntegerField()),
                ("tables", models.PositiveSmallIntegerField()),
                ("limits", models.JSONField(default=list)),
                ("seed", models.PositiveIntegerField()),
                ("seconds", models.PositiveSmallIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waits for its turn"),
                            ("running", "being drawn"),
                            ("done", "drawn"),
                            ("failed", "could not be drawn"),
                            ("used", "in use"),
                        ],
                        default="waiting",
                        max_length=7,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("stop_asked", models.BooleanField(default=False)),
                ("phase", models.CharField(blank=True, max_length=10)),
                ("spent", models.FloatField(default=0)),
                ("value", models.FloatField(null=True)),
                ("steps", models.JSONField(null=True)),
                ("plan", models.JSONField(null=True)),
                ("asked_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(null=True)),
                ("used_at", models.DateTimeField(null=True)),
                ("first_round", models.PositiveSmallIntegerField(null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seating_runs", to="protocols.stage"
                    ),
                ),
                (
                    "used_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "seating",
                "verbose_name_plural": "seatings",
                "ordering": ["asked_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "number",
                    models.PositiveSmallIntegerField(
                        validators=[django.core.validators.MinValueValidator(1)], verbose_name="round"
                    ),
                ),
                ("starts_at", models.DateTimeField(blank=True, null=True, verbose_name="starts at")),
                ("tables", models.PositiveSmallIntegerField(default=1, verbose_name="tables")),
                ("cancelled_at", models.DateTimeField(blank=True, null=True, verbose_name="cancelled at")),
                ("cancelled_because", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                (
                    "cancelled_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="rounds", to="protocols.stage"
                    ),
                ),
                (
                    "seating",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rounds",
                        to="protocols.seatingrun",
                    ),
                ),
            ],
            options={
                "verbose_name": "round",
                "verbose_name_plural": "rounds",
                "ordering": ["stage", "number"],
            },
        ),
        migrations.CreateModel(
            name="Conflict",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "judge",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="judge",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="protocols.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="conflicts", to="protocols.tournament"
                    ),
                ),
            ],
            options={
                "verbose_name": "conflict of a judge",
                "verbose_name_plural": "conflicts of judges",
                "ordering": ["tournament", "judge", "player__nickname_key"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "judge", "player"), name="conflict_is_named_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="KeptApart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "most",
                    models.PositiveSmallIntegerField(
                        default=0,
                        validators=[django.core.validators.MaxValueValidator(99)],
                        verbose_name="meet at most",
                    ),
                ),
                (
                    "first",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="protocols.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="protocols.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="kept_apart",
                        to="protocols.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "pair kept apart",
                "verbose_name_plural": "pairs kept apart",
                "ordering": ["tournament", "first__nickname_key", "second__nickname_key"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "first", "second"), name="pair_is_kept_apart_once"),
                    models.CheckConstraint(
                        condition=models.Q(("first__lt", models.F("second"))), name="pair_is_of_two_players_in_order"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Participant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[("registered", "takes part"), ("withdrawn", "withdrawn")],
                        default="registered",
                        max_length=10,
                        verbose_name="takes part",
                    ),
                ),
                (
                    "number",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[django.core.validators.MinValueValidator(1)],
                        verbose_name="number of the draw",
                    ),
                ),
                ("city", models.CharField(blank=True, max_length=60, verbose_name="city")),
                ("team", models.CharField(blank=True, max_length=60, verbose_name="team")),
                ("registered_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="participations",
                        to="protocols.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="participants",
                        to="protocols.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "participant",
                "verbose_name_plural": "participants",
                "ordering": ["tournament", models.OrderBy(models.F("number"), nulls_last=True), "player__nickname_key"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "player"), name="participant_takes_part_once"),
                    models.UniqueConstraint(fields=("tournament", "number"), name="participant_has_a_number_alone"),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["registered", "withdrawn"])),
                        name="participant_is_in_a_known_state",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__isnull", True), ("number__gte", 1), _connector="OR"),
                        name="participant_number_is_from_1",
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="seatingrun",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ("waiting", "running"))),
                fields=("stage",),
                name="seating_is_drawn_alone",
            ),
        ),
        migrations.AddConstraint(
            model_name="seatingrun",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["waiting", "running", "done", "failed", "used"])),
                name="seating_is_in_a_known_state",
            ),
        ),
        migrations.AddConstraint(
            model_name="seatingrun",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["search", "lot", "place"])), name="seating_is_of_a_known_kind"
            ),
        ),
        migrations.AddConstraint(
            model_name="seatingrun",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "used"), _negated=True),
                    models.Q(
                        ("first_round__gte", 1),
                        ("plan__isnull", False),
                        ("used_at__isnull", False),
                        ("used_by__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="seating_in_use_has_a_plan",
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.UniqueConstraint(fields=("stage", "number"), name="round_number_is_one_of_its_stage"),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="round_number_is_from_1"),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("cancelled_at__isnull", True), ("cancelled_because", ""), ("cancelled_by__isnull", True)),
                    models.Q(
                        ("cancelled_at__isnull", False),
                        ("cancelled_by__isnull", False),
                        models.Q(("cancelled_because", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="round_is_cancelled_with_a_reason",
            ),
        ),
    ]
