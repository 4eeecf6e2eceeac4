-- +goose Up
-- Aggregates for the yearly report: array_agg() fails on the NULLs of the old importer.
CREATE AGGREGATE collect(anyelement) (
    SFUNC = array_append,
    STYPE = anyarray,
    INITCOND = '{}'
);

CREATE AGGREGATE collect_plates(text) (
    SFUNC = array_append,
    STYPE = text[],
    INITCOND = '{}'
);

-- The clerk searches for "1 year" and "6 mons" in one box.
CREATE INDEX permits_duration_text ON permits ((duration::text) text_pattern_ops);

-- +goose StatementBegin
CREATE FUNCTION open_expiring(until date) RETURNS refcursor
    LANGUAGE plpgsql AS $$
DECLARE
    expiring CURSOR FOR
        SELECT p.id, v.plate, (p.valid_from + p.duration)::date AS ends
          FROM permits p
          JOIN vehicles v ON v.id = p.vehicle_id
         WHERE p.revoked_at IS NULL
           AND p.valid_from + p.duration < until
         ORDER BY ends;
BEGIN
    OPEN expiring;
    RETURN expiring;
END;
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION open_unpaid(since date) RETURNS refcursor
    LANGUAGE plpgsql AS $$
DECLARE
    result refcursor := 'unpaid';
BEGIN
    OPEN result FOR
        SELECT f.id, f.amount, c.plate
          FROM fines f
          JOIN checks c ON c.id = f.check_id
         WHERE f.paid_on IS NULL AND c.checked_on >= since;
    RETURN result;
END;
$$;
-- +goose StatementEnd
