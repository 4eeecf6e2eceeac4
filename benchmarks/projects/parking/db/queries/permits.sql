-- name: GetPermit :one
SELECT id, vehicle_id, zone_id, kind, valid_from, duration, issued_at, revoked_at
  FROM permits
 WHERE id = $1;

-- name: CreatePermit :one
INSERT INTO permits (vehicle_id, zone_id, kind, valid_from, duration)
SELECT $1, $2, d.kind, $3, d.lasts
  FROM durations d
 WHERE d.kind = $4
RETURNING id;

-- name: RevokePermit :exec
UPDATE permits SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL;

-- name: PermitsByIssueHour :many
-- When do people apply? For the opening hours of the hotline.
SELECT EXTRACT(hour FROM issued_at)::int AS hour, count(*) AS permits
  FROM permits
 WHERE issued_at >= $1
 GROUP BY 1
 ORDER BY 1;

-- name: ListDurations :many
SELECT kind, lasts, label FROM durations ORDER BY kind;

-- name: PermitsOfResident :many
SELECT p.id, v.plate, z.code, p.valid_from
  FROM permits p
  JOIN vehicles v ON v.id = p.vehicle_id
  JOIN zones z ON z.id = p.zone_id
 WHERE v.resident_id = $1
 ORDER BY p.valid_from DESC
 LIMIT $2 OFFSET $3;
