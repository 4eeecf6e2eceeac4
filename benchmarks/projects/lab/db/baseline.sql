CREATE ROLE lab_reader;

CREATE TABLE instruments (
    id          serial PRIMARY KEY,
    code        text NOT NULL UNIQUE,
    vendor      text,
    installed   date NOT NULL
);

CREATE TABLE samples (
    id            bigserial PRIMARY KEY,
    barcode       text NOT NULL UNIQUE,
    priority      smallint NOT NULL DEFAULT 1,
    received_at   timestamptz NOT NULL DEFAULT now(),
    collected_on  date NOT NULL,
    rejected_at   timestamptz,
    submitted_by  text NOT NULL
);

CREATE TABLE runs (
    id             bigserial PRIMARY KEY,
    instrument_id  integer NOT NULL REFERENCES instruments,
    "system_user"  text,
    started_at     timestamptz NOT NULL,
    finished_at    timestamptz
);

CREATE TABLE results (
    sample_id  bigint NOT NULL REFERENCES samples,
    run_id     bigint NOT NULL REFERENCES runs,
    analyte    text NOT NULL,
    value      double precision,
    flags      text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (sample_id, run_id, analyte)
);

CREATE TABLE nuclides (
    symbol     text PRIMARY KEY,
    half_life  interval NOT NULL
);

CREATE TABLE audit (
    at     timestamptz NOT NULL DEFAULT now(),
    what   text NOT NULL,
    who    text NOT NULL DEFAULT current_user
);

CREATE AGGREGATE array_accum (anyelement) (
    sfunc = array_append,
    stype = anyarray,
    initcond = '{}'
);

CREATE FUNCTION result_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO audit (what) VALUES (TG_OP || ' ' || NEW.analyte);
    RETURN NEW;
END
$$;

CREATE TRIGGER result_changed AFTER INSERT OR UPDATE ON results
    FOR EACH ROW EXECUTE PROCEDURE result_changed();

CREATE FUNCTION run_closed() RETURNS opaque LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.finished_at < NEW.started_at THEN
        RAISE EXCEPTION 'run % ends before it starts', NEW.id;
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER run_closed BEFORE UPDATE ON runs
    FOR EACH ROW EXECUTE PROCEDURE run_closed();

CREATE VIEW open_runs AS
SELECT r.id, i.code, r.started_at
  FROM runs r JOIN instruments i ON i.id = r.instrument_id
 WHERE r.finished_at IS NULL;

GRANT SELECT ON ALL TABLES IN SCHEMA public TO lab_reader;
