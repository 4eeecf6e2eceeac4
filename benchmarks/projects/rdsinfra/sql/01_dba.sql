-- Schema of the platform team; each database has it.
CREATE SCHEMA dba;

CREATE EXTENSION IF NOT EXISTS pg_stat_statements;

CREATE TABLE dba.job_run (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job         text NOT NULL,
    started_at  timestamptz NOT NULL DEFAULT now(),
    total_time  double precision
);

CREATE FUNCTION dba.note_start(job text) RETURNS bigint LANGUAGE sql AS
$$ INSERT INTO dba.job_run (job) VALUES (job) RETURNING id $$;

CREATE FUNCTION dba.note_end(job text) RETURNS void LANGUAGE sql AS $$
    UPDATE dba.job_run r
       SET total_time = date_part('epoch', now() - r.started_at)
     WHERE r.job = note_end.job AND r.total_time IS NULL
$$;

-- Columns whose statistics someone has tuned: they are set again after a restore into a new instance.
CREATE VIEW dba.tuned_columns AS
SELECT c.relname::text AS relname, a.attname::text AS attname
  FROM pg_catalog.pg_attribute a
  JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
 WHERE a.attnum > 0 AND a.attstattarget > 0;

CREATE FUNCTION dba.untuned_columns(min_pages integer) RETURNS TABLE (relname text, attname text)
LANGUAGE sql STABLE AS $$
    SELECT c.relname::text, a.attname::text
      FROM pg_catalog.pg_attribute a
      JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
     WHERE c.relkind = 'r' AND c.relpages >= min_pages
       AND a.attnum > 0 AND NOT a.attisdropped
       AND a.attstattarget = -1
$$;
