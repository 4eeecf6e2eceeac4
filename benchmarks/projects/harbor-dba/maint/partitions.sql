-- Partition maintenance for the tables in ops.retention_rules (inheritance, one child per month).

CREATE OR REPLACE FUNCTION ops.partition_name(parent text, month date) RETURNS text AS $$
    SELECT parent || '_' || to_char(month, 'YYYY_MM')
$$ LANGUAGE sql IMMUTABLE;

CREATE OR REPLACE FUNCTION ops.create_month_partition(parent text, month date) RETURNS text AS $$
DECLARE
    first_day date := date_trunc('month', month)::date;
    child text := ops.partition_name(parent, month);
BEGIN
    IF to_regclass('harbor.' || quote_ident(child)) IS NOT NULL THEN
        RETURN child;
    END IF;
    EXECUTE format(
        'CREATE TABLE harbor.%I (CONSTRAINT %I CHECK (moved_at >= %L::timestamptz AND moved_at < %L::timestamptz)) INHERITS (harbor.%I) WITH (oids = false)',
        child, child || '_bound', first_day, (first_day + interval '1 month')::date, parent);
    EXECUTE format('ALTER TABLE harbor.%I ADD CONSTRAINT %I PRIMARY KEY (id)', child, child || '_pkey');
    EXECUTE format('CREATE INDEX %I ON harbor.%I (call_id)', child || '_call_idx', child);
    RETURN child;
END
$$ LANGUAGE plpgsql;

-- children that were created by hand and have no primary key
CREATE OR REPLACE FUNCTION ops.partitions_without_key(parent_table regclass) RETURNS SETOF regclass AS $$
DECLARE
    child record;
BEGIN
    FOR child IN
        SELECT c.oid, c.relname
          FROM pg_class c
          JOIN pg_inherits h ON h.inhrelid = c.oid
         WHERE h.inhparent = parent_table
           AND NOT c.relhaspkey
    LOOP
        RAISE NOTICE 'partition % has no primary key', child.relname;
        RETURN NEXT child.oid::regclass;
    END LOOP;
END
$$ LANGUAGE plpgsql STABLE;

-- the same, for foreign keys that need it: looks at pg_index
CREATE OR REPLACE FUNCTION ops.has_primary_key(relation regclass) RETURNS boolean AS $$
    SELECT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = relation AND i.indisprimary)
$$ LANGUAGE sql STABLE;

CREATE OR REPLACE FUNCTION ops.take_inventory() RETURNS integer AS $$
DECLARE
    n integer;
BEGIN
    DELETE FROM ops.table_inventory WHERE seen_on = current_date;
    INSERT INTO ops.table_inventory (relation, seen_on, relhaspkey, pages)
    SELECT c.oid, current_date, ops.has_primary_key(c.oid::regclass), c.relpages
      FROM pg_class c
     WHERE c.relkind = 'r' AND c.relnamespace = 'harbor'::regnamespace;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END
$$ LANGUAGE plpgsql;

-- tables that had no primary key in the last inventory
CREATE OR REPLACE FUNCTION ops.keyless_tables(on_day date) RETURNS SETOF regclass AS $$
    SELECT t.relation FROM ops.table_inventory t WHERE t.seen_on = on_day AND NOT t.relhaspkey
$$ LANGUAGE sql STABLE;

CREATE OR REPLACE FUNCTION ops.drop_old_partitions(parent_name text) RETURNS integer AS $$
DECLARE
    keep integer;
    child record;
    dropped integer := 0;
    limit_name text;
BEGIN
    SELECT r.keep_months INTO STRICT keep FROM ops.retention_rules r WHERE r.parent = parent_name;
    limit_name := ops.partition_name(parent_name, (date_trunc('month', now()) - keep * interval '1 month')::date);
    FOR child IN
        SELECT c.relname::text AS relname
          FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid
         WHERE h.inhparent = ('harbor.' || quote_ident(parent_name))::regclass
    LOOP
        IF child.relname < limit_name THEN
            EXECUTE format('DROP TABLE harbor.%I', child.relname);
            dropped := dropped + 1;
        END IF;
    END LOOP;
    RETURN dropped;
END
$$ LANGUAGE plpgsql;
