-- Rated usage arrives hourly from the mediation platform.
CREATE UNLOGGED TABLE billing.usage_import (
    customer_id  bigint NOT NULL,
    metered_at   timestamptz NOT NULL,
    units        numeric NOT NULL,
    payload      jsonb
) PARTITION BY LIST (customer_id);
CREATE TABLE billing.usage_import_default PARTITION OF billing.usage_import DEFAULT;

CREATE UNLOGGED TABLE billing.customer_dedup AS
SELECT id, name, vat,
       row_number() OVER (PARTITION BY vat ORDER BY created_at) AS n
  FROM billing.customers
  WITH NO DATA;
