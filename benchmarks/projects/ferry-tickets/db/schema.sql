-- Schema of the ticket system; later changes are in migrations/.
CREATE EXTENSION IF NOT EXISTS pg_stat_statements;
CREATE EXTENSION IF NOT EXISTS citext;

CREATE TABLE port (
    code        char(3) PRIMARY KEY,
    name        text NOT NULL,
    harbour     polygon NOT NULL,
    time_zone   text NOT NULL DEFAULT 'Europe/Copenhagen'
);

CREATE TABLE vessel (
    id          serial PRIMARY KEY,
    name        text NOT NULL UNIQUE,
    call_sign   text NOT NULL CHECK (call_sign ~ '^[A-Z0-9]{4,7}$'),
    seats       integer NOT NULL,
    deck_cm     integer NOT NULL
);

CREATE TABLE vessel_position (
    vessel_id   integer NOT NULL REFERENCES vessel,
    seen_at     timestamptz NOT NULL,
    position    point NOT NULL,
    speed_kn    numeric(4,1),
    PRIMARY KEY (vessel_id, seen_at)
);

CREATE TABLE sailing (
    id          bigserial PRIMARY KEY,
    vessel_id   integer NOT NULL REFERENCES vessel,
    from_port   char(3) NOT NULL REFERENCES port,
    to_port     char(3) NOT NULL REFERENCES port,
    departs_at  timestamptz NOT NULL,
    departed_at timestamptz,
    arrived_at  timestamptz,
    seats_free  integer NOT NULL,
    CHECK (from_port <> to_port)
);
CREATE INDEX sailing_departs_at ON sailing (departs_at);

CREATE TABLE customer (
    id          bigserial PRIMARY KEY,
    email       citext NOT NULL UNIQUE,
    full_name   text NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE booking (
    id                bigserial PRIMARY KEY,
    customer_id       bigint NOT NULL REFERENCES customer,
    sailing_id        bigint NOT NULL REFERENCES sailing,
    passengers        smallint NOT NULL DEFAULT 1,
    vehicle_length_cm integer,
    price             numeric(9,2) NOT NULL,
    tags              text[] NOT NULL DEFAULT '{}',
    booked_at         timestamptz NOT NULL DEFAULT now(),
    cancelled_at      timestamptz
);
CREATE INDEX booking_sailing ON booking (sailing_id);

CREATE TABLE voucher (
    code        text PRIMARY KEY,
    customer_id bigint REFERENCES customer,
    amount      numeric(7,2) NOT NULL,
    issued_on   date NOT NULL DEFAULT current_date,
    valid_until date
);

-- Scanned waybills; compression is the method of the file's content
CREATE TABLE waybill_file (
    id          bigserial PRIMARY KEY,
    booking_id  bigint NOT NULL REFERENCES booking,
    compression text NOT NULL DEFAULT 'zip',
    content     bytea NOT NULL
);

-- One row per crossing from the engine's logger, times in minutes
CREATE TABLE engine_log (
    sailing_id  bigint PRIMARY KEY REFERENCES sailing,
    total_time  double precision NOT NULL,
    idle_time   double precision NOT NULL DEFAULT 0
);

CREATE TABLE help_text (
    topic       text PRIMARY KEY,
    body        text NOT NULL
);

CREATE TABLE change_log (
    id          bigserial PRIMARY KEY,
    table_name  text NOT NULL,
    changed_at  timestamptz NOT NULL DEFAULT now(),
    changed_by  text NOT NULL DEFAULT current_user,
    row_data    jsonb
);

CREATE FUNCTION log_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO change_log (table_name, row_data) VALUES (TG_TABLE_NAME, to_jsonb(NEW));
    RETURN NEW;
END
$$;

CREATE TRIGGER booking_log AFTER INSERT OR UPDATE ON booking
    FOR EACH ROW EXECUTE FUNCTION log_change();

-- Collects values to an array, for the passenger lists (from the days of 8.3)
CREATE AGGREGATE array_accum(anyelement) (
    SFUNC = array_append,
    STYPE = anyarray,
    INITCOND = '{}'
);

-- The same for texts, without NULLs
CREATE FUNCTION append_tag(text[], text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN $2 IS NULL THEN $1 ELSE array_append($1, $2) END
$$;

CREATE AGGREGATE tag_accum(text) (
    SFUNC = append_tag,
    STYPE = text[],
    INITCOND = '{}'
);

CREATE VIEW delay AS
    SELECT s.id AS sailing_id,
           s.departs_at,
           date_part('epoch', s.departed_at - s.departs_at) / 60 AS minutes_late
      FROM sailing s
     WHERE s.departed_at IS NOT NULL;

CREATE VIEW sailing_load AS
    SELECT s.id AS sailing_id,
           v.seats,
           coalesce(sum(b.passengers) FILTER (WHERE b.cancelled_at IS NULL), 0) AS booked
      FROM sailing s
      JOIN vessel v ON v.id = s.vessel_id
      LEFT JOIN booking b ON b.sailing_id = s.id
     GROUP BY s.id, v.seats;
