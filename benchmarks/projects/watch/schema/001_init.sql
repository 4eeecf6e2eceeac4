-- Schema of the agent's own database.
CREATE SCHEMA watch;
CREATE EXTENSION IF NOT EXISTS pg_stat_statements;

CREATE ROLE watch_agent LOGIN;
GRANT pg_monitor TO watch_agent;
GRANT USAGE ON SCHEMA watch TO watch_agent;

CREATE TABLE watch.sample (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    taken     timestamptz NOT NULL DEFAULT now(),
    collector text NOT NULL,
    metric    text NOT NULL,
    labels    jsonb NOT NULL DEFAULT '{}',
    value     double precision NOT NULL
);
CREATE INDEX sample_metric_taken ON watch.sample (metric, taken);

CREATE TABLE watch.rule (
    id       integer PRIMARY KEY,
    metric   text NOT NULL,
    over     double precision,
    lasts    interval NOT NULL DEFAULT '5 minutes',
    options  jsonb NOT NULL DEFAULT '{}'
);

GRANT SELECT, INSERT, DELETE ON watch.sample TO watch_agent;
GRANT SELECT ON watch.rule TO watch_agent;
