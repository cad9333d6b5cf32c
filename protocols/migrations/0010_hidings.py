"""What is hidden from the public until it is announced."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("protocols", "0009_regulation_moves"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Hiding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "what",
                    models.CharField(
                        choices=[
                            ("table", "the whole table"),
                            ("extra", "only the extra points"),
                            ("nothing", "nothing"),
                        ],
                        max_length=7,
                        verbose_name="what is hidden",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(null=True, verbose_name="from round")),
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
                    "stage",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="protocols.stage",
                        verbose_name="stage",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="hidings",
                        to="protocols.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "hiding",
                "verbose_name_plural": "hidings",
                "ordering": ["tournament", "id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("what__in", ["table", "extra", "nothing"])),
                        name="hiding_is_of_something_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("number__isnull", True), ("stage__isnull", True), ("what", "nothing")),
                            models.Q(
                                models.Q(("what", "nothing"), _negated=True),
                                ("number__gte", 1),
                                ("stage__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="hiding_says_from_when",
                    ),
                ],
            },
        ),
    ]
