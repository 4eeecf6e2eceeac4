-- name: StreamPositions :many
SELECT name,
       flushed::text AS flushed,
       note
FROM stream_positions
ORDER BY name;

-- name: StreamLag :many
SELECT name, pg_wal_lsn_diff(flushed, applied)::bigint AS lag
FROM stream_positions
ORDER BY name;

-- name: StreamsBeyond :many
SELECT name FROM stream_positions WHERE flushed > '0/1F0000'::pg_lsn ORDER BY name;

-- name: BrokenStreams :many
SELECT name, sync_error_count FROM stream_positions WHERE sync_error_count >= $1 ORDER BY name;
