-- name: ListDevices :many
SELECT id, name FROM devices WHERE seen > $1 ORDER BY id;

-- name: Languages :many
SELECT tmplname FROM pg_pltemplate;

-- name: Templates :many
SELECT tmplname FROM pg_ts_template;

-- name: Slow :many
SELECT query, calls,
       total_time
  FROM pg_stat_statements
 ORDER BY 3 DESC LIMIT 20;

-- name: Calls :many
SELECT queryid, calls, rows FROM pg_stat_statements ORDER BY 2 DESC LIMIT 20;

-- name: TextNames :many
SELECT id FROM devices WHERE name IS OF (text);

-- name: MissingNames :many
SELECT id FROM devices WHERE name IS NOT DISTINCT FROM $1;

-- name: Ratio :many
SELECT gcd(width, height) FROM devices;

-- name: Multiple :many
SELECT lcm_of(width, height), public.gcd(width, height) FROM devices;

-- name: Words :many
SELECT jsonb_to_tsvector('english', facts, '"strinx"') FROM devices;

-- name: AllWords :many
SELECT jsonb_to_tsvector('english', facts, '"string"') FROM devices;

-- name: Escaped :many
SELECT id FROM devices WHERE name SIMILAR TO '10|%' ESCAPE NULL;

-- name: EscapedBar :many
SELECT id FROM devices WHERE name SIMILAR TO '10|%' ESCAPE '|';

-- name: SeenEpoch :one
SELECT extract(epoch FROM seen) FROM devices WHERE id = $1;

-- name: SeenHour :one
SELECT extract(hour FROM seen)::int AS hour FROM devices WHERE id = $1;

-- name: SeenMinute :one
SELECT extract(minute FROM seen_on) FROM devices WHERE id = $1;
