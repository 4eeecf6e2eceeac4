CREATE EXTENSION IF NOT EXISTS pg_stat_statements;

CREATE TABLE check_result (
    check_name text NOT NULL,
    checked_at timestamptz NOT NULL DEFAULT now(),
    wal_keep_segments integer,
    ok         boolean NOT NULL
);
