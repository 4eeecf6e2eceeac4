#!/bin/sh
set -e
dropdb --if-exists lab_check
createdb lab_check
pg_restore --no-owner -d lab_check "$1"
psql -d lab_check -At <<'SQL'
SELECT count(*) FROM samples WHERE received_at > now() - interval '2 days';
SQL
