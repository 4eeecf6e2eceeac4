from django.db import models


class Pallet(models.Model):
    sscc = models.CharField(max_length=18, unique=True)
    packed_at = models.DateTimeField()
    dispatched_at = models.DateTimeField(null=True, blank=True)
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL)


class Line(models.Model):
    pallet = models.ForeignKey(Pallet, on_delete=models.CASCADE, related_name="lines")
    lot = models.ForeignKey("intake.Lot", on_delete=models.PROTECT)
    grade = models.IntegerField()
    crates = models.IntegerField()


class Scan(models.Model):
    station = models.SmallIntegerField()
    sscc = models.CharField(max_length=18)
    seen_at = models.DateTimeField()

    class Meta:
        managed = False
        db_table = "pallets_scan"
