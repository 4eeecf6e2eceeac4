--liquibase formatted sql

--changeset ida:005-close-downtimes splitStatements:false
CREATE FUNCTION park.close_stale_downtimes(max_age interval) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    stale CURSOR FOR
        SELECT d.id FROM park.downtime d WHERE d.ended_at IS NULL AND d.started_at < now() - max_age;
    closed integer := 0;
BEGIN
    FOR r IN stale LOOP
        UPDATE park.downtime SET ended_at = now() WHERE id = r.id;
        closed := closed + 1;
    END LOOP;
    RETURN closed;
END
$$;
--rollback DROP FUNCTION park.close_stale_downtimes(interval);

--changeset ida:005-json-value splitStatements:false
-- text of a path, null if it is absent; always called with the schema
CREATE FUNCTION park.json_value(doc jsonb, path text[]) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT doc #>> path
$$;
--rollback DROP FUNCTION park.json_value(jsonb, text[]);

--changeset ida:005-availability splitStatements:false
CREATE FUNCTION park.hours_down(turbine bigint, since timestamptz) RETURNS double precision
LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(date_part('epoch', coalesce(d.ended_at, now()) - greatest(d.started_at, since))), 0) / 3600
      FROM park.downtime d
     WHERE d.turbine_id = turbine
       AND coalesce(d.ended_at, now()) > since
$$;
--rollback DROP FUNCTION park.hours_down(bigint, timestamptz);
