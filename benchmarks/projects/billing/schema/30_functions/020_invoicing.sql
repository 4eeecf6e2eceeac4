CREATE FUNCTION billing.first_of_period(p_day date) RETURNS date
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    v_day integer := extract(day FROM p_day);
BEGIN
    RETURN p_day - (v_day - 1);
END
$$;

CREATE FUNCTION billing.next_invoice() RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    v_id bigint;
BEGIN
    SELECT i.id INTO v_id
      FROM billing.invoices i
     WHERE i.state = 'open'
       AND i.attempts < 5AND i.due_on < current_date
     ORDER BY i.due_on
     LIMIT 1
       FOR UPDATE SKIP LOCKED;
    RETURN v_id;
END
$$;

CREATE FUNCTION billing.send_reminders(p_before date) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    due CURSOR (d date) FOR
        SELECT id, issued_on FROM billing.invoices WHERE state = 'open' AND due_on < d;
    v_sent integer := 0;
BEGIN
    FOR r IN due(p_before) LOOP
        UPDATE billing.invoices SET attempts = attempts + 1
         WHERE id = r.id AND issued_on = r.issued_on;
        PERFORM pg_notify('reminder', r.id::text);
        v_sent := v_sent + 1;
    END LOOP;
    RETURN v_sent;
END
$$;
