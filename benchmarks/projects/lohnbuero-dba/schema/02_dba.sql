-- Our own schema in each database
CREATE SCHEMA dba;

-- What audits found in the functions of a client's database. Filled by hand, once a year.
CREATE TABLE dba.function_inventory (
    audited_on date NOT NULL,
    signature  text NOT NULL,
    proisagg   boolean NOT NULL DEFAULT false,
    remark     text,
    PRIMARY KEY (audited_on, signature)
);

-- CHECK constraints that clients asked us to drop
CREATE TABLE dba.dropped_constraints (
    table_name text NOT NULL,
    conname    text NOT NULL,
    consrc     text NOT NULL,
    dropped_on date NOT NULL DEFAULT current_date
);

CREATE TABLE dba.table_sizes (
    taken_at   timestamptz NOT NULL DEFAULT now(),
    table_name text NOT NULL,
    bytes      bigint NOT NULL
);

CREATE TABLE dba.wait_samples (
    taken_at   timestamptz NOT NULL DEFAULT now(),
    kind       text NOT NULL,
    sessions   integer NOT NULL
);

CREATE TABLE dba.backup_log (
    host        text NOT NULL,
    started_at  timestamptz NOT NULL,
    finished_at timestamptz,
    label       text NOT NULL
);

CREATE TABLE dba.runbook (
    step integer PRIMARY KEY,
    text text NOT NULL
);

INSERT INTO dba.runbook (step, text) VALUES
    (10, 'Stop the applications of the client'),
    (20, 'New standby on 9.x hosts: write recovery.conf by hand'),
    (30, 'Check pages with pg_verify_checksums, server stopped'),
    (40, 'Look for SELECT pg_is_in_backup() in the log'),
    (50, 'Start the applications');
