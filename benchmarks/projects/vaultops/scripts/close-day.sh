#!/bin/bash
# Closes the accounting day: nobody else may do it at the same time.
set -euo pipefail
export PGDATABASE=${PGDATABASE:-ledger}

if [ "$(psql -XAtc 'SELECT pg_is_in_backup()')" = t ]; then
    echo "base backup is running, try again later" >&2
    exit 75
fi

last=$(psql -XAtq -c "SELECT count(*) FROM ledger.event WHERE kind = 'close'; SELECT max(id) FROM ledger.posting")
if [ "$last" -gt 0 ]; then
    psql -X -v ON_ERROR_STOP=1 -v last="$last" <<'SQL'
INSERT INTO ledger.statement (account_id, day, balance)
SELECT account_id, date '2030-01-01', sum(amount)
  FROM ledger.posting
 WHERE id <= :last
 GROUP BY account_id;
SQL
fi

psql -XAt -c "SELECT count(*) FROM ledger.statement" -c "SELECT count(*) FROM ledger.account" > /tmp/closed.txt
