from django.db import models

from .managers import DeliveryQuerySet


class Grower(models.Model):
    name = models.CharField(max_length=120)
    region = models.CharField(max_length=40)
    joined_on = models.DateField()
    contract_until = models.DateTimeField()

    def __str__(self):
        return self.name


class Variety(models.Model):
    name = models.CharField(max_length=60, unique=True)
    shelf_life = models.DurationField()

    class Meta:
        verbose_name_plural = "varieties"


class Lot(models.Model):
    grower = models.ForeignKey(Grower, on_delete=models.PROTECT)
    variety = models.ForeignKey(Variety, on_delete=models.PROTECT)
    label = models.TextField()
    picked_on = models.DateField()
    closed_at = models.DateTimeField(null=True, blank=True)


class Delivery(models.Model):
    lot = models.ForeignKey(Lot, on_delete=models.PROTECT, related_name="deliveries")
    gross_kg = models.IntegerField()
    tare_kg = models.IntegerField()
    arrived_at = models.DateTimeField()
    rejected_at = models.DateTimeField(null=True, blank=True)
    weighbridge = models.JSONField(default=dict)
    notes = models.TextField(blank=True)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "deliveries"
