INSERT INTO hubs (id, code, name, location, opened_on) VALUES
    (1, 'VIE', 'Wien Inzersdorf', '(16.34,48.14)', '2018-03-01'),
    (2, 'GRZ', 'Graz Kalsdorf', '(15.48,46.96)', '2019-09-15'),
    (3, 'LNZ', 'Linz Hafen', '(14.32,48.31)', '2021-05-03');
INSERT INTO hub_zones (id, hub_id, label, bounds, capacity) VALUES
    (1, 1, 'A', '(16.35,48.15),(16.33,48.13)', 400),
    (2, 1, 'B', '(16.37,48.15),(16.35,48.13)', 250),
    (3, 2, 'A', '(15.49,46.97),(15.47,46.95)', 300);
INSERT INTO customers (id, number, company, full_name, email, created_at) VALUES
    (1, 'K-1001', 'Möbel Grün GmbH', 'Ines Grün', 'Ines@gruen.test', '2022-04-12 08:00+00'),
    (2, 'K-1002', NULL, 'Jakob Huber', 'jakob.huber@mail.test', '2022-05-01 09:30+00'),
    (3, 'K-1003', 'Buchhandlung Leitner', 'Sara Leitner', 'sara@leitner.test', '2023-01-20 14:15+00');
INSERT INTO addresses (id, customer_id, street, postcode, city, country, position) VALUES
    (1, 1, 'Triester Str. 14', '1100', 'Wien', 'AT', '(16.345,48.145)'),
    (2, 2, 'Mühlgasse 3', '8020', 'Graz', 'AT', '(15.43,47.07)'),
    (3, 3, 'Hauptplatz 1', '4020', 'Linz', 'AT', NULL),
    (4, 2, 'Seestr. 8', '5310', 'Mondsee', 'AT', NULL);
INSERT INTO parcels (id, tracking_no, hub_id, carrier_id, sender_id, address_id, status, weight_g, length_cm, width_cm, height_cm, tags, payload, accepted_at) VALUES
    (1, 'PH0000001', 1, 1, 1, 2, 'announced', 1200, 30, 20, 10, '{fragile}', '{"Service": "express", "ref": "A-1"}', '2024-01-05 08:15:00+00'),
    (2, 'PH0000002', 1, 2, 1, 3, 'announced', 8400, 60, 40, 40, '{}', '{"service": "standard"}', '2024-01-06 11:00:00+00'),
    (3, 'PH0000003', 2, 1, 3, 1, 'announced', 450, 25, 18, 4, '{letterbox,cod}', '{"service": "express"}', '2024-01-08 16:40:00+00'),
    (4, 'PH0000004', 3, 3, 2, 4, 'announced', 15300, 80, 50, 45, '{}', '{}', '2024-01-12 07:05:00+00'),
    (5, 'PH0000005', 1, 4, 3, 2, 'announced', 2210, 35, 30, 12, '{cod}', '{"service": "standard"}', '2024-03-02 10:00:00+00');
INSERT INTO parcel_items (parcel_id, description, quantity, value) VALUES
    (1, 'Lampenschirm', 1, 49.90), (2, 'Regalbrett', 4, 18.50), (3, 'Roman', 2, 12.00), (4, 'Werkzeugkoffer', 1, 219.00), (5, 'Kalender', 10, 9.90);
INSERT INTO parcel_notes (parcel_id, author, body, created_at) VALUES
    (1, 'mk', 'left at dock 7, forklift needed', '2024-01-05 09:00+00'),
    (2, 'mk', '7 pallets waiting, dock is blocked', '2024-01-06 12:00+00'),
    (3, 'sl', 'customer picks up at the counter', '2024-01-08 17:00+00'),
    (4, 'sl', 'label damaged, printed again at dock 4', '2024-01-12 08:00+00');
