-- name: AddCheck :one
INSERT INTO checks (plate, spot, officer, handheld)
VALUES ($1, point($2::float8, $3::float8), $4, $5)
RETURNING id;

-- name: ChecksByHour :many
-- For the rota: at which hours do patrols find cars without a permit?
SELECT c.officer,
       extract(hour FROM c.checked_on) AS at_hour,
       count(f.id) AS fines
  FROM checks c
  LEFT JOIN fines f ON f.check_id = c.id
 WHERE c.checked_on BETWEEN $1 AND $2
 GROUP BY c.officer, at_hour;

-- name: SecondsIntoDay :many
SELECT id, to_char(checked_at, 'SSSS') AS seconds FROM checks WHERE officer = $1;

-- name: PlatesOfDay :one
SELECT collect_plates(plate) AS plates FROM checks WHERE checked_on = $1;
