-- the app sorts boat names bytewise, the directory should as well
CREATE OR REPLACE VIEW "boat_directory" AS
SELECT b."id", b."name" COLLATE "C" AS "name", b."registration", o."full_name" AS "owner"
  FROM "boats" b
  JOIN "owners" o ON o."id" = b."owner_id";

CREATE OR REPLACE VIEW "berth_directory" AS
SELECT m."code", m."name" COLLATE "C" AS "marina", t."pontoon", t."berth_no"
  FROM "berths" t
  JOIN "marinas" m ON m."id" = t."marina_id";
