-- +goose Up
INSERT INTO venues (venue_id, name, city) VALUES (1, 'Shivaji Grounds', 'Mumbai');

SET timezone = 'Asia/Kolkata';
INSERT INTO events (event_id, venue_id, title, code, doors_at) VALUES
    (1, 1, 'Opening night', 'OPN-1', '2025-01-10 18:00 IST'),
    (2, 1, 'Second night', 'OPN-2', '2025-01-11 18:00+05:30'),
    (3, 1, 'Broadcast from Vienna', 'OPN-3', '2025-01-12 11:15 CET');
RESET timezone;

SELECT setval('events_event_id_seq', 3), setval('venues_venue_id_seq', 1);
