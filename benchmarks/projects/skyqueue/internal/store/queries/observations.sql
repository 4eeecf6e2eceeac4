-- name: ListNight :many
SELECT o.id, t.name, o.seq, o.exposure_s, o.repeats, o.total_s
FROM observations o
JOIN targets t ON t.id = o.target_id
WHERE o.night = $1
ORDER BY o.seq;

-- name: NightOverview :many
SELECT o.seq,
       t.name target,
       o.total_s seconds,
       o.skipped ignore
FROM observations o
JOIN targets t ON t.id = o.target_id
WHERE o.night = $1
ORDER BY o.seq;

-- name: NightFlags :many
SELECT o.seq, o.skipped AS ignore, o.done_at IS NOT NULL AS done
FROM observations o
WHERE o.night = $1
ORDER BY o.seq;

-- name: OpenTargets :many
SELECT id, name FROM targets WHERE NOT ignore ORDER BY name;

-- name: FinishObservation :exec
UPDATE observations SET done_at = now() WHERE id = $1;

-- name: AddObservation :one
INSERT INTO observations (target_id, night, seq, exposure_s, repeats)
VALUES (sqlc.arg(target_id), sqlc.arg(night), sqlc.arg(seq), sqlc.arg(exposure_s), sqlc.arg(repeats))
RETURNING id;

-- name: NextFreeNight :one
SELECT date_add(max(night), interval '1 day') FROM observations;
