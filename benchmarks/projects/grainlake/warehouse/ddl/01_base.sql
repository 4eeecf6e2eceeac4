-- schemas, extensions and helper objects of the warehouse
CREATE SCHEMA raw;
CREATE SCHEMA etl;

CREATE EXTENSION IF NOT EXISTS hstore;
CREATE EXTENSION IF NOT EXISTS pg_stat_statements;

COMMENT ON SCHEMA raw IS 'as delivered by the weighbridges and the laboratory';
COMMENT ON SCHEMA etl IS 'bookkeeping of the loads';

CREATE TABLE etl.batches (
    batch_id        bigserial PRIMARY KEY,
    source          text NOT NULL,
    started_at      timestamptz NOT NULL DEFAULT now(),
    finished_at     timestamptz,
    row_count       bigint,
    wal_write       bigint,
    checkpoints_req integer,
    parent          bigint REFERENCES etl.batches
);

CREATE TABLE etl.rule (
    rule_id    integer PRIMARY KEY,
    expression text NOT NULL,
    severity   text NOT NULL DEFAULT 'warn'
);

CREATE TABLE etl.tuning_notes (
    setting text PRIMARY KEY,
    note    text
);

INSERT INTO etl.tuning_notes VALUES
    ('vacuum_cleanup_index_scale_factor', 'see the index notes of the fact tables'),
    ('work_mem', 'dbt sets its own');
INSERT INTO etl.rule VALUES (1, 'moisture between 5 and 40', 'error'), (2, 'net_kg > 0', 'error');
