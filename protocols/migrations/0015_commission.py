"""The appeals commission serves in a tournament."""

from django.db import migrations, models

ROLES = [
    ("organizer", "organizer"),
    ("head_judge", "head judge"),
    ("judge", "judge"),
    ("commission", "member of the appeals commission"),
]


class Migration(migrations.Migration):
    dependencies = [("protocols", "0014_feeds")]

    operations = [
        migrations.AlterField(
            model_name="member",
            name="role",
            field=models.CharField(choices=ROLES, max_length=12, verbose_name="serves as"),
        ),
        migrations.RemoveConstraint(model_name="member", name="member_has_a_known_role"),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.CheckConstraint(
                name="member_has_a_known_role",
                condition=models.Q(role__in=["organizer", "head_judge", "judge", "commission"]),
            ),
        ),
    ]
