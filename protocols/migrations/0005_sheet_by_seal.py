from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("protocols", "0004_drafts")]

    operations = [
        migrations.AddIndex(model_name="signedsheet", index=models.Index(fields=["sha256"], name="sheet_by_seal"))
    ]
