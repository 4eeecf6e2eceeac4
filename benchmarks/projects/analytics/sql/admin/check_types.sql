-- The shop once changed amounts to floats. Stop the load if it happens again.
DO $$
DECLARE
    sample record;
BEGIN
    SELECT amount, placed_on INTO sample FROM warehouse.orders LIMIT 1;
    IF FOUND AND sample.amount IS NOT OF (numeric, bigint) THEN
        RAISE EXCEPTION 'amount of warehouse.orders is a %', pg_typeof(sample.amount);
    END IF;
END
$$;

SELECT count(*) AS wrong
  FROM warehouse.order_items
 WHERE pg_typeof(quantity) NOT IN ('integer'::regtype, 'bigint'::regtype);

-- a budget is of a month, and it must not be of (or in) the future
SELECT store_id, month FROM warehouse.budget WHERE month > now() AND kind IS NOT DISTINCT FROM 'IST';
