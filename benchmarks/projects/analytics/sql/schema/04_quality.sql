-- what etl.monitor has seen, one row per column and night
CREATE TABLE quality.column_stats (
    seen_on       date NOT NULL,
    relation      text NOT NULL,
    attname       text NOT NULL,
    attstattarget integer NOT NULL DEFAULT -1,
    null_frac     real,
    PRIMARY KEY (seen_on, relation, attname)
);

CREATE TABLE quality.rule (
    rule_id   serial PRIMARY KEY,
    name      text NOT NULL,
    statement text NOT NULL,
    enabled   boolean NOT NULL DEFAULT true
);

CREATE TABLE quality.finding (
    rule_id  integer NOT NULL REFERENCES quality.rule,
    found_at timestamptz NOT NULL DEFAULT now(),
    detail   jsonb
);

CREATE TABLE quality.statement_times (
    seen_at timestamptz NOT NULL DEFAULT now(),
    queryid bigint,
    calls   bigint,
    ms      double precision
);
