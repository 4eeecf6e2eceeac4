-- Deploy circulation:loan_functions to pg
-- requires: loans

BEGIN;

SET LOCAL search_path = circ, public;

CREATE FUNCTION due_date(loaned timestamptz, days integer) RETURNS date
AS 'SELECT (loaned + days * interval ''1 day'')::date'
LANGUAGE sql WITH (isstrict);

CREATE FUNCTION days_late(due date, returned timestamptz) RETURNS integer
LANGUAGE sql STABLE STRICT AS $$
    SELECT greatest(returned::date - due, 0)
$$;

CREATE FUNCTION return_item(item integer) RETURNS void
LANGUAGE plpgsql SET search_path = circ, public AS $$
BEGIN
    UPDATE loans
       SET (returned_at) = (now())
     WHERE item_id = item
       AND returned_at IS NULL;
    DELETE FROM transfers WHERE item_id = item;
END
$$;

CREATE FUNCTION renew(loan integer, days integer) RETURNS void
LANGUAGE plpgsql SET search_path = circ, public AS $$
BEGIN
    UPDATE loans
       SET (due_on, renewals) = (due_on + days, renewals + 1)
     WHERE id = loan;
END
$$;

COMMIT;
