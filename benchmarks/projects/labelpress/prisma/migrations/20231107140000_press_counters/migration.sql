-- Counters as the presses send them. "waste_m" is what the operator enters.
CREATE TABLE "press_counters" (
    "id" BIGSERIAL NOT NULL,
    "press_id" INTEGER NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL,
    "run_m" NUMERIC(10,1) NOT NULL,
    "setup_m" NUMERIC(10,1) NOT NULL DEFAULT 0,
    "waste_m" NUMERIC(10,1),

    CONSTRAINT "press_counters_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "press_counters_press_id_read_at_idx" ON "press_counters"("press_id", "read_at");

-- The digital press has no operator at the waste counter.
CREATE TABLE "press_counters_digital" (
    "clicks" INTEGER NOT NULL DEFAULT 0,
    "waste_m" NUMERIC(10,1) GENERATED ALWAYS AS ("setup_m" * 1.05) STORED
) INHERITS ("press_counters");

-- The flexo presses count plates changes and the ink that was used.
CREATE TABLE "press_counters_flexo" (
    "plate_changes" INTEGER NOT NULL DEFAULT 0,
    "ink_g" NUMERIC(9,1) NOT NULL DEFAULT 0,
    "ink_g_per_plate" NUMERIC(12,3) GENERATED ALWAYS AS ("ink_g" / greatest("plate_changes", 1)) STORED
) INHERITS ("press_counters");

ALTER TABLE "press_counters_flexo" ALTER COLUMN "plate_changes" DROP NOT NULL;

-- Meters that a job has cost, in the view of the controller.
CREATE TABLE "job_costs" (
    "id" SERIAL NOT NULL,
    "order_line_id" INTEGER NOT NULL,
    "run_m" NUMERIC(10,1) NOT NULL,
    "waste_m" NUMERIC(10,1) NOT NULL DEFAULT 0,
    "material_cost" NUMERIC(12,2) NOT NULL,
    "press_cost" NUMERIC(12,2) NOT NULL,
    "cost" NUMERIC(12,2) GENERATED ALWAYS AS ("material_cost" + "press_cost") STORED,
    "booked_on" DATE NOT NULL,

    CONSTRAINT "job_costs_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "job_costs" ADD CONSTRAINT "job_costs_order_line_id_fkey" FOREIGN KEY ("order_line_id") REFERENCES "order_lines"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE OR REPLACE FUNCTION press_minutes(press integer, day date) RETURNS numeric
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    bookings CURSOR FOR
        SELECT booked FROM press_bookings
         WHERE press_id = press AND booked && tstzrange(day, day + 1);
    slot record;
    minutes numeric := 0;
BEGIN
    OPEN bookings;
    LOOP
        FETCH bookings INTO slot;
        EXIT WHEN NOT FOUND;
        minutes := minutes + extract(epoch FROM upper(slot.booked) - lower(slot.booked)) / 60;
    END LOOP;
    CLOSE bookings;
    RETURN round(minutes, 1);
END
$$;
