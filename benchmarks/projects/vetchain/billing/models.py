from django.db import models


class Invoice(models.Model):
    visit = models.ForeignKey("clinics.Visit", on_delete=models.PROTECT)
    number = models.CharField(max_length=20, unique=True)
    issued_on = models.DateField()
    total = models.DecimalField(max_digits=10, decimal_places=2)
    paid_at = models.DateTimeField(null=True)


class InvoiceLine(models.Model):
    invoice = models.ForeignKey(Invoice, on_delete=models.CASCADE)
    text = models.CharField(max_length=120)
    quantity = models.DecimalField(max_digits=8, decimal_places=2)
    price = models.DecimalField(max_digits=10, decimal_places=2)


class RevenueByMonth(models.Model):
    clinic_id = models.IntegerField(primary_key=True)
    year = models.FloatField()
    month = models.IntegerField()
    revenue = models.DecimalField(max_digits=12, decimal_places=2)

    class Meta:
        managed = False
        db_table = "billing_revenue_by_month"
