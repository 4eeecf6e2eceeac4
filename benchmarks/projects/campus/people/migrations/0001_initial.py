from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    operations = [
        migrations.CreateModel(
            name="Person",
            fields=[
                ("id", models.AutoField(primary_key=True, serialize=False)),
                ("username", models.CharField(max_length=60, unique=True)),
                ("full_name", models.CharField(max_length=200)),
                ("phone", models.TextField(blank=True)),
                ("fax", models.TextField(blank=True)),
                ("is_staff", models.BooleanField(default=False)),
                ("joined_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
    ]
