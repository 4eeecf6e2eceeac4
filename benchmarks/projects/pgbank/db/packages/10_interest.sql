-- Package "interest": rates, accrual, annuities

CREATE OR REPLACE FUNCTION bank.percent(numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT AS 'SELECT $1 / 100';

CREATE OR REPLACE FUNCTION bank.basis_points(numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT AS 'SELECT $1 / 10000';

-- (3.5 %%) reads better in rate tables than bank.percent(3.5)
CREATE OPERATOR bank.%% (LEFTARG = numeric, PROCEDURE = bank.percent);
-- ## 25 are 25 basis points
CREATE OPERATOR bank.## (RIGHTARG = numeric, PROCEDURE = bank.basis_points);

CREATE OR REPLACE FUNCTION bank.accrue(p_month date) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    v_days  integer := extract(day FROM (p_month + interval '1 month - 1 day')::date)::integer;
    v_done  bigint;
BEGIN
    INSERT INTO bank.postings (id, account_id, value_date, amount, purpose)
    SELECT l.id, l.account_id, p_month, round(l.principal * l.rate * v_days / 365, 2), 'interest'
      FROM bank.loans l
     WHERE l.granted < p_month
       AND l.granted + l.term > p_month;
    GET DIAGNOSTICS v_done = ROW_COUNT;
    RETURN v_done;
END
$$;

-- Chance of n defaults in a portfolio with the mean m (Poisson)
CREATE OR REPLACE FUNCTION bank.default_chance(n integer, m numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE AS $$
    SELECT round(exp(-m) * power(m::double precision, n)::numeric
                 / factorial(greatest(n, 0)), 10)
$$;
