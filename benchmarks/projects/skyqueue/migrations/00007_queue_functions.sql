-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION open_queue(n date) RETURNS refcursor
LANGUAGE plpgsql AS $$
DECLARE
    queue CURSOR FOR
        SELECT o.id, t.name, o.exposure_s, o.repeats
          FROM observations o JOIN targets t ON t.id = o.target_id
         WHERE o.night = n AND o.done_at IS NULL
         ORDER BY o.seq;
BEGIN
    OPEN queue;
    RETURN queue;
END;
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION renumber(n date) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    todo CURSOR FOR SELECT id FROM observations WHERE night = n ORDER BY seq FOR UPDATE;
    i integer := 0;
BEGIN
    UPDATE observations SET seq = -seq WHERE night = n;
    FOR o IN todo LOOP
        i := i + 10;
        UPDATE observations SET seq = i WHERE CURRENT OF todo;
    END LOOP;
    RETURN i / 10;
END;
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION date_add(d date, i interval) RETURNS date
LANGUAGE sql IMMUTABLE AS $$ SELECT (d + i)::date $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION date_add(date, interval);
DROP FUNCTION renumber(date);
DROP FUNCTION open_queue(date);
