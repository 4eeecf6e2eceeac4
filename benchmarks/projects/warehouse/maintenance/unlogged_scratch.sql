-- scratch space for the analysts, emptied every night
CREATE OR REPLACE FUNCTION dw.scratch_name(prefix text, n integer) RETURNS text AS $$
    SELECT prefix || '_' || lpad(n::text, 4, '0')
$$ LANGUAGE sql WITH (isStrict, isCachable);

CREATE OR REPLACE FUNCTION dw.new_scratch(prefix text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    made text := dw.scratch_name(prefix, (random() * 9999)::integer);
BEGIN
    EXECUTE format('CREATE UNLOGGED TABLE dw.%I (id bigint, body text) WITH (fillfactor = 70)', made);
    RETURN made;
END
$$;
