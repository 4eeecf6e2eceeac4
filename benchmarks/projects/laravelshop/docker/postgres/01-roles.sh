#!/bin/bash
set -e

psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<-EOSQL
	CREATE ROLE reporting LOGIN PASSWORD 'md53175bce1d3201d16594cebf9d7eb3f9d';
	CREATE ROLE exporter LOGIN PASSWORD 'change-me-soon';
	GRANT pg_monitor TO exporter;
	GRANT CONNECT ON DATABASE "$POSTGRES_DB" TO reporting;
EOSQL
