ALTER TABLE fleet.vehicles ENABLE ROW LEVEL SECURITY;

CREATE POLICY vehicles_of_depot ON fleet.vehicles
    USING (depot_id = current_setting('fleet.depot_id', true)::integer);

DO $$
DECLARE
    seen record;
BEGIN
    FOR seen IN
        SELECT c.relname
          FROM pg_class c
          JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = 'fleet' AND c.relkind = 'r'
    LOOP
        EXECUTE format('ANALYZE fleet.%I', seen.relname);
    END LOOP;
END
$$;
