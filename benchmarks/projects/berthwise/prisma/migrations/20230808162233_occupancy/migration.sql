-- CreateTable
CREATE TABLE "seasons" (
    "name" TEXT NOT NULL,
    "starts" DATE NOT NULL,
    "ends" DATE NOT NULL,
    "surcharge" DECIMAL(4,2) NOT NULL DEFAULT 1,

    CONSTRAINT "seasons_pkey" PRIMARY KEY ("name")
);

CREATE FUNCTION "season_of"(day date) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
    found_name text;
BEGIN
    SELECT s.name INTO found_name
      FROM seasons s
     WHERE day BETWEEN s.starts AND s.ends
     ORDER BY s.starts
     LIMIT 1;
    RETURN coalesce(found_name, 'off');
END
$$;

CREATE FUNCTION "surcharge_of"(day date) RETURNS numeric
LANGUAGE plpgsql STABLE SET search_path = public AS $$
DECLARE
    factor numeric;
BEGIN
    SELECT max(s.surcharge) INTO factor
      FROM seasons s
     WHERE day BETWEEN s.starts AND s.ends;
    RETURN coalesce(factor, 1);
END
$$;

CREATE MATERIALIZED VIEW "berth_occupancy" AS
SELECT k."berth_id", season_of(k."arrives") AS "season", sum(k."departs" - k."arrives") AS "nights"
  FROM "bookings" k
 WHERE k."status" <> 'cancelled'
 GROUP BY 1, 2;

CREATE UNIQUE INDEX "berth_occupancy_key" ON "berth_occupancy" ("berth_id", "season");

CREATE MATERIALIZED VIEW "booking_surcharges" AS
SELECT k."id", surcharge_of(k."arrives") AS "factor"
  FROM "bookings" k;

CREATE UNIQUE INDEX "booking_surcharges_key" ON "booking_surcharges" ("id");
