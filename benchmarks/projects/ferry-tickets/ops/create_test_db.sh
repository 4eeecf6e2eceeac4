#!/bin/bash
# A database for tests on a developer's machine
set -e
NAME=${1:-ferry_test}
dropdb --if-exists "$NAME"
createdb --template=template0 --encoding=UTF8 --lc-collate=C --lc-ctype=C "$NAME"
psql -X -v ON_ERROR_STOP=1 -d "$NAME" -f db/schema.sql
psql -X -d "$NAME" <<'SQL'
INSERT INTO vessel (name, call_sign, seats, deck_cm) VALUES ('Skagen', 'OXAB2', 420, 28000);
INSERT INTO help_text VALUES ('operators', 'The DBA calls pg_start_backup and then copies');
SQL
