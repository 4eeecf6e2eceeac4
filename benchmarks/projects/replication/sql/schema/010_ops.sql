CREATE SCHEMA ops;
CREATE TABLE ops.failovers_pending (
    node        text NOT NULL,
    noted_at    timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE ops.vacuum_samples (
    sampled_at       timestamptz NOT NULL DEFAULT now(),
    relid            oid NOT NULL,
    phase            text NOT NULL,
    max_dead_tuples  bigint
);
CREATE TABLE ops.heartbeat (
    node        text PRIMARY KEY,
    beat_at     timestamptz NOT NULL DEFAULT now()
);
