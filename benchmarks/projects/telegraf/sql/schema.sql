CREATE EXTENSION pg_stat_statements;
CREATE SCHEMA mon;
CREATE TABLE mon.samples (
    taken timestamptz NOT NULL DEFAULT now(),
    source text NOT NULL,
    buffers_backend bigint,
    blk_read_time double precision,
    wait text
);
CREATE VIEW mon.slow AS
    SELECT queryid, calls, total_exec_time, blk_read_time, blk_write_time
      FROM pg_stat_statements
     WHERE mean_exec_time > 100;
CREATE VIEW mon.blocks AS SELECT source, sum(blk_read_time) AS blk_read_time FROM mon.samples GROUP BY source;
CREATE FUNCTION mon.snap() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO mon.samples (source, buffers_backend)
    SELECT 'bgwriter', buffers_backend FROM pg_stat_bgwriter;
    INSERT INTO mon.samples (source, wait)
    SELECT 'waits', wait_event FROM pg_stat_activity WHERE wait_event_type = 'BufferPin';
    INSERT INTO mon.samples (source, blk_read_time)
    SELECT 'db', sum(blk_read_time) FROM pg_stat_database WHERE datname IS NOT NULL;
    RAISE NOTICE 'buffers_backend was stored';
END $$;
