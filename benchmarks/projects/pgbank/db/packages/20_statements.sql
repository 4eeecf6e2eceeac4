-- Package "statements": what the printers and the portal fetch

CREATE OR REPLACE FUNCTION bank.open_statement(p_account bigint, p_month date) RETURNS refcursor
    LANGUAGE plpgsql AS $$
DECLARE
    c_statement CURSOR FOR
        SELECT value_date, amount, purpose
          FROM bank.postings
         WHERE account_id = p_account
           AND value_date >= p_month AND value_date < p_month + interval '1 month'
         ORDER BY value_date, id;
BEGIN
    OPEN c_statement;
    RETURN c_statement;
END
$$;

CREATE OR REPLACE FUNCTION bank.open_ledger(p_month date) RETURNS refcursor
    LANGUAGE plpgsql AS $$
DECLARE
    c refcursor := 'c_ledger';
BEGIN
    OPEN c FOR
        SELECT account_id, sum(amount) AS total
          FROM bank.postings
         WHERE value_date >= p_month AND value_date < p_month + interval '1 month'
         GROUP BY account_id
         ORDER BY account_id;
    RETURN c;
END
$$;

-- Address of the holder as the printers want it
CREATE OR REPLACE FUNCTION bank.address_lines(p_account bigint) RETURNS text[]
    LANGUAGE plpgsql STABLE SET search_path TO 'bank', 'pg_temp' AS $$
DECLARE
    v_lines text[];
BEGIN
    SELECT ARRAY[a.holder,
                 json_value(a.details, 'street'),
                 bank.json_value(a.details, 'town')]
      INTO v_lines
      FROM accounts a
     WHERE a.id = p_account;
    RETURN v_lines;
END
$$;

CREATE OR REPLACE FUNCTION bank.monthly_fee(p_account bigint) RETURNS numeric
    LANGUAGE sql STABLE AS $$
    SELECT coalesce((details ->> 'fee')::numeric, 0) FROM bank.accounts WHERE id = p_account
$$;
