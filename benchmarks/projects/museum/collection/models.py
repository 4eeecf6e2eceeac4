from django.contrib.postgres.search import SearchVectorField
from django.db import models


class Object(models.Model):
    inventory = models.TextField()
    title = models.TextField()
    medium = models.TextField(null=True)
    technique = models.TextField(null=True)
    acquired = models.DateField(null=True)
    details = models.JSONField(default=dict)
    lexemes = SearchVectorField(null=True)

    class Meta:
        managed = False

    def __str__(self):
        return f"{self.inventory} {self.title}"


class LoanQuerySet(models.QuerySet):
    def with_due(self):
        """Loans with the day on which they end, which is never a Monday."""
        return self.raw(
            """
            SELECT id, object_id, borrower, lent_at, lasts, returned,
                   date_add(lent_at, lasts) AS due
              FROM collection_loan
             WHERE returned IS NULL
            """
        )

    def forgotten(self):
        """Lent so long ago that the registrar should call."""
        return self.raw(
            "SELECT id, object_id, borrower FROM collection_loan"
            " WHERE returned IS NULL"
            " AND lent_at < now() + interval '2 years ago 6 months'"
        )

    def recent(self):
        return self.raw(
            "SELECT id, object_id, borrower FROM collection_loan"
            " WHERE lent_at > now() + interval '1 year 6 months ago'"
        )


class Loan(models.Model):
    object = models.ForeignKey(Object, models.DO_NOTHING)
    borrower = models.TextField()
    lent_at = models.DateTimeField()
    lasts = models.DurationField()
    returned = models.DateTimeField(null=True)

    objects = LoanQuerySet.as_manager()

    class Meta:
        managed = False


class Audit(models.Model):
    system_user = models.TextField()
    action = models.TextField()
    at = models.DateTimeField()

    class Meta:
        managed = False
