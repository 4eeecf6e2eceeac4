CREATE SCHEMA monitoring;

CREATE TABLE monitoring.samples (
    sampled_at timestamptz NOT NULL DEFAULT now(),
    metric text NOT NULL,
    value double precision NOT NULL
);

CREATE VIEW monitoring.uptime AS
SELECT extract(epoch FROM now() - pg_postmaster_start_time()) AS seconds;

CREATE VIEW monitoring.age AS
SELECT date_part('epoch', now() - pg_postmaster_start_time()) AS seconds;

CREATE VIEW monitoring.checkpoints AS
SELECT checkpoints_timed, checkpoints_req
  FROM pg_stat_bgwriter;

CREATE FUNCTION monitoring.sample() RETURNS void LANGUAGE sql AS $$
    INSERT INTO monitoring.samples (metric, value)
    SELECT 'backends', count(*) FROM pg_stat_activity WHERE backend_type = 'client backend';
$$;
