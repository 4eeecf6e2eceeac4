-- Bookkeeping of the loads.
CREATE TABLE ops.load_log (
    load_id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    batch_id   text NOT NULL,
    source     text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    ended_at   timestamptz,
    row_count  bigint
);

CREATE TABLE ops.database_inventory (
    host        text NOT NULL,
    datname     text NOT NULL,
    lc_collate  text,
    lc_ctype    text,
    checked_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (host, datname)
);

CREATE TABLE ops.runbook (
    step   integer PRIMARY KEY,
    title  text NOT NULL,
    done_by text
);

INSERT INTO ops.runbook (step, title, done_by) VALUES
    (1, 'Stop the DAGs of the group "load"', 'data team'),
    (2, 'Ask the DBA whether pg_start_backup() was called today', 'data team'),
    (3, 'Take the workshop interface offline', 'IT operations');