INSERT INTO vehicles (id, plate, payload_kg) VALUES (1, 'W-4711P', 900), (2, 'G-22PH', 1400);
INSERT INTO routes (id, hub_id, vehicle_id, driver, runs_on, slot) VALUES
    (1, 1, 1, 'Nowak', '2024-01-07', '[2024-01-07 06:00+00,2024-01-07 12:00+00)'),
    (2, 2, 2, 'Pichler', '2024-01-09', '[2024-01-09 07:00+00,2024-01-09 15:00+00)');
INSERT INTO route_stops (route_id, seq, parcel_id, eta, done_at) VALUES
    (1, 1, 1, '2024-01-07 07:00+00', '2024-01-07 07:12+00'),
    (1, 2, 2, '2024-01-07 08:30+00', NULL),
    (2, 1, 3, '2024-01-09 09:00+00', '2024-01-09 08:51+00');
INSERT INTO route_metrics (route_id, checkpoints_timed, checkpoints_req, driven_km, idle) VALUES
    (1, 11, 12, 84.5, '00:42:00'), (2, 9, 9, 121.25, '01:10:00');
INSERT INTO sla_rules (id, carrier_id, service, max_transit, grace, level) VALUES
    (1, 1, 'express', '1 day', '1 hour', 2),
    (2, 2, 'standard', '3 days', '4 hours', 1),
    (3, 1, 'standard', '2 days', '4 hours', 1),
    (4, 3, 'standard', '2 days', '6 hours', 1),
    (5, 4, 'standard', '4 days 12:00', '6 hours', 1);
INSERT INTO holidays (day, label) VALUES ('2024-01-01', 'Neujahr'), ('2024-01-06', 'Heilige Drei Könige'), ('2024-05-01', 'Staatsfeiertag');
INSERT INTO scan_events (parcel_id, hub_id, kind, scanned_at, device, relkind) VALUES
    (1, 1, 'intake', '2024-01-05 08:15:00+00', 'HH-17', 'r'),
    (1, 1, 'sort', '2024-01-05 10:20:00+00', 'SORT-1', NULL),
    (1, 1, 'handover', '2024-01-07 07:12:00+00', 'HH-21', NULL),
    (2, 1, 'intake', '2024-01-06 11:00:00+00', 'HH-17', 'p'),
    (3, 2, 'intake', '2024-01-08 16:40:00+00', 'HH-03', NULL),
    (3, 2, 'handover', '2024-01-09 08:51:00+00', 'HH-04', NULL),
    (4, 3, 'return', '2023-12-30 09:00:00+00', 'HH-30', NULL);
INSERT INTO claims (id, parcel_id, reason, amount, opened_on, closed_on, handler) VALUES
    (1, 2, 'late', 15.00, '2024-01-10', NULL, 'ines'),
    (2, 4, 'damaged', 80.00, '2024-01-15', '2024-01-20', 'ines');
INSERT INTO webhook_deliveries (id, carrier_id, endpoint, body, attempts, last_error, delivered_at, created_at) VALUES
    (1, 1, 'https://hooks.alpenexpress.test/parcel', '{"Tracking": "PH0000001", "tracking": "PH0000001"}', 1, NULL, '2024-01-05 08:16+00', '2024-01-05 08:15+00'),
    (2, 2, 'https://api.donaukurier.test/in', '{"tracking": "PH0000002"}', 5, '503', NULL, '2024-01-06 11:00+00'),
    (3, 4, 'https://karstcargo.test/hook', '{"tracking": "PH0000005"}', 2, 'timeout', NULL, '2024-03-02 10:00+00');
INSERT INTO hub_devices (id, hub_id, serial, "system_user", system_user_id, last_seen) VALUES
    (1, 1, 'HH-17', 'scanner', 501, '2024-01-06 11:00+00'),
    (2, 1, 'SORT-1', 'sorter', 502, '2024-01-05 10:20+00'),
    (3, 2, 'HH-03', 'scanner', 501, NULL);
