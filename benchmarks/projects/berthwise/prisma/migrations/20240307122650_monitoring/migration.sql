CREATE EXTENSION IF NOT EXISTS pg_stat_statements;

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'berthwise_monitor') THEN
        CREATE ROLE berthwise_monitor NOLOGIN;
    END IF;
END
$$;

GRANT pg_monitor TO berthwise_monitor;
GRANT EXECUTE ON FUNCTION pg_stat_statements_reset(oid, oid, bigint) TO berthwise_monitor;
GRANT EXECUTE ON FUNCTION reset_counters(oid, oid, bigint) TO berthwise_monitor;

-- CreateTable: samples that the agent on the database host pushes
CREATE TABLE "bgwriter_samples" (
    "taken_at" TIMESTAMPTZ(3) NOT NULL,
    "host" TEXT NOT NULL,
    "checkpoints_timed" BIGINT NOT NULL,
    "buffers_backend" BIGINT NOT NULL,

    CONSTRAINT "bgwriter_samples_pkey" PRIMARY KEY ("host", "taken_at")
);

CREATE TABLE "server_notes" (
    "setting" TEXT NOT NULL,
    "note" TEXT NOT NULL,

    CONSTRAINT "server_notes_pkey" PRIMARY KEY ("setting")
);

INSERT INTO "server_notes" ("setting", "note") VALUES
    ('vacuum_defer_cleanup_age', 'never raised; the replica uses a slot'),
    ('work_mem', 'reports set their own');
