CREATE VIEW "boat_directory" AS
SELECT b."id", b."name", b."registration", o."full_name" AS "owner"
  FROM "boats" b
  JOIN "owners" o ON o."id" = b."owner_id";

CREATE VIEW "berth_directory" AS
SELECT m."code", m."name" COLLATE "C" AS "marina", t."pontoon"
  FROM "berths" t
  JOIN "marinas" m ON m."id" = t."marina_id";
