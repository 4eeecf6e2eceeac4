-- name: GetLease :one
SELECT id, host(address) AS address, host, lower(during)::timestamptz AS starts, attributes
  FROM leases
 WHERE id = $1;

-- name: LeaseAges :many
SELECT host, extract(epoch FROM now() - lower(during))::bigint AS age
  FROM leases
 WHERE subnet_id = $1 AND upper_inf(during)
 ORDER BY age DESC;

-- name: FindByHost :many
SELECT id, host(address) AS address FROM leases WHERE host_key(host) = host_key($1);

-- name: CreateLease :one
INSERT INTO leases (subnet_id, address, host, during)
VALUES ($1, $2, $3, tstzrange(now(), NULL))
RETURNING id;

-- name: ReleaseLease :exec
UPDATE leases SET during = tstzrange(lower(during), now()) WHERE id = $1 AND upper_inf(during);
