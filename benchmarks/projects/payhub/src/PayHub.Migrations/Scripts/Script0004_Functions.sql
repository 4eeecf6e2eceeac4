-- top-level member of a document as text; '' if there is none, so that callers need no coalesce
CREATE FUNCTION public.json_value(doc jsonb, member text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(doc ->> member, '')
$$;

CREATE AGGREGATE array_accum (anyelement) (
    sfunc = array_append,
    stype = anyarray,
    initcond = '{}'
);

-- keeps the first of equal elements
CREATE FUNCTION append_distinct(anyarray, anyelement) RETURNS anyarray
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN $2 = ANY ($1) THEN $1 ELSE $1 || $2 END
$$;

CREATE AGGREGATE array_accum_distinct (anyelement) (
    sfunc = append_distinct,
    stype = anyarray,
    initcond = '{}'
);

CREATE FUNCTION open_settlement(p_merchant bigint) RETURNS refcursor
LANGUAGE plpgsql AS $$
DECLARE
    settlement CURSOR FOR
        SELECT id, reference, net FROM payments
         WHERE merchant_id = p_merchant AND status = 'captured'
         ORDER BY id;
BEGIN
    OPEN settlement;
    RETURN settlement;
END $$;

CREATE FUNCTION open_reconciliation(p_merchant bigint) RETURNS refcursor
LANGUAGE plpgsql AS $$
DECLARE
    reconciliation refcursor := 'reconciliation';
BEGIN
    OPEN reconciliation FOR
        SELECT id, reference, amount FROM payments
         WHERE merchant_id = p_merchant AND captured_at >= now() - interval '7 days'
         ORDER BY id;
    RETURN reconciliation;
END $$;
