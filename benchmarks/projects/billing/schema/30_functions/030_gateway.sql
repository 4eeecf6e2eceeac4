SET search_path = billing, pg_catalog;

CREATE FUNCTION book_gateway_event(p_event bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = billing, pg_catalog AS $$
DECLARE
    v_entry bigint;
BEGIN
    INSERT INTO ledger (customer_id, amount, memo)
    SELECT json_value(e.payload, 'customer')::bigint,
           (e.payload ->> 'amount')::numeric,
           'gateway event ' || e.id
      FROM gateway_events e
     WHERE e.id = p_event
    RETURNING entry_id INTO v_entry;
    UPDATE gateway_events e
       SET json_value = billing.json_value(e.payload, 'reference')
     WHERE e.id = p_event;
    RETURN v_entry;
END
$$;

RESET search_path;
