\set event random(1, 200)
SELECT seat_id, price FROM tickets WHERE event_id = :event AND sold_at IS NULL LIMIT 50;
