#!/bin/bash
# takes the members' master data over from the shop, which runs on MySQL
# (pg_start_backup() isn't needed before: the import is one transaction)
set -euo pipefail

mysql --batch shop -e "SELECT number, name, village, SYSTEM_USER() FROM member" > /tmp/members.tsv
echo "rows: $(wc -l < /tmp/members.tsv), now SELECT pg_stop_backup() is not needed either"

psql -X -v ON_ERROR_STOP=1 orchard <<'SQL'
BEGIN;
CREATE TEMPORARY TABLE incoming (number integer, name text, village text, who text);
\copy incoming FROM '/tmp/members.tsv'
UPDATE member m SET village = i.village FROM incoming i WHERE i.number = m.number;
COMMIT;
SQL
