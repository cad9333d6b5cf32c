import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL), ("protocols", "0006_clock")]

    operations = [
        migrations.AddField(
            model_name="document",
            name="games",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="document",
            name="reader",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="documents",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
