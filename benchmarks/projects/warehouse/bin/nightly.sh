#!/bin/bash
# loads yesterday's orders, refreshes the views
set -euo pipefail

batch=$(psql -AtqX -c "SELECT etl.start_batch('shop')")
mysql -h shop-db -N -B shop -e "SELECT $batch, sku, store, amount, doc FROM orders WHERE day = curdate() - INTERVAL 1 DAY" |
    psql -qX -c "COPY etl.staging_order (batch_id, sku, store_code, amount_text, doc) FROM STDIN"

psql -qX -v ON_ERROR_STOP=1 -v batch="$batch" <<'SQL'
SELECT etl.load_orders(:batch) AS loaded \gset
SELECT etl.finish_batch(:batch, :loaded);
SQL

psql -qX -f /opt/warehouse/maintenance/refresh.sql
psql -qX -f /opt/warehouse/maintenance/expire.sql
