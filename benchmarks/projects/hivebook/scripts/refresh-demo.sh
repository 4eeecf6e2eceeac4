#!/bin/sh
# Loads the demo data of the association into a database of its own.
set -eu

dropdb --if-exists hivebook_demo
createdb --encoding=UTF8 hivebook_demo
psql -d hivebook_demo -v ON_ERROR_STOP=1 -qf database/schema/pgsql-schema.sql
psql -d hivebook_demo -v ON_ERROR_STOP=1 --single-transaction -qf database/demo/demo.sql
reindexdb --table=public.inspections hivebook_demo
vacuumdb --analyze hivebook_demo
