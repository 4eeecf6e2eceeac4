-- name: GetVehicle :one
SELECT id, resident_id, plate, attributes FROM vehicles WHERE upper(plate) = upper($1);

-- name: VehiclesByFuel :many
-- Electric cars park for free on Saturdays.
SELECT v.id,
       v.plate
  FROM vehicles v
 WHERE json_value(v.attributes, 'fuel') = $1
 ORDER BY v.plate;

-- name: VehiclesWithoutClass :many
SELECT v.id, v.plate
  FROM vehicles v
 WHERE NOT public.json_exists(v.attributes, 'emission_class')
 ORDER BY v.plate;

-- name: AddVehicle :one
INSERT INTO vehicles (resident_id, plate, attributes)
VALUES ($1, upper($2), $3)
RETURNING id;

-- name: HandheldLogins :many
SELECT l."system_user" AS login, max(l.received_at) AS last_seen
  FROM handheld_log l
 GROUP BY 1;
