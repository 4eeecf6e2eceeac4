INSERT INTO users (id, name, email, password, role) VALUES
(1, 'Office', 'office@cargobike.test', '$2y$10$abcdefghijklmnopqrstuv', 'admin'),
(2, 'Workshop', 'workshop@cargobike.test', '$2y$10$abcdefghijklmnopqrstuv', 'clerk');

INSERT INTO stations (id, code, name, district, location, docks, opened_on) VALUES
(1, 'KRZ', 'Markthalle', 'Kreuzberg', '(13.43,52.50)', 6, '2021-04-01'),
(2, 'WED', 'Nauener Platz', 'Wedding', '(13.36,52.55)', 4, '2022-06-15'),
(3, 'NEU', 'Rathaus', 'Neukölln', '(13.43,52.48)', 4, NULL);

INSERT INTO bike_models (id, name, maker, description, features, payload_kg) VALUES
(1, 'Load 60', 'Riese', 'Modulares System mit Regenverdeck', '{rain cover,belt drive,rain cover}', 100),
(2, 'Packster', 'Riese', 'Für Fahrerinnen jeder Größe, zwei Kindersitze', '{child seat,child seat,belt drive}', 80),
(3, 'Long John', 'Bakfiets', 'Offene Ladefläche', '{flatbed}', 120);

INSERT INTO bikes (id, model_id, station_id, code, frame_number, status, attributes) VALUES
(1, 1, 1, 'kb-001', 'RM60-1001', 'free', '{"colour": "blue"}'),
(2, 1, NULL, 'kb-002', 'RM60-1002', 'rented', '{"colour": "red"}'),
(3, 2, 2, 'kb-003', NULL, 'broken', '{}'),
(4, 3, 3, 'kb-004', 'LJ-77', 'free', '{"colour": "green", "trailer": true}');

INSERT INTO batteries (id, bike_id, serial, charge, cycles) VALUES
(1, 1, 'BT-500-01', 82.5, 140), (2, 2, 'BT-500-02', 35.0, 201), (3, 3, 'BT-750-01', 99.0, 12), (4, NULL, 'BT-750-02', 60.0, 3);

INSERT INTO lock_modules (id, bike_id, modem_ip, last_ip, used_during, firmware) VALUES
(1, 1, '10.64.0.11', '10.64.0.11', '[2024-01-01,2025-01-01)', '1.4.2'),
(2, 2, '10.64.0.12', '10.64.0.1', '[2024-01-01,)', '1.4.2'),
(3, 3, '10.64.0.11', NULL, '[2025-01-01,)', '1.5.0');

INSERT INTO customers (id, name, email, phone, member_since, notes) VALUES
(1, 'Aylin Kaya', 'aylin@people.test', '030 100', '2022-05-01', '{"lang": "de"}'),
(2, 'Ben Holm', 'ben@people.test', NULL, NULL, '{"lang": "en"}'),
(3, 'Chiara Poli', 'chiara@people.test', '030 300', '2024-09-10', '{}');

INSERT INTO memberships (id, customer_id, plan, valid) VALUES
(1, 1, 'yearly', '[2024-05-01,2025-05-01)'), (2, 3, 'monthly', '[2024-09-10,2024-10-10)'), (3, 3, 'monthly', '[2024-10-10,2024-11-10)');

INSERT INTO rates (id, model_id, per_hour, per_day, grace) VALUES
(1, 1, 3.00, 18.00, '00:10'), (2, 2, 3.50, 21.00, '00:10'), (3, 3, 2.50, 14.00, '00:20');

INSERT INTO rentals (id, bike_id, customer_id, status, started_at, ended_at, start_station_id, end_station_id, price) VALUES
(1, 1, 1, 'closed', '2025-01-10 09:00', '2025-01-10 11:30', 1, 1, 9.00),
(2, 3, 3, 'closed', '2025-01-18 14:00', '2025-01-19 14:30', 2, 2, 24.50),
(3, 2, 2, 'open', '2025-02-21 08:15', NULL, 1, NULL, NULL),
(4, 4, 1, 'closed', '2025-02-22 10:00', '2025-02-22 10:45', 3, 3, 2.50);

INSERT INTO rental_events (id, rental_id, bike_status, rental_status, happened_at) VALUES
(1, 1, 'rented', 'closed', '2025-01-10 11:30'), (2, 2, 'rented', 'closed', '2025-01-19 14:30');

INSERT INTO payments (id, rental_id, amount, method, paid_at) VALUES
(1, 1, 9.00, 'card', '2025-01-10 11:31'), (2, 2, 20.00, 'card', '2025-01-19 14:32'), (3, 2, 4.50, 'cash', '2025-01-20 09:00');

INSERT INTO damage_reports (id, bike_id, details, severity, muted, "ignore", reported_at) VALUES
(1, 3, '{"part": "chain", "text": "jumps"}', 2, false, false, '2025-02-20 09:10'),
(2, 1, '{"part": "bell"}', 1, true, false, '2025-02-11 17:30'),
(3, 4, '{"part": "chain"}', 1, false, true, '2025-02-23 12:00');

INSERT INTO maintenance_jobs (id, bike_id, title, due_on, done_on, minutes) VALUES
(1, 3, 'Replace chain', '2025-03-03', NULL, NULL), (2, 1, 'Inspection', '2025-01-31', '2025-01-30', 45);

INSERT INTO db_snapshots (id, taken_at, checkpoints_timed, buffers_backend, wal_sync_time, op_bytes) VALUES
(1, '2025-02-01 00:00', 2880, 51200, 12.5, 8192), (2, '2025-03-01 00:00', 5568, 90112, 30.25, 8192);

INSERT INTO telemetry_pings (bike_id, sent_at, position, speed, charge) VALUES
(1, '2025-01-10 09:10', '(13.42,52.50)', 14.5, 80.0), (1, '2025-01-10 09:20', '(13.41,52.51)', 17.0, 78.5),
(2, '2025-02-21 08:20', '(13.43,52.50)', 11.0, 36.0), (4, '2025-02-22 10:10', '(13.43,52.49)', 12.5, NULL);

SELECT setval('users_id_seq', 2), setval('stations_id_seq', 3), setval('bike_models_id_seq', 3), setval('bikes_id_seq', 4),
       setval('batteries_id_seq', 4), setval('lock_modules_id_seq', 3), setval('customers_id_seq', 3), setval('memberships_id_seq', 3),
       setval('rates_id_seq', 3), setval('rentals_id_seq', 4), setval('rental_events_id_seq', 2), setval('payments_id_seq', 3),
       setval('damage_reports_id_seq', 3), setval('maintenance_jobs_id_seq', 2), setval('db_snapshots_id_seq', 2);
