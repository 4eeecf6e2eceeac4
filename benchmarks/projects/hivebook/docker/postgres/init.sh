#!/bin/bash
# Runs once, when the volume is empty.
set -e

psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<-EOSQL
	CREATE ROLE statistics LOGIN;
	GRANT pg_read_all_stats TO statistics;
	ALTER ROLE statistics SET hivebook.user_id = '0';
	ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO statistics;
EOSQL
