INSERT INTO depots VALUES (1, 'Kalkbreite', '1949-05-01', 3), (2, 'Oerlikon', '1935-10-12', 2), (3, 'Hard', NULL, 1);

INSERT INTO tracks (id, depot_id, label, length_m, pit) VALUES
    (1, 1, 'K1', 120.50, true), (2, 1, 'K2', 120.50, false), (3, 1, 'K3', 64.00, true),
    (4, 2, 'O1', 98.00, true), (5, 2, 'O2', 98.00, false), (6, 3, 'H1', 45.25, true);

INSERT INTO tram_types VALUES ('Be4/6', 'Schindler', 6, 26.60), ('Be5/6', 'Bombardier', 6, 36.30), ('Be6/8', 'Alstom', 8, 42.90);

INSERT INTO trams (id, fleet_no, type_code, depot_id, state, delivered, km) VALUES
    (1, '2001', 'Be4/6', 1, 'in_service', '1976-11-02', 2310400),
    (2, '2036-a', 'Be4/6', 2, 'retired', '1978-03-15', 2550010),
    (3, '3001', 'Be5/6', 1, 'in_repair', '2001-06-20', 1204500),
    (4, '3052', 'Be5/6', 2, 'in_service', '2008-02-01', 880120),
    (5, '4001', 'Be6/8', 1, 'in_depot', '2019-12-10', 210300),
    (6, '4007', 'Be6/8', 3, 'in_service', '2021-05-05', 140050);

INSERT INTO track_bookings VALUES
    (1, 3, '[2025-03-01 06:00+00,2025-03-04 18:00+00)'), (1, 5, '[2025-03-05 06:00+00,2025-03-05 18:00+00)'),
    (4, 4, '[2025-03-02 06:00+00,2025-03-02 12:00+00)');

INSERT INTO suppliers (id, name, country) VALUES (1, 'Radsatz AG', 'CH'), (2, 'Knorr', 'DE'), (3, 'Faiveley', 'FR');

INSERT INTO parts (part_no, title, supplier_id, price) VALUES
    ('BR-100a', 'brake disc', 2, 420.00), ('BR-200', 'brake pad', 2, 38.50), ('PA-7', 'pantograph strip', 3, 95.20),
    ('WH-12', 'wheel tyre', 1, 1810.00), ('DO-3', 'door motor', 3, 640.75);

INSERT INTO part_stock VALUES (1, 'BR-100a', 6, 'A3'), (1, 'BR-200', 80, 'A4'), (2, 'BR-200', 24, 'C1'), (2, 'PA-7', 9, NULL);

INSERT INTO part_prices VALUES ('BR-200', '2023-01-01', 35.00), ('BR-200', '2024-07-01', 38.50), ('WH-12', '2024-01-01', 1810.00);

INSERT INTO part_fits VALUES ('BR-100a', 'Be5/6'), ('BR-200', 'Be5/6'), ('BR-200', 'Be6/8'), ('WH-12', 'Be4/6');

INSERT INTO mechanics (id, name, depot_id, hired, left_on) VALUES
    (1, 'A. Brunner', 1, '2004-08-01', 'infinity'), (2, 'D. Costa', 1, '2015-02-01', '2024-12-31 23:00+00'),
    (3, 'M. Frei', 2, '2020-10-01', 'infinity');

INSERT INTO work_orders (id, tram_id, opened, closed, title, details, priority) VALUES
    (1, 3, '2025-03-01 06:30+00', NULL, 'replace brake discs', '{"axle": 2, "warranty": false}', 1),
    (2, 4, '2025-03-02 06:05+00', '2025-03-02 11:40+00', 'door 3 stuck', '{"door": 3}', 2),
    (3, 5, '2025-03-05 06:00+00', NULL, 'yearly inspection', '{"axle": null}', 3),
    (4, 1, '2024-11-20 14:00+00', '2024-11-23 09:30+00', 'wheel tyre', '{"axle": 5, "warranty": true}', 2);

SELECT setval(pg_get_serial_sequence('work_orders', 'id'), 4);

INSERT INTO work_steps VALUES
    (1, 1, 1, 95, true, NULL), (1, 2, 1, 40, false, 'waiting for BR-100a'), (2, 1, 3, 130, true, NULL),
    (3, 1, 1, 0, false, NULL), (4, 1, 2, 310, true, 'lathe');

INSERT INTO work_parts VALUES (1, 'BR-100a', 2), (4, 'WH-12', 1);

INSERT INTO fault_codes VALUES (101, 'door blocked', 2), (205, 'brake pressure', 3), (310, 'low voltage', 2), (400, 'wifi lost', 1);

INSERT INTO faults (tram_id, code, seen, cleared, payload) VALUES
    (3, 205, '2025-02-27 10:00+00', NULL, '{"bogie": {"temp": 71, "bar": 4.2}}'),
    (3, 101, '2025-02-27 11:10+00', '2025-02-27 11:12+00', '{"door": 1}'),
    (3, 205, '2025-02-28 08:30+00', NULL, '{"bogie": {"temp": 74}}'),
    (4, 101, '2025-03-01 16:20+00', NULL, '{"door": 3}'),
    (4, 101, '2025-03-01 16:55+00', NULL, '{"door": 3}'),
    (4, 400, '2025-03-01 17:00+00', '2025-03-01 17:30+00', NULL),
    (6, 310, '2025-01-15 05:45+00', '2025-01-15 06:00+00', '{"volts": 540}');

INSERT INTO alarms VALUES (101, false, false, 1), (205, false, false, 2), (400, true, true, 0);

INSERT INTO telemetry VALUES
    (3, '2024-12-30 12:00+00', 1204100, 601.5, 2048), (3, '2025-02-01 12:00+00', 1204420, 598, 4096),
    (4, '2025-02-01 12:00+00', 880010, 612.25, 1024);

INSERT INTO wheel_profiles VALUES (1, 1, '2024-11-01', 612.40, 611.90), (1, 2, '2024-11-01', 609.00, 609.50), (3, 1, '2025-01-10', 598.10, 597.70);

INSERT INTO devices (id, tram_id, kind, serial_no, firmware) VALUES
    (1, 3, 'router', 'RT-0031', '4.1'), (2, 4, 'router', 'RT-0052', '4.1'), (3, NULL, 'counter', 'CN-9', '1.0');

INSERT INTO device_addresses VALUES
    (1, '10.40.3.1', '[2023-01-01,2024-06-01)'), (2, '10.40.3.1', '[2024-06-01,)'), (1, '10.40.3.7', '[2024-06-01,)');

INSERT INTO depot_networks VALUES (1, '10.40.0.0/20', 40), (2, '10.41.0.0/20', 41);

INSERT INTO sync_marks VALUES
    ('reports', '0/3000060', '0/3000060', '2025-03-05 02:00+00'), ('archive', '1/A2F0', '1/A2F0', '2025-03-05 02:05+00');

INSERT INTO host_samples VALUES ('2025-03-04', 1200, 300, 840, 96), ('2025-03-05', 1310, 322, 790, 96);
