-- Package "posting": the business day

CREATE OR REPLACE FUNCTION bank.post(p_account bigint, p_amount numeric, p_purpose text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF p_amount = 0 THEN
        RAISE EXCEPTION 'amount must not be zero' USING ERRCODE = 'check_violation';
    END IF;
    INSERT INTO bank.postings (id, account_id, value_date, amount, purpose)
    VALUES (txid_current(), p_account, current_date, p_amount, p_purpose);
    UPDATE bank.accounts SET balance = balance + p_amount WHERE id = p_account;
END
$$;

CREATE OR REPLACE FUNCTION bank.close_day(p_day date) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    v_closed bigint;
BEGIN
    UPDATE bank.postings SET status = 'booked' WHERE status = 'open' AND value_date <= p_day;
    GET DIAGNOSTICS v_closed = ROW_COUNT;
    DELETE FROM bank.clearing_errors;
    RETURN v_closed;
END
$$;
