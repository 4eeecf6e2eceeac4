-- Names are compared without case, double spaces and the signs of hybrids.
CREATE FUNCTION public.normalize(name text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT lower(btrim(regexp_replace(replace(name, '×', ' '), '[[:space:]]+', ' ', 'g')))
$$;

CREATE INDEX "taxa_common_name_norm_idx" ON "taxa" (public.normalize("common_name"));

-- All tags of a family in one array
CREATE AGGREGATE "array_concat_agg"(anyarray) (
    SFUNC = array_cat,
    STYPE = anyarray,
    INITCOND = '{}'
);

-- The first value that is known
CREATE FUNCTION "first_known_step"(state anyelement, value anyelement) RETURNS anyelement
    LANGUAGE sql IMMUTABLE AS $$ SELECT coalesce(state, value) $$;

CREATE AGGREGATE "first_known"(anyelement) (
    SFUNC = "first_known_step",
    STYPE = anyelement
);
