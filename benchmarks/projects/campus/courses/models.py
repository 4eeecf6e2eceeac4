from django.contrib.postgres.fields import HStoreField
from django.db import models


class Course(models.Model):
    code = models.CharField(max_length=20, unique=True)
    title = models.CharField(max_length=200)
    syllabus = models.TextField(blank=True)
    attributes = HStoreField(default=dict)
    credits = models.DecimalField(max_digits=4, decimal_places=1)
    seats = models.PositiveIntegerField()
    etag = models.TextField(null=True, editable=False)

    def __str__(self):
        return f"{self.code} {self.title}"


class Room(models.Model):
    label = models.CharField(max_length=40)
    capacity = models.PositiveIntegerField()


class Enrolment(models.Model):
    course = models.ForeignKey(Course, models.CASCADE)
    person = models.ForeignKey("people.Person", models.CASCADE)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        unique_together = [("course", "person")]


class Result(models.Model):
    enrolment = models.ForeignKey(Enrolment, models.CASCADE)
    score = models.FloatField()
    etag = models.TextField(null=True, editable=False)


class Sitting(models.Model):
    course = models.ForeignKey(Course, models.CASCADE)
    room = models.ForeignKey(Room, models.SET_NULL, null=True)
    starts_at = models.DateTimeField()
    total_time = models.PositiveIntegerField(default=120, help_text="minutes")
