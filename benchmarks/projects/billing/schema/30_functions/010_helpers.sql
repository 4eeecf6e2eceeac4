CREATE AGGREGATE billing.array_accum (anyarray) (
    SFUNC = array_cat,
    STYPE = anyarray,
    INITCOND = '{}'
);

CREATE FUNCTION billing.json_value(doc jsonb, key text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT doc ->> key
$$;

CREATE FUNCTION billing.add_tag(p_customer bigint, p_tag text) RETURNS void
LANGUAGE sql AS $$
    UPDATE billing.customers
       SET tags = array_append(tags, p_tag)
     WHERE id = p_customer AND NOT tags @> ARRAY[p_tag]
$$;

CREATE FUNCTION billing.row_digest(r jsonb) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT 'md5' || md5(r::text)
$$;
