-- scalar at a path of a document, as text
CREATE FUNCTION public.json_value(doc jsonb, path text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_path_query_first(doc, path::jsonpath) #>> '{}'
$$;

-- the ids of events are UUIDs of version 7, made by the client
CREATE FUNCTION "uuid_extract_timestamp"(id uuid) RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS $$
    SELECT to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
$$;

-- works on what the import has as text
CREATE FUNCTION "uuid_extract_version"(raw text) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$
    SELECT ('x' || substr(raw, 15, 1))::bit(4)::integer
$$;

CREATE FUNCTION "date_add"(day date, n integer) RETURNS date
LANGUAGE sql IMMUTABLE AS $$
    SELECT day + n
$$;

CREATE FUNCTION "regexp_count"(words text[], pattern text) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT count(*) FROM unnest(words) AS w WHERE w ~ pattern
$$;

CREATE FUNCTION "reset_counters"(userid oid, dbid oid, queryid bigint) RETURNS void
LANGUAGE sql AS $$
    UPDATE "audit_log" SET "row_count" = 0 WHERE "id" = queryid
$$;
