-- name: ListZones :many
SELECT id, code, name, day_rate, max_permits FROM zones ORDER BY code;

-- name: ZoneOfSpot :one
-- The handheld sends where it is.
SELECT id, code
  FROM zones
 WHERE area ~ point($1::float8, $2::float8)
 ORDER BY id
 LIMIT 1;

-- name: ChecksInZone :many
SELECT c.id, c.plate, c.checked_at
  FROM checks c
  JOIN zones z ON z.area @> c.spot
 WHERE z.code = $1
   AND c.checked_on = current_date;

-- name: ZonesLike :many
SELECT id, code FROM zones WHERE code ~ $1 ORDER BY code;

-- name: FreePermits :one
SELECT z.max_permits - count(p.id) AS free
  FROM zones z
  LEFT JOIN permits p ON p.zone_id = z.id AND p.revoked_at IS NULL
 WHERE z.id = $1
 GROUP BY z.id, z.max_permits;
