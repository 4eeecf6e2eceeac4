-- Scans of the finishing line; the day's partition is dropped after a week.
CREATE TABLE "scan_events" (
    "scanned_at" TIMESTAMPTZ(3) NOT NULL,
    "order_line_id" INTEGER NOT NULL,
    "printer_id" INTEGER NOT NULL,
    "grade" TEXT NOT NULL,
    "ignore" BOOLEAN NOT NULL DEFAULT false
) PARTITION BY RANGE ("scanned_at");

CREATE UNLOGGED TABLE "scan_events_2024_w36" PARTITION OF "scan_events"
    FOR VALUES FROM ('2024-09-02 00:00+00') TO ('2024-09-09 00:00+00');
CREATE UNLOGGED TABLE "scan_events_2024_w37" PARTITION OF "scan_events"
    FOR VALUES FROM ('2024-09-09 00:00+00') TO ('2024-09-16 00:00+00');

CREATE UNLOGGED TABLE "scan_buffer" (
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "payload" JSONB NOT NULL
);

-- Time-ordered identifiers for webhook deliveries.
CREATE OR REPLACE FUNCTION public.uuidv7() RETURNS uuid
    LANGUAGE sql VOLATILE
    AS $$
SELECT encode(
         set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
           PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
           FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid
$$;

CREATE TABLE "webhook_deliveries" (
    "id" UUID NOT NULL DEFAULT public.uuidv7(),
    "url" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- Samples that the ops page stores, one row a minute.
CREATE TABLE "db_samples" (
    "taken_at" TIMESTAMPTZ(3) NOT NULL,
    "checkpoints_timed" BIGINT,
    "wal_write" BIGINT,
    "wal_sync" BIGINT,
    "blk_read_time" DOUBLE PRECISION,

    CONSTRAINT "db_samples_pkey" PRIMARY KEY ("taken_at")
);

ALTER TABLE "db_samples" ALTER COLUMN "wal_sync" DROP NOT NULL;
