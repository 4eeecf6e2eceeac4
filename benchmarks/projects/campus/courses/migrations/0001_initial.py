from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [("people", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Course",
            fields=[
                ("id", models.AutoField(primary_key=True, serialize=False)),
                ("code", models.CharField(max_length=20, unique=True)),
                ("title", models.CharField(max_length=200)),
                ("syllabus", models.TextField(blank=True)),
                ("credits", models.DecimalField(max_digits=4, decimal_places=1)),
                ("seats", models.PositiveIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="Room",
            fields=[
                ("id", models.AutoField(primary_key=True, serialize=False)),
                ("label", models.CharField(max_length=40)),
                ("capacity", models.PositiveIntegerField()),
            ],
        ),
    ]
