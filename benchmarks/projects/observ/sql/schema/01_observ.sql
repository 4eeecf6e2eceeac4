-- What the collector keeps: one database "observ" beside those that it watches.
CREATE EXTENSION IF NOT EXISTS pg_stat_statements;
CREATE SCHEMA observ;

CREATE TABLE observ.targets (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text NOT NULL UNIQUE,
    dsn         text NOT NULL,
    labels      jsonb NOT NULL DEFAULT '{}',
    active      boolean NOT NULL DEFAULT true
);

-- raw samples live for two days
CREATE UNLOGGED TABLE observ.samples_raw (
    target_id   integer NOT NULL,
    metric      text NOT NULL,
    at          timestamptz NOT NULL,
    value       numeric
) PARTITION BY RANGE (at);

CREATE UNLOGGED TABLE observ.scratch (
    target_id   integer NOT NULL,
    metric      text NOT NULL,
    payload     jsonb NOT NULL
);

CREATE TABLE observ.samples (
    target_id   integer NOT NULL REFERENCES observ.targets ON DELETE CASCADE,
    metric      text NOT NULL,
    at          timestamptz NOT NULL,
    value       numeric,
    PRIMARY KEY (target_id, metric, at)
);

CREATE TABLE observ.vacuum_runs (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    target_id       integer NOT NULL REFERENCES observ.targets ON DELETE CASCADE,
    relation        text NOT NULL,
    started         timestamptz NOT NULL,
    finished        timestamptz,
    num_dead_tuples bigint
);

CREATE TABLE observ.annotations (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at          timestamptz NOT NULL DEFAULT now(),
    target_id   integer REFERENCES observ.targets ON DELETE SET NULL,
    author      text NOT NULL,
    body        text NOT NULL
);

-- labels->>'env', but '' for missing ones: Grafana's variables can't be null
CREATE FUNCTION observ.json_value(doc jsonb, field text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(doc ->> field, '')
$$;

CREATE VIEW observ.environments AS
    SELECT DISTINCT observ.json_value(labels, 'env') AS env
      FROM observ.targets
     WHERE active;
