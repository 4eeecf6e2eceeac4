CREATE TABLE ops.load_queue (
    id         bigserial PRIMARY KEY,
    dag_id     text NOT NULL,
    payload    jsonb NOT NULL,
    attempts   integer NOT NULL DEFAULT 0,
    claimed_at timestamptz,
    requested  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE ops.load_log (
    id         bigserial PRIMARY KEY,
    dag_id     text NOT NULL,
    started    timestamptz NOT NULL,
    finished   timestamptz,
    rows       bigint,
    run_by     text NOT NULL DEFAULT session_user
);

CREATE TABLE ops.saved_constraints (
    tbl  regclass NOT NULL,
    name name NOT NULL,
    def  text NOT NULL,
    PRIMARY KEY (tbl, name)
);

CREATE VIEW ops.last_loads AS
SELECT DISTINCT ON (dag_id)
       dag_id, started, finished, rows, run_by
  FROM ops.load_log
 ORDER BY dag_id, started DESC;
