-- pg_cron is not installed in CI: what the jobs need of it
CREATE SCHEMA IF NOT EXISTS cron;

CREATE TABLE IF NOT EXISTS cron.job (
    jobid    bigserial PRIMARY KEY,
    schedule text NOT NULL,
    command  text NOT NULL,
    database text NOT NULL DEFAULT current_database(),
    active   boolean NOT NULL DEFAULT true,
    jobname  text UNIQUE
);

CREATE TABLE IF NOT EXISTS cron.job_run_details (
    jobid          bigint,
    runid          bigserial PRIMARY KEY,
    status         text,
    return_message text,
    start_time     timestamptz,
    end_time       timestamptz
);

CREATE OR REPLACE FUNCTION cron.schedule(job_name text, schedule text, command text) RETURNS bigint
LANGUAGE sql AS $$
    INSERT INTO cron.job (jobname, schedule, command) VALUES ($1, $2, $3)
    ON CONFLICT (jobname) DO UPDATE SET schedule = excluded.schedule, command = excluded.command
    RETURNING jobid
$$;
