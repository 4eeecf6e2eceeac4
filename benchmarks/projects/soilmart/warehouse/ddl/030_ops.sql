CREATE SCHEMA ops;

CREATE TABLE ops.loads (
    id bigserial PRIMARY KEY,
    job text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    rows_in integer,
    message text
);

CREATE TABLE ops.column_targets (
    relation text NOT NULL,
    attname text NOT NULL,
    attstattarget integer NOT NULL DEFAULT 100,
    PRIMARY KEY (relation, attname)
);

CREATE TABLE ops.checks (
    name text PRIMARY KEY,
    statement text NOT NULL,
    expected bigint NOT NULL DEFAULT 0
);

CREATE UNIQUE INDEX checks_statement ON ops.checks (statement) NULLS NOT DISTINCT;

CREATE FUNCTION ops.finish_load(load bigint, counted integer, note text DEFAULT NULL) RETURNS void LANGUAGE sql AS $$
    UPDATE ops.loads SET finished_at = clock_timestamp(), rows_in = counted, message = note WHERE id = load
$$;

CREATE VIEW ops.last_loads AS
 SELECT DISTINCT ON (l.job) l.job, l.started_at, l.finished_at, l.rows_in, l.message
   FROM ops.loads l
  ORDER BY l.job, l.started_at DESC;
