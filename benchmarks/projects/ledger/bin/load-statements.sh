#!/bin/bash
# load-statements.sh FILE... : loads camt.053 files of the bank
set -euo pipefail
for file in "$@"; do
    id=$(basename "$file" .xml)
    psql -X -v ON_ERROR_STOP=1 -v id="$id" -v doc="$(xsltproc bin/strip-namespace.xsl "$file")" ledger <<'SQL'
INSERT INTO ledger.statements (id, iban, doc) VALUES (:id, :'id', :'doc');
SELECT ledger.split_statement(:id);
SQL
done
