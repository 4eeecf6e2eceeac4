#!/bin/bash
export PGDATABASE=library
psql -qc "SET work_mem = '1GB'" -c "REINDEX DATABASE library"
psql -c "SELECT count(*) FROM library.books; SELECT count(*) FROM library.loans" > counts.txt
psql -c "SELECT count(*) FROM library.books" > books.txt
pg_standby --help || true
psql -Atc "CREATE LANGUAGE 'plperl'"
psql -Atc "CREATE EXTENSION IF NOT EXISTS plperl"
