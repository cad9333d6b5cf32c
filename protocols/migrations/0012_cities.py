"""The city of a player."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("protocols", "0011_rounds")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="city",
            field=models.CharField(blank=True, max_length=60, verbose_name="city"),
        ),
    ]
