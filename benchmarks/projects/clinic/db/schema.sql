--
-- Snapshot of the schema after migration 20230918_audit_sessions.
-- CI loads it into an empty database.
--

SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;

CREATE EXTENSION IF NOT EXISTS unaccent WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS pg_stat_statements WITH SCHEMA public;

CREATE SCHEMA util;

-- ---------------------------------------------------------------- functions

CREATE FUNCTION search_name(value text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$ SELECT unaccent('unaccent', lower(value)) $$;

CREATE FUNCTION util.fold_name(value text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    SET search_path = public, pg_catalog
    AS $$ SELECT unaccent('unaccent', upper(value)) $$;

-- polyfill from the days of 9.6; insurers send their messages as text
CREATE FUNCTION util.json_value(doc text, key text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$ SELECT doc::jsonb ->> key $$;

CREATE FUNCTION util.collect_sfunc(state text[], item text) RETURNS text[]
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT CASE WHEN item IS NULL THEN state ELSE state || item END $$;

CREATE AGGREGATE util.collect(text) (
    SFUNC = util.collect_sfunc,
    STYPE = text[],
    INITCOND = '{}'
);

CREATE AGGREGATE util.array_accum(anyelement) (
    SFUNC = array_append,
    STYPE = anyarray,
    INITCOND = '{}'
);

CREATE FUNCTION touch_row() RETURNS trigger
    LANGUAGE 'plpgsql'
    AS $$
BEGIN
    NEW.changed_at := clock_timestamp();
    RETURN NEW;
END
$$;

-- ------------------------------------------------------------------- tables

CREATE TABLE practices (
    practice_id   serial PRIMARY KEY,
    name          text NOT NULL,
    lc_collate    text NOT NULL DEFAULT 'de_DE.UTF-8',
    opened_on     date NOT NULL DEFAULT CURRENT_DATE
);

CREATE TABLE practitioners (
    practitioner_id serial PRIMARY KEY,
    practice_id     integer NOT NULL REFERENCES practices,
    login           text NOT NULL UNIQUE,
    full_name       text NOT NULL,
    slot_length     interval NOT NULL DEFAULT interval '15 minutes',
    active          boolean NOT NULL DEFAULT true
);

CREATE TABLE patients (
    patient_id   bigserial PRIMARY KEY,
    practice_id  integer NOT NULL REFERENCES practices,
    family_name  text NOT NULL,
    given_name   text NOT NULL,
    birth_date   date NOT NULL,
    age_years    integer,
    phone        text,
    notes        text,
    insurer_msg  text,
    changed_at   timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE appointments (
    appointment_id  bigserial PRIMARY KEY,
    patient_id      bigint NOT NULL REFERENCES patients,
    practitioner_id integer NOT NULL REFERENCES practitioners,
    visit_on        date NOT NULL,
    starts_at       timestamptz NOT NULL,
    planned         interval NOT NULL DEFAULT interval '15 minutes',
    room            integer,
    status          text NOT NULL DEFAULT 'booked'
                    CHECK (status IN ('booked', 'arrived', 'done', 'cancelled', 'no-show')),
    changed_at      timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE visit_stats (
    practice_id integer NOT NULL REFERENCES practices,
    week        date NOT NULL,
    visits      integer NOT NULL,
    total_time  double precision NOT NULL DEFAULT 0,
    PRIMARY KEY (practice_id, week)
);

CREATE TABLE invoices (
    invoice_id     bigserial PRIMARY KEY,
    appointment_id bigint NOT NULL REFERENCES appointments,
    amount         numeric(10,2) NOT NULL,
    points         integer NOT NULL DEFAULT 0,
    issued_at      timestamptz NOT NULL DEFAULT now(),
    paid_at        timestamptz
);

CREATE TABLE audit_sessions (
    session_id    bigserial PRIMARY KEY,
    login         text NOT NULL,
    "system_user" text NOT NULL,
    workstation   text,
    started_at    timestamptz NOT NULL DEFAULT now(),
    ended_at      timestamptz
);

-- ------------------------------------------------------------------ indexes

CREATE INDEX patients_search ON patients (search_name(family_name));
CREATE INDEX patients_folded ON patients (util.fold_name(given_name));
CREATE INDEX appointments_day ON appointments (practitioner_id, visit_on);
CREATE INDEX appointments_room_label ON appointments (('R' || room::text));
CREATE INDEX appointments_planned_label ON appointments ((planned::text));
CREATE INDEX invoices_open ON invoices (issued_at) WHERE paid_at IS NULL;

-- ----------------------------------------------------------- triggers, views

CREATE TRIGGER patients_touch BEFORE UPDATE ON patients
    FOR EACH ROW EXECUTE FUNCTION touch_row();
CREATE TRIGGER appointments_touch BEFORE UPDATE ON appointments
    FOR EACH ROW EXECUTE FUNCTION touch_row();

CREATE VIEW today AS
    SELECT a.appointment_id, a.starts_at, p.family_name, p.given_name, d.full_name AS practitioner
      FROM appointments a
      JOIN patients p USING (patient_id)
      JOIN practitioners d USING (practitioner_id)
     WHERE a.visit_on = CURRENT_DATE
       AND a.status <> 'cancelled';
