-- Facts and helpers that are not built by dbt.
CREATE TABLE dwh.fact_stop_event (
    service_date date NOT NULL,
    line_no      text NOT NULL,
    stop_code    text NOT NULL,
    departures   integer NOT NULL,
    delayed      integer NOT NULL,
    boarded      bigint NOT NULL
) PARTITION BY RANGE (service_date);

CREATE TABLE dwh.fact_stop_event_2022 PARTITION OF dwh.fact_stop_event
    FOR VALUES FROM ('2022-01-01') TO ('2023-01-01');
CREATE TABLE dwh.fact_stop_event_2023 PARTITION OF dwh.fact_stop_event
    FOR VALUES FROM ('2023-01-01') TO ('2024-01-01');
CREATE INDEX fact_stop_event_line ON dwh.fact_stop_event (line_no, service_date);

-- Flattens arrays of different lengths, which array_agg() can't.
CREATE AGGREGATE dwh.array_concat_agg(anyarray) (SFUNC = array_cat, STYPE = anyarray, INITCOND = '{}');

-- The parts of all orders of a vehicle in one list.
CREATE AGGREGATE dwh.parts_concat(text[]) (SFUNC = array_cat, STYPE = text[], INITCOND = '{}');

-- Number of matches, as in the Oracle warehouse that we migrated from.
CREATE FUNCTION dwh.regexp_count(subject text, pattern text) RETURNS integer
    LANGUAGE sql IMMUTABLE AS $$
    SELECT count(*)::integer FROM regexp_matches(subject, pattern, 'gi')
$$;

-- Adds working days, skipping Sundays and holidays.
CREATE FUNCTION dwh.date_add(start_day date, days integer) RETURNS date
    LANGUAGE sql STABLE AS $$
    SELECT max(day) FROM (
        SELECT day FROM ref.calendar
         WHERE day > start_day AND day_type IN ('weekday', 'saturday')
         ORDER BY day LIMIT days) working
$$;

CREATE FUNCTION dwh.service_hour(at timestamptz) RETURNS integer
    LANGUAGE sql STABLE AS $$
    -- the service day begins at 4 o'clock
    SELECT ((extract(hour FROM at)::integer + 20) % 24)
$$;

CREATE VIEW dwh.workshop_parts AS
SELECT vehicle_no, dwh.parts_concat(parts ORDER BY opened_on) AS parts
  FROM raw.workshop_order
 GROUP BY vehicle_no;
