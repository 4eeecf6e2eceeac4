#!/usr/bin/env bash
# first start of the container: roles and the database; Flyway does the rest
set -euo pipefail

DB=${CDC_DATABASE:-cdc}

psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<-SQL
	CREATE ROLE operators NOLOGIN;
	CREATE ROLE cdc_owner LOGIN PASSWORD 'SCRAM-SHA-256\$4096:MDEyMzQ1Njc4OWFiY2RlZg==\$qfP2sUOkjC1dJ2n0hW0bKQ4tAY2fnmG4PSVYUc7vXbM=:Zr0gJq8W0Vd4R3nq0c5mXk3oXn3yG0JmY1h7Xr6w9qE=';
	CREATE ROLE cdc_stream LOGIN REPLICATION
	       PASSWORD 'md5a3b1f0c96e2d4875a3b1f0c96e2d4875';
	ALTER ROLE cdc_owner SET standard_conforming_strings = on;
SQL

psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
     -c "CREATE DATABASE \"$DB\" OWNER cdc_owner"

# the old exporter writes backslashes into plain literals
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
     -c "ALTER ROLE cdc_stream SET standard_conforming_strings = off"
