#!/bin/bash
# Restores the newest base backup on the drill host, up to yesterday evening, and compares some counts.
# usage: restore_drill.sh [--logical]
. "$(dirname "$0")/common.sh"

drill=/srv/drill
newest=$(ls -1d "$BACKUPS"/base/* | tail -1)

if [ "${1:-}" = --logical ]; then
    dump=$(ls -1 "$BACKUPS"/dump/*.dump | tail -1)
    createdb drill
    pg_restore --dbname=drill --no-owner --jobs=2 "$dump"
    pg_restore --list "$dump" > "$drill/contents.txt"
    exit 0
fi

rm -rf "$drill/data"
mkdir -m 700 "$drill/data"
tar -xzf "$newest/base.tar.gz" -C "$drill/data" --exclude=recovery.done
tar -xzf "$newest/pg_wal.tar.gz" -C "$drill/data/pg_wal"

cat > "$drill/data/recovery.conf" <<CONF
restore_command = 'cp /srv/backup/landreg/wal/%f "%p"'
recovery_target_time = '$(date -d yesterday +%F) 20:00:00'
recovery_target_action = 'promote'
CONF

pg_ctl -D "$drill/data" -w -t 3600 -o '-p 5499' start

for table in registry.title registry.parcel registry.lodgement; do
    n=$(psql -X -At -p 5499 -c "SELECT count(*) FROM $table")
    log "$table: $n rows"
    [ "$n" -gt 0 ] || die "$table is empty, look at the recovery.conf of the drill"
done

pg_ctl -D "$drill/data" -m fast stop
log "drill ok"
