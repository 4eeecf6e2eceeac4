#!/bin/bash
# Loads last night's dump into staging, and removes what testers must not see.
set -euo pipefail

DUMP=$(ls -t /srv/backup/dumps/*.dump | head -1)

dropdb -h staging -U postgres --if-exists vetchain
createdb -h staging -U postgres -O vetchain vetchain
pg_restore -h staging -U postgres -d vetchain -j 4 --no-privileges "$DUMP"

psql -h staging -U vetchain -d vetchain -v ON_ERROR_STOP=1 <<'SQL'
UPDATE clinics_owner SET email = 'owner' || id || '@example.org', phone = '', home = NULL;
UPDATE clinics_reminder SET state = 'sent' WHERE state IN ('queued', 'sending');
DELETE FROM clinics_labresult WHERE received_at < now() - interval '1 year';
SQL
