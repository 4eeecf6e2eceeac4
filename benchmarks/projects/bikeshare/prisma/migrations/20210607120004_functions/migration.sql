-- SQL/JSON as other systems have it, enough for flat documents
CREATE FUNCTION public.json_value(doc jsonb, field text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS 'SELECT doc ->> field';

CREATE FUNCTION array_append_known(anyarray, anyelement) RETURNS anyarray
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT CASE WHEN $2 IS NULL THEN $1 ELSE array_append($1, $2) END $$;

-- stations in the order in which the van visited them
CREATE AGGREGATE known_accum (anyelement) (
    SFUNC = array_append_known,
    STYPE = anyarray,
    INITCOND = '{}'
);

CREATE AGGREGATE visit_accum (anyelement) (
    SFUNC = array_append,
    STYPE = anyarray,
    INITCOND = '{}'
);

CREATE FUNCTION open_rebalance(min_free integer) RETURNS refcursor
    LANGUAGE plpgsql
    AS $$
DECLARE
    rebalance_cur CURSOR FOR
        SELECT s.id, s.code, s.capacity - count(b.id) AS free
          FROM stations s
          LEFT JOIN bikes b ON b.station_id = s.id
         GROUP BY s.id
        HAVING s.capacity - count(b.id) >= min_free
         ORDER BY free DESC;
BEGIN
    OPEN rebalance_cur;
    RETURN rebalance_cur;
END
$$;

CREATE FUNCTION open_empty_docks() RETURNS refcursor
    LANGUAGE plpgsql
    AS $$
DECLARE
    docks refcursor := 'docks_cur';
BEGIN
    OPEN docks FOR
        SELECT s.code FROM stations s
         WHERE NOT EXISTS (SELECT FROM bikes b WHERE b.station_id = s.id);
    RETURN docks;
END
$$;
