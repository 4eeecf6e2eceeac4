from django.contrib.postgres.fields import JSONField
from django.db import models


class Clinic(models.Model):
    name = models.CharField(max_length=80)
    city = models.CharField(max_length=60)
    phone = models.CharField(max_length=30)
    opened_on = models.DateField()

    class Meta:
        db_table = "clinics_clinic"

    def __str__(self):
        return self.name


class Owner(models.Model):
    clinic = models.ForeignKey(Clinic, on_delete=models.PROTECT)
    first_name = models.CharField(max_length=60)
    last_name = models.CharField(max_length=60)
    email = models.EmailField()
    phone = models.CharField(max_length=30)
    created_at = models.DateTimeField(auto_now_add=True)


class Patient(models.Model):
    owner = models.ForeignKey(Owner, on_delete=models.PROTECT)
    name = models.CharField(max_length=60)
    species = models.CharField(max_length=20)
    breed = models.CharField(max_length=60)
    born = models.DateField(null=True)
    weight_kg = models.DecimalField(max_digits=6, decimal_places=2, null=True)
    chip_number = models.CharField(max_length=20)
    notes = models.TextField(blank=True)
    is_active = models.BooleanField(default=True)


class Visit(models.Model):
    PLANNED, OPEN, DONE = "planned", "open", "done"

    patient = models.ForeignKey(Patient, on_delete=models.PROTECT)
    clinic = models.ForeignKey(Clinic, on_delete=models.PROTECT)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=200)
    diagnosis = models.TextField(blank=True)
    status = models.CharField(max_length=12, default=PLANNED)


class Reminder(models.Model):
    patient = models.ForeignKey(Patient, on_delete=models.CASCADE)
    kind = models.CharField(max_length=20)
    due_on = models.DateField()
    state = models.CharField(max_length=12, default="queued")
    attempts = models.IntegerField(default=0)
    locked_at = models.DateTimeField(null=True)


class RoomUsage(models.Model):
    clinic = models.ForeignKey(Clinic, on_delete=models.CASCADE)
    room = models.CharField(max_length=20)
    day = models.DateField()
    calls = models.IntegerField()
    total_time = models.DurationField()


class LabResult(models.Model):
    visit = models.ForeignKey(Visit, on_delete=models.CASCADE)
    received_at = models.DateTimeField()
    payload = JSONField()
