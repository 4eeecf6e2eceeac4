-- name: GetProgram :one
SELECT id, code, title, pi, hours FROM programs WHERE code = $1;

-- name: RunningPrograms :many
SELECT code, title FROM programs WHERE starts <= $1::date AND ends > 'epoch'::date ORDER BY code;

-- name: TargetPeriods :many
SELECT t.name, public.json_scalar(t.extra, 'period') AS period
FROM targets t
WHERE t.program_id = $1
ORDER BY t.name;

-- name: MarkedTargets :many
SELECT name FROM targets WHERE jsonb_path_exists(extra, '$.period ? (@ < 0.3)') ORDER BY name;

-- name: CountNames :many
SELECT code, regexp_count(title, '[aeiou]') AS vowels FROM programs ORDER BY code;

-- name: SetGrace :exec
UPDATE programs SET grace = sqlc.arg(grace) WHERE id = sqlc.arg(id);
