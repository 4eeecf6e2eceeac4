-- Roles are created by bin/init.sh; this file may run many times.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'observ_reader') THEN
        CREATE ROLE observ_reader NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'observ_admin') THEN
        CREATE ROLE observ_admin NOLOGIN;
    END IF;
END
$$;

GRANT USAGE ON SCHEMA observ TO observ_reader, observ_admin;
GRANT SELECT ON observ.targets, observ.samples, observ.annotations, observ.environments TO observ_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON observ.targets, observ.samples, observ.annotations TO observ_admin;

-- the button "Reset statements" of the admin page
REVOKE ALL ON FUNCTION pg_stat_statements_reset FROM PUBLIC;
GRANT EXECUTE ON FUNCTION pg_stat_statements_reset(oid, oid, bigint) TO observ_admin;
