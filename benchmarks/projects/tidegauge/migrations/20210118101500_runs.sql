-- Runs of the collector, and a cleanup

CREATE TABLE runs (
    id          bigserial PRIMARY KEY,
    started_at  timestamptz NOT NULL,
    total_time  numeric(10, 3),
    mean_time   numeric(10, 3),
    imported    integer NOT NULL DEFAULT 0,
    failed      integer NOT NULL DEFAULT 0
);

CREATE TABLE clusters (
    host        text PRIMARY KEY,
    lc_collate  text NOT NULL,
    lc_ctype    text NOT NULL,
    checked_on  date NOT NULL
);

CREATE TABLE exports (
    id          bigserial PRIMARY KEY,
    agency      text NOT NULL,
    payload     json NOT NULL,
    sent_at     timestamptz
);

-- replaced by the table predictions
DROP FUNCTION IF EXISTS tide_phase;
DROP FUNCTION IF EXISTS tide_range;
DROP FUNCTION IF EXISTS level_class(double precision);

CREATE FUNCTION log_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.failed > OLD.failed THEN
        PERFORM pg_notify('runs', json_build_object('run', NEW.id, 'failed', NEW.failed)::text);
    END IF;
    RETURN NULL;
END;
$$;

CREATE TRIGGER runs_log AFTER INSERT OR UPDATE ON runs
    FOR EACH ROW EXECUTE PROCEDURE log_run();
