-- distinct values of an array in ascending order, without the empty ones
CREATE FUNCTION public.array_sort(anyarray) RETURNS anyarray
LANGUAGE sql IMMUTABLE AS $$
    SELECT array_agg(DISTINCT e ORDER BY e) FROM unnest($1) AS e WHERE e IS NOT NULL
$$;

CREATE FUNCTION public.array_sort(anyarray, descending text) RETURNS anyarray
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN descending = 'desc' THEN array_agg(e ORDER BY e DESC) ELSE array_agg(e ORDER BY e) END
      FROM unnest($1) AS e
$$;

-- checksum that the weighbridge firmware prints on its tickets
CREATE FUNCTION public.crc32(ticket text) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
    crc bigint := 4294967295;
    octet integer;
BEGIN
    FOR i IN 0 .. octet_length(ticket) - 1 LOOP
        octet := get_byte(convert_to(ticket, 'UTF8'), i);
        crc := crc # octet;
        FOR j IN 1 .. 8 LOOP
            crc := (crc >> 1) # (3988292384 * (crc & 1));
        END LOOP;
    END LOOP;
    RETURN crc # 4294967295;
END
$$;

CREATE AGGREGATE public.array_concat_agg(anyarray) (
    sfunc = array_cat,
    stype = anyarray,
    initcond = '{}'
);

CREATE FUNCTION etl.add_kg(total numeric, kg integer) RETURNS numeric
LANGUAGE sql IMMUTABLE AS 'SELECT total + coalesce(kg, 0)';

CREATE AGGREGATE etl.tonnes(integer) (
    sfunc = etl.add_kg,
    stype = numeric,
    initcond = '0'
);

-- tables that a load has left without rows
CREATE FUNCTION etl.empty_tables() RETURNS SETOF text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
        SELECT c.relname::text
          FROM pg_catalog.pg_class c
          JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = 'raw'
           AND c.relkind = 'r'
           AND c.reltuples = 0
         ORDER BY 1;
END
$$;

CREATE FUNCTION etl.large_tables() RETURNS SETOF text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
        SELECT c.relname::text
          FROM pg_catalog.pg_class c
         WHERE c.relkind = 'r'
           AND c.reltuples > 1000000
         ORDER BY 1;
END
$$;

CREATE FUNCTION etl.season_of(day date) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN date_part('year', day)::int || CASE WHEN date_part('month', day) < 7 THEN 'a' ELSE 'b' END;
END
$$;
