INSERT INTO customers (id, number, name, city, phone, vat_id) VALUES
    (1, 'K-1001', 'Strassenbau Lang', 'Passau', '0851 10', 'DE 111'), (2, 'K-1002', 'Beton Union', 'Regen', '09921 2', 'DE 222'),
    (3, 'K-1003', 'Gemeinde Auerberg', 'Auerberg', '08542 7', NULL);
INSERT INTO materials (id, code, name, grain_min, grain_max, density) VALUES
    (1, '0/2', 'Brechsand', 0, 2, 1.55), (2, '2/5', 'Edelsplitt', 2, 5, 1.50), (3, '16/32 s', 'Schotter', 16, 32, 1.45),
    (4, '0/45', 'Frostschutz', 0, 45, 1.80);
INSERT INTO faces (id, name, bench_level, opened_on, closed_on) VALUES (1, 'Nord 3', 480, '2015-03-01', NULL), (2, 'West 1', 510, '2008-06-01', '2021-10-31');
INSERT INTO blasts (face_id, fired_at, explosive_kg, expected_t, ppv_mm_s) VALUES
    (1, '2024-04-09 11:00+02', 3100, 14500, 3.20), (1, '2024-05-14 11:00+02', 2875.5, 13200, 2.75);
INSERT INTO scales (id, name, "system_user", verified_on) VALUES (1, 'Waage Tor', 'scale1', '2023-09-01'), (2, 'Waage Gleis', 'scale2', '2022-04-30');
INSERT INTO stockpiles (id, material_id, name) VALUES (1, 1, 'Halde A'), (2, 2, 'Halde B'), (3, 3, 'Halde C'), (4, 4, 'Halde D');
INSERT INTO stock_moves (id, stockpile_id, tons, reason, moved_at) VALUES
    (1, 1, 1200, 'production', '2024-05-15 16:00+02'), (2, 2, 800, 'production', '2024-05-15 16:00+02'),
    (3, 3, 2500.5, 'production', '2024-05-16 16:00+02'), (4, 1, -24.66, 'sale', '2024-05-17 09:10+02'),
    (5, 4, 900, 'production', '2024-05-17 16:00+02');
INSERT INTO truck_deliveries (id, customer_id, material_id, scale_id, weighed_at, gross_t, tare_t, net_t, plate, driver) VALUES
    (1, 1, 1, 1, '2024-05-17 09:10+02', 39.86, 15.20, 24.66, 'PA-SL 12', 'Huber'),
    (2, 1, 3, 1, '2024-05-17 10:02+02', 40.00, 15.10, 24.90, 'PA-SL 14', NULL),
    (3, 3, 4, 1, '2024-05-21 07:45+02', 17.55, 8.05, 9.50, 'PAN-G 7', 'Kern');
INSERT INTO rail_deliveries (id, customer_id, material_id, scale_id, weighed_at, gross_t, tare_t, net_t, plate, train_no, wagons, siding) VALUES
    (10, 2, 2, 2, '2024-05-22 05:30+02', 980.40, 240.00, 740.40, '-', 'GK 61233', 12, 'Gleis 2');
INSERT INTO dumper_loads (id, material_id, weighed_at, gross_t, tare_t, net_t, dumper) VALUES
    (30, 4, '2024-05-23 06:20+02', 92.10, 41.00, 51.10, 'Komatsu 2'), (31, 4, '2024-05-23 06:55+02', 95.00, 41.00, 54.00, 'Komatsu 2');
INSERT INTO returned_loads (delivery_id, gross_t, tare_t, reason) VALUES (2, 40.00, 15.10, 'Korn zu grob');
INSERT INTO prices VALUES (NULL, 1, '2024-01-01', 11.40), (NULL, 2, '2024-01-01', 16.20), (NULL, 3, '2024-01-01', 13.80),
    (2, 2, '2024-03-01', 14.95), (NULL, 4, '2024-01-01', 9.10);
INSERT INTO invoices (id, customer_id, issued_on, total, paid_on) VALUES (1, 1, '2024-05-31', 624.74, '2024-06-14'), (2, 2, '2024-05-31', 11068.98, NULL);
INSERT INTO invoice_lines (invoice_id, position, material_id, tons, eur_per_t) VALUES (1, 1, 1, 24.66, 11.40), (1, 2, 3, 24.90, 13.80), (2, 1, 2, 740.40, 14.95);
INSERT INTO sensors (id, place, quantity, unit) VALUES (1, 'Brecher', 'dust', 'mg/m3'), (2, 'Siedlung', 'noise', 'dB'), (3, 'Kapelle', 'vibration', 'mm/s');
INSERT INTO sensor_values SELECT s, timestamptz '2024-05-14 10:00+02' + n * interval '5 minutes', (s * 13 + n * 7) % 50 + 0.5
  FROM generate_series(1, 3) s, generate_series(0, 39) n;
INSERT INTO lab_samples (id, material_id, taken_on, doc) VALUES
    (1, 1, '2024-05-02', '{"moisture": "4,1", "fines": "9,8", "lab": "MPA"}'),
    (2, 2, '2024-05-02', '{"moisture": "1,3", "fines": "0,7", "lab": "MPA", "flakiness": 11}'),
    (3, 4, '2024-05-20', '{"moisture": "5,0", "lab": "intern"}');
INSERT INTO weigh_files (id, scale_id, name, payload, crc32) VALUES
    (1, 1, 'w20240517.txt', '\x3030313b33392e38363b31352e32300a', 'x'), (2, 2, 'g20240522.txt', '\x7a75673b3938302e34', 'x'),
    (3, 1, 'test', '\x313233343536373839', 'cbf43926');
SELECT setval(pg_get_serial_sequence('materials', 'id'), 100), setval(pg_get_serial_sequence('customers', 'id'), 100), setval(pg_get_serial_sequence('stock_moves', 'id'), 100),
       setval(pg_get_serial_sequence('invoices', 'id'), 100), setval(pg_get_serial_sequence('weigh_files', 'id'), 100),
       setval(pg_get_serial_sequence('lab_samples', 'id'), 100), setval(pg_get_serial_sequence('deliveries', 'id'), 100);
