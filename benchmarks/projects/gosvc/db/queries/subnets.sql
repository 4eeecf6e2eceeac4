-- name: ListSubnets :many
SELECT s.id, s.network, s.name, s.vlan, count(l.id) FILTER (WHERE l.during @> now()) AS active
  FROM subnets s
  LEFT JOIN leases l ON l.subnet_id = s.id
 GROUP BY s.id
 ORDER BY s.network;

-- name: SubnetOf :one
SELECT id, name FROM subnets WHERE network >>= $1::inet;

-- name: FreeShare :one
SELECT 1 - count(l.id)::numeric / 2 ^ (32 - masklen(s.network))
  FROM subnets s
  LEFT JOIN leases l ON l.subnet_id = s.id
 WHERE s.id = $1
 GROUP BY s.id;
