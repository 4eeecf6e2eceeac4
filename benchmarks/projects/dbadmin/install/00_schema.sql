-- objects of the DBA team; owner: dba_team
\set ON_ERROR_STOP on

SET client_min_messages = warning;

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'dba_team') THEN
        CREATE ROLE dba_team;
    END IF;
END
$$;

ALTER ROLE dba_team SET password_encryption = 'scram-sha-256';

CREATE SCHEMA IF NOT EXISTS dba;

CREATE TABLE dba.job_runs (
    id       bigserial PRIMARY KEY,
    job      text NOT NULL,
    abstime  timestamptz NOT NULL DEFAULT now(),
    reltuples bigint,
    ok       boolean
) WITH (oids = false);

CREATE TABLE dba.backup_runs (
    id       bigserial PRIMARY KEY,
    label    text NOT NULL,
    started  timestamptz NOT NULL DEFAULT now(),
    finished timestamptz
);

-- nightly copy of the defaults, to see who changed them
CREATE TABLE dba.attrdef_history (
    taken   date NOT NULL DEFAULT current_date,
    adrelid regclass NOT NULL,
    adnum   smallint NOT NULL,
    adsrc   text,
    PRIMARY KEY (taken, adrelid, adnum)
);

CREATE TABLE dba.thresholds (
    name  text PRIMARY KEY,
    value numeric NOT NULL
);
INSERT INTO dba.thresholds VALUES ('lock_wait_s', 30), ('idle_in_tx_s', 600), ('dead_ratio', 0.2);
