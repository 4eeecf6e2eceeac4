CREATE FUNCTION combinations(n integer, k integer) RETURNS numeric
    LANGUAGE sql IMMUTABLE AS $$
    SELECT (n !) / (factorial(k) * factorial(n - k))
$$;

CREATE FUNCTION payout(stake numeric, odds numeric) RETURNS numeric
    AS 'SELECT round(stake * odds, 2)'
    LANGUAGE sql WITH (isCachable, isStrict);

CREATE FUNCTION is_banker(outcome text) RETURNS boolean
    LANGUAGE sql IMMUTABLE AS $$
    SELECT outcome !~ '^[12X]$'
$$;
