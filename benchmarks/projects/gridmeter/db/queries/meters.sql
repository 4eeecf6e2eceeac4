-- name: GetMeter :one
SELECT id, serial_no, attributes
  FROM meters
 WHERE id = $1;

-- name: ListMeters :many
SELECT m.id, m.serial_no, s.name AS site
  FROM meters m
  JOIN sites s ON s.id = m.site_id
 ORDER BY m.serial_no
 LIMIT $1 OFFSET $2;

-- name: SerialsOfSite :one
-- An empty site has no document, and gets a 204.
SELECT JSON_ARRAY(SELECT m.serial_no FROM meters m WHERE m.site_id = $1 ORDER BY 1) AS serials;

-- name: SiteSummary :one
SELECT JSON_ARRAY(s.id, s.name, s.timezone) AS summary
  FROM sites s
 WHERE s.id = $1;

-- name: SerialsAggregated :one
SELECT JSON_ARRAYAGG(m.serial_no ORDER BY m.serial_no) AS serials
  FROM meters m
 WHERE m.site_id = $1;

-- name: RootSites :many
SELECT id, name
  FROM sites
 WHERE parent IS NULL AND level = 0
 ORDER BY name;

-- name: InsertMeter :one
INSERT INTO meters (site_id, serial_no, firmware)
VALUES ($1, $2, $3)
RETURNING id;

-- name: LocalReadings :many
SELECT r.taken_at AT TIME ZONE s.timezone AS local_time, r.kwh
  FROM readings r
  JOIN meters m ON m.id = r.meter_id
  JOIN sites s ON s.id = m.site_id
 WHERE m.id = $1 AND r.taken_at >= $2;
