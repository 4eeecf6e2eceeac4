-- the overview groups mandates by what the merchant sees: "1 mon", "3 mons", "1 year"
CREATE INDEX mandates_merchant_idx ON mandates (merchant_id) WHERE revoked_at IS NULL;
CREATE INDEX mandates_cadence_idx ON mandates ((cadence::text), merchant_id);
CREATE INDEX mandates_retry_idx ON mandates ((retry_days::text));

CREATE VIEW mandate_overview AS
SELECT m.merchant_id,
       count(*) AS active,
       min(m.signed_on) AS oldest
  FROM mandates m
 WHERE m.revoked_at IS NULL
 GROUP BY m.merchant_id;
