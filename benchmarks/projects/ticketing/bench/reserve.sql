\set seat random(1, 20000)
INSERT INTO seat_holds (seat_id, session_key) VALUES (:seat, 'bench') ON CONFLICT DO NOTHING;
