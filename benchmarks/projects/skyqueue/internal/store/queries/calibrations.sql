-- name: AddCalibration :exec
INSERT INTO calibrations (night, filter, kind, path) VALUES ($1, $2, $3, $4);

-- name: Calibrations :many
SELECT c.path, c.json_value FROM calibrations c WHERE c.night = $1 ORDER BY c.path;
