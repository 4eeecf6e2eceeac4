from django.db import models


class DeliveryQuerySet(models.QuerySet):
    def with_operator(self, since):
        return self.raw(
            """
            SELECT d.id, d.lot_id, d.arrived_at,
                   json_value(d.weighbridge, 'operator') AS operator
              FROM intake_delivery d
             WHERE d.arrived_at >= %s
             ORDER BY d.arrived_at
            """,
            [since],
        )

    def with_bridge(self, since):
        return self.raw(
            """
            SELECT d.id, d.lot_id,
                   public.json_value(d.weighbridge, 'bridge') AS bridge
              FROM intake_delivery d
             WHERE d.arrived_at >= %s
             ORDER BY d.id
            """,
            [since],
        )

    def heavy(self):
        return self.extra(where=["intake_delivery.net_kg > 3000 AND intake_delivery.rejected_at IS NULL"])
