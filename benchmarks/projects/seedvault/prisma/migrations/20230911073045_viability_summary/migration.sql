-- The newest finished test of each accession.
CREATE MATERIALIZED VIEW "viability_summary" AS
SELECT DISTINCT ON (t."accession_id")
       t."accession_id",
       t."finished_at",
       t."total_time",
       round(100.0 * t."germinated" / nullif(t."sown", 0), 1) AS "viability"
  FROM "germination_tests" t
 WHERE t."finished_at" IS NOT NULL
 ORDER BY t."accession_id", t."finished_at" DESC;

CREATE UNIQUE INDEX "viability_summary_accession_id_key" ON "viability_summary"("accession_id");

-- Backfill: hours from sowing to the end of the test
UPDATE "germination_tests"
   SET "total_time" = (date_part('epoch', "finished_at" - "sown_at") / 3600)::int
 WHERE "finished_at" IS NOT NULL AND "total_time" IS NULL;
