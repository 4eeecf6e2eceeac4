-- Readings can be fetched again from the gateways (they keep 90 days), so they needn't go through the WAL.
ALTER TABLE sensor_readings SET UNLOGGED;
ALTER TABLE sensor_readings_rest SET UNLOGGED;
ALTER TABLE alerts SET (fillfactor = 80);

CREATE SCHEMA ops;

CREATE TABLE ops.gateways (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    host        text NOT NULL UNIQUE,
    firmware    text NOT NULL,
    last_seen   timestamptz
);

CREATE TABLE ops.storage_samples (
    sampled_at  timestamptz NOT NULL DEFAULT now(),
    relation    text NOT NULL,
    bytes       bigint NOT NULL,
    wal_write   bigint,
    PRIMARY KEY (relation, sampled_at)
);

CREATE VIEW ops.writer_load AS
SELECT b.buffers_clean,
       b.maxwritten_clean,
       b.checkpoints_req,
       b.buffers_alloc,
       b.stats_reset
  FROM pg_stat_bgwriter b;

CREATE VIEW ops.database_load AS
SELECT d.datname, d.xact_commit, d.deadlocks,
       d.blk_read_time,
       d.temp_bytes
  FROM pg_stat_database d
 WHERE d.datname = current_database();
