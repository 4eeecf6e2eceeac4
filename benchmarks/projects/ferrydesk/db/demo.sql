-- demo data for the training desk
INSERT INTO ports (id, code, name, berth, roads) VALUES
    (1, 'PIR', 'Piraeus', '(23.63,37.94)', '<(23.6,37.92),0.08>'),
    (2, 'SYR', 'Syros', '(24.94,37.44)', '<(24.95,37.43),0.05>'),
    (3, 'NAX', 'Naxos', '(25.37,37.11)', '<(25.36,37.12),0.05>'),
    (4, 'IOS', 'Ios', '(25.26,36.72)', '<(25.25,36.71),0.04>');
INSERT INTO routes (id, from_port, to_port, miles, seasonal) VALUES
    (1, 1, 2, 83.0, false), (2, 2, 3, 36.5, false), (3, 3, 4, 28.0, true), (4, 3, 1, 103.5, false);
INSERT INTO crossings (id, route_id, label, departs, duration, check_in, weekdays) VALUES
    (1, 1, 'morning', '07:30', '3 hours 45 minutes', '45 minutes', '{1,2,3,4,5,6,7}'),
    (2, 2, 'noon', '12:00', '1 hour 40 minutes', '30 minutes', '{1,3,5,7}'),
    (3, 3, 'summer', '15:10', '1 hour 15 minutes', '30 minutes', '{6,7}'),
    (4, 4, 'night', '23:30', '5 hours 20 minutes', '1 hour', '{2,4,6}');
INSERT INTO vessels (id, name, imo_number, call_sign, seats, lane_metres, built) VALUES
    (1, 'Agia Marina', 9203916, 'SVBK', 1400, 620, '2000-04-02'),
    (2, 'Aiolos', 9151008, 'SXQR', 620, 180, '1998-07-19'),
    (3, 'Kyma', 9780316, NULL, 310, 0, '2016-05-30');
INSERT INTO vessel_decks VALUES
    (1, 1, 'freight', 460, 6), (1, 3, 'car', 210, 5), (1, 5, 'passenger', NULL, 0), (2, 1, 'car', 230, 3), (2, 2, 'passenger', NULL, 0), (3, 1, 'passenger', NULL, 0);
INSERT INTO sailings (id, crossing_id, vessel_id, sails_on, departs_at, arrives_at, departed_at, seats_left, lane_metres_left, cancelled) VALUES
    (101, 1, 1, '2024-06-01', '2024-06-01 07:30+03', '2024-06-01 11:15+03', '2024-06-01 07:38+03', 900, 210, false),
    (102, 2, 2, '2024-06-01', '2024-06-01 12:00+03', '2024-06-01 13:40+03', '2024-06-01 12:21+03', 120, 0, false),
    (103, 3, 3, '2024-06-01', '2024-06-01 15:10+03', '2024-06-01 16:25+03', NULL, 310, 0, true),
    (104, 4, 1, '2024-06-04', '2024-06-04 23:30+03', '2024-06-05 04:50+03', NULL, 1200, 480, false),
    (105, 1, 1, '2024-06-06', '2024-06-06 07:30+03', '2024-06-06 11:15+03', NULL, 1399, 600, false);
INSERT INTO position_reports (vessel_id, reported_at, at_position, speed_ms) VALUES
    (1, '2023-11-04 08:00+02', '(23.61,37.93)', 4.10), (1, '2024-06-01 08:00+03', '(23.90,37.80)', 11.70),
    (2, '2024-06-01 12:30+03', '(24.96,37.42)', 6.20), (3, '2024-06-01 15:00+03', '(25.36,37.11)', 0.00);
INSERT INTO customers (id, full_name, email, phone, lang) VALUES
    (1, 'Eleni Papadaki', 'Eleni@example.gr', '+30 210-555 0101', 'greek'),
    (2, 'J. O''Hara', 'johara@example.ie', '00353 1 555-0145', 'english'),
    (3, 'Marc Le-Goff', 'marc@example.fr', NULL, 'french');
