#!/bin/bash
# Warns if the directory of the write-ahead log grows: archiver stuck, or a standby gone.
PGDATA=${PGDATA:-/srv/pg/harbor}
LIMIT_MB=${LIMIT_MB:-8192}

VERSION_NUM=$(psql -Atd postgres -c "SHOW server_version_num")

if [ "$VERSION_NUM" -ge 100000 ]; then
    WAL_DIR=$PGDATA/pg_wal
    POSITION="SELECT pg_current_wal_lsn()"
else
    WAL_DIR=$PGDATA/pg_xlog
    POSITION="SELECT pg_current_xlog_location()"
fi

used=$(du -sm "$WAL_DIR" | cut -f1)
if [ "$used" -gt "$LIMIT_MB" ]; then
    echo "write-ahead log (pg_xlog or pg_wal) has $used MB, limit $LIMIT_MB MB"
    psql -Atd postgres -c "$POSITION"
    exit 2
fi
