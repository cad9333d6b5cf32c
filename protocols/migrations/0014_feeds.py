"""What calendars were told of a seating."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("protocols", "0013_protests")]

    operations = [
        migrations.CreateModel(
            name="FeedEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("audience", models.CharField(max_length=30)),
                ("uid", models.UUIDField()),
                ("digest", models.CharField(max_length=64)),
                ("sequence", models.PositiveIntegerField(default=0)),
                ("changed_at", models.DateTimeField()),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="feed_events",
                        to="protocols.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "event of a calendar",
                "verbose_name_plural": "events of calendars",
                "ordering": ["tournament", "audience", "uid"],
                "constraints": [
                    models.UniqueConstraint(fields=("audience", "uid"), name="feed_event_is_told_once_to_each")
                ],
            },
        ),
    ]