INSERT INTO vehicles (id, customer_id, plate, length_cm, height_cm) VALUES
    (1, 1, 'yx-k 4821', 438, 151), (2, 2, '191-d-20177', 689, 305), (3, 3, 'FG 482 ZT', 412, 148);
INSERT INTO reservations (id, reference, customer_id, sailing_id, vehicle_id, state, held_until, made_at) VALUES
    (1, 'FD-7Q2K', 1, 101, 1, 'boarded', NULL, '2024-05-11 10:00+03'),
    (2, 'FD-7Q2L', 2, 104, 2, 'paid', NULL, '2024-05-20 18:11+03'),
    (3, 'FD-7Q2M', 3, 105, 3, 'held', '2024-06-02 12:00+03', '2024-06-01 09:47+03'),
    (4, 'FD-7Q2N', 1, 102, NULL, 'cancelled', NULL, '2024-05-28 07:20+03');
INSERT INTO passengers (id, reservation_id, full_name, born, seat) VALUES
    (1, 1, 'Eleni Papadaki', '1984-02-17', '12A'), (2, 1, 'Nikos Papadakis', '2016-08-30', '12B'),
    (3, 2, 'J. O''Hara', '1971-11-02', NULL), (4, 3, 'Marc Le-Goff', '1990-04-24', '3F'), (5, 4, 'Eleni Papadaki', '1984-02-17', NULL);
INSERT INTO charges (id, reservation_id, net, vat, gross) VALUES
    (1, 1, 84.00, 0.240, 104.16), (2, 2, 131.50, 0.240, 163.06), (3, 3, 62.00, 0.240, 76.88);
INSERT INTO cabin_charges (id, reservation_id, net, vat, nights, gross) VALUES (4, 2, 90.00, 0.130, 1, 101.70);
INSERT INTO payments (id, reservation_id, amount, method, paid_at, total_time) VALUES
    (1, 1, 104.16, 'card', '2024-05-11 10:02+03', 41), (2, 2, 200.00, 'card', '2024-05-20 18:15+03', 77), (3, 2, 64.76, 'desk', '2024-06-01 08:00+03', NULL);
INSERT INTO loyalty_cards (id, customer_id, number, issued_on, points) VALUES (1, 1, '5000 1182', '2023-03-31', 1240), (2, 2, '5000 2950', '2024-02-29', 80);
INSERT INTO notices (id, port_id, title, body, lang, shown_from) VALUES
    (1, 1, 'Απεργία', 'Τα δρομολόγια της Τετάρτης ακυρώνονται λόγω απεργίας', 'greek', '2024-06-01 06:00+03'),
    (2, 2, 'Άνεμοι', 'Ισχυροί άνεμοι: το δρομολόγιο των 12:00 καθυστερεί', 'greek', '2024-06-01 09:00+03'),
    (3, NULL, 'Pets', 'Dogs travel on deck 5 only', 'english', '2024-05-01 00:00+03');
INSERT INTO system_users (id, login, display_name, port_id, active, last_seen) VALUES
    (1, 'vasilis', 'Vasilis T.', 1, true, '2024-06-01 14:00+03'), (2, 'anna', 'Anna K.', 2, true, '2024-06-01 13:10+03'),
    (3, 'ops', 'Operations', NULL, true, NULL), (4, 'kostas', 'Kostas M.', 3, true, '2024-05-30 22:41+03'), (5, 'dimitra', 'Dimitra L.', 1, false, '2023-10-02 09:00+03');
INSERT INTO outbox (topic, payload, run_at, sent_at) VALUES
    ('mail.confirmation', '{"reservation": 1}', '2024-05-11 10:02+03', '2024-05-11 10:03+03'),
    ('mail.delay', '{"sailing": 102}', '2024-06-01 12:05+03', NULL), ('sms.delay', '{"sailing": 102}', '2024-06-01 12:06+03', NULL),
    ('mail.reminder', '{"reservation": 3}', '2024-06-02 09:00+03', NULL);
