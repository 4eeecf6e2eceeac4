\set id random(1, 1000)
SELECT vehicle_id, taken_at, fuel FROM readings WHERE vehicle_id = :id ORDER BY taken_at DESC LIMIT 10;
