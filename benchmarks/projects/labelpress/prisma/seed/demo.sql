INSERT INTO customers (id, number, name, city, country, language, payment_days, created_at) VALUES
    (1, 'K1001', 'Brouwerij De Halve Maan', 'Brugge', 'BE', 'dutch', 30, '2023-02-01 09:00+01'),
    (2, 'K1002', 'Crème & Co', 'Maastricht', 'NL', 'dutch', 14, '2023-02-03 10:30+01'),
    (3, 'K1003', 'Imkerij Zoë', 'Ede', 'NL', 'dutch', 30, '2023-05-11 08:15+02'),
    (4, 'K1004', 'Highland Jam Ltd', 'Perth', 'GB', 'simple', 45, '2023-09-21 12:00+02');
INSERT INTO suppliers (id, name, lead_time) VALUES
    (1, 'Fasson Benelux', '4 days'), (2, 'Herma', '6 days 12 hours'), (3, 'UPM Raflatac', '9 days');
INSERT INTO materials (id, supplier_id, code, name, adhesive, grams_per_m2, price_per_m2) VALUES
    (1, 1, 'PPW50', 'PP wit 50 µm', 'permanent', 71.0, 0.6100),
    (2, 1, 'PPT50', 'PP transparant 50 µm', 'permanent', 72.5, 0.7400),
    (3, 2, 'VELL80', 'Vellum mat 80 g', 'afneembaar', 80.0, 0.3900),
    (4, 3, 'WIJN90', 'Geschept papier crème', 'permanent', 90.0, 0.8800);
INSERT INTO rolls (id, material_id, lot_code, width_mm, meters, received_on, quarantined) VALUES
    (1, 1, 'Y2024M03D18', 330, 2000.0, '2024-03-25', false),
    (2, 1, 'Y2024M05D02', 330, 1850.5, '2024-05-08', false),
    (3, 2, 'Y2024M04D22', 250, 990.0, '2024-05-02', true),
    (4, 3, 'Y2024M06D03', 330, 3000.0, '2024-06-10', false),
    (5, 4, 'Y2024M06D11', 330, 1200.0, '2024-06-20', false);
INSERT INTO tool_groups (code, name) VALUES ('RND', 'rond'), ('RECT', 'rechthoek');
INSERT INTO dies (id, code, shape, width_mm, height_mm, lanes, group_code) VALUES
    (1, 'R-60', 'rond', 60, 60, 4, 'RND'), (2, 'H-90.120', 'rechthoek', 90, 120, 3, 'RECT'),
    (3, 'H-40.80', 'rechthoek', 40, 80, 6, 'RECT');
INSERT INTO artworks (id, customer_id, title, revision, sha256, uploaded_at) VALUES
    (1, 1, 'Blond 33cl', 3, '\x9f86d081', '2024-05-20 09:00+02'), (2, 1, 'Tripel 75cl', 1, '\x60303ae2', '2024-05-21 09:00+02'),
    (3, 2, 'Handcrème 50 ml', 2, '\xfd61a03a', '2024-06-01 11:00+02'), (4, 3, 'Bloemenhoning', 1, '\xa4e624d6', '2024-06-03 11:00+02'),
    (5, 4, 'Raspberry', 5, NULL, '2024-06-04 11:00+02');
INSERT INTO label_orders (id, customer_id, reference, status, placed_at, due_on, remark) VALUES
    (1, 1, 'LP-24.0311', 'printing', '2024-06-03 08:10+02', '2024-06-21', 'Levering voor de wijnflessen en bierflesjes'),
    (2, 2, 'LP-24.0312', 'prepress', '2024-06-04 14:00+02', '2024-06-28', 'Tekst van allergenen controleren'),
    (3, 3, 'LP-24.0313', 'accepted', '2024-06-05 16:45+02', NULL, NULL),
    (4, 4, 'LP-24.0288', 'shipped', '2024-05-13 09:00+02', '2024-05-31', 'Pallet, no boxes');
INSERT INTO order_lines (id, order_id, artwork_id, material_id, die_id, sku, print_text, quantity, unit_price, winding, spec) VALUES
    (1, 1, 1, 1, 1, 'DHM-BL 33', 'Gebrouwen met biologische granen, bevat gluten. Koel bewaren', 25000, 0.0212, 'outside_head', '{"finish": "gloss", "core_mm": 76, "gap_mm": 3}'),
    (2, 1, 2, 4, 2, 'DHM-TR 75', 'Etiketten voor wijnflessen met goudfolie', 6000, 0.0610, 'outside_foot', '{"finish": "matt", "core_mm": 76}'),
    (3, 2, 3, 2, 3, 'CC.HC.50', 'Allergenen zie dozen. Potjes koel bewaren', 12000, 0.0188, 'inside_head', '{"finish": "gloss", "core_mm": 40, "gap_mm": 2.5}'),
    (4, 3, 4, 3, 1, 'IZ BH 450', 'Honing van bloemen, potjes van 450 g', 3000, 0.0450, 'outside_head', '{"core_mm": 76}'),
    (5, 4, 5, 3, 2, 'HJ/RASP', 'Raspberry jam, 340 g', 8000, 0.0395, 'outside_head', '{"finish": "matt", "core_mm": 25}');
INSERT INTO proofs (id, order_line_id, sent_at, answered_at, approved, comment) VALUES
    (1, 1, '2024-06-03 11:00+02', '2024-06-04 09:20+02', true, NULL),
    (2, 2, '2024-06-03 11:05+02', NULL, NULL, NULL),
    (3, 3, '2024-06-05 10:00+02', '2024-06-06 15:00+02', false, 'Accent in crème ontbreekt'),
    (4, 5, '2024-05-14 10:00+02', '2024-05-14 12:00+02', true, 'ok');
INSERT INTO shipments (id, order_id, carrier, tracking, boxes, sent_at) VALUES
    (1, 4, 'DPD', '05222', 6, '2024-05-30 17:00+02'), (2, 4, 'DPD', '05223', 2, '2024-05-31 12:00+02');
INSERT INTO audit_entries (id, entity, entity_id, action, "system_user", detail, at) VALUES
    (1, 'label_orders', 1, 'create', 'portal', '{"ip": "10.20.1.7"}', '2024-06-03 08:10+02'),
    (2, 'label_orders', 1, 'accept', 'svc-intake', NULL, '2024-06-03 09:00+02'),
    (3, 'label_orders', 2, 'create', 'portal', NULL, '2024-06-04 14:00+02'),
    (4, 'rolls', 3, 'quarantine', 'svc-scales', '{"reason": "lijm"}', '2024-05-02 07:30+02');
INSERT INTO sites (id, code, network) VALUES (1, 'EDE', '10.20.0.0/16'), (2, 'GENT', '10.30.0.0/16');
INSERT INTO presses (id, site_id, name, colors, meters_per_minute) VALUES
    (1, 1, 'Gallus 1', 8, 120), (2, 1, 'Indigo', 7, 30), (3, 2, 'Nilpeter', 6, 150);
INSERT INTO label_printers (id, site_id, name, address, dpi) VALUES
    (1, 1, 'zebra-01', '10.20.4.11', 300), (2, 1, 'zebra-02', '10.20.4.12', 600), (3, 2, 'sato-01', '10.30.4.11', 300);
INSERT INTO printer_leases (id, printer_id, address, held) VALUES
    (1, 1, '10.20.4.11', '[2024-01-01 00:00+00,2024-06-01 00:00+00)'),
    (2, 2, '10.20.4.11', '[2024-06-01 00:00+00,2025-01-01 00:00+00)'),
    (3, 3, '10.30.4.11', '[2024-01-01 00:00+00,2025-01-01 00:00+00)');
INSERT INTO press_bookings (id, press_id, order_line_id, booked, operator) VALUES
    (1, 1, 1, '[2024-06-10 06:00+00,2024-06-10 09:30+00)', 'Joris'),
    (2, 1, 2, '[2024-06-10 09:30+00,2024-06-10 12:00+00)', 'Joris'),
    (3, 2, 3, '[2024-06-11 06:00+00,2024-06-11 07:15+00)', NULL);
INSERT INTO press_counters (id, press_id, read_at, run_m, setup_m, waste_m) VALUES
    (1, 3, '2024-06-10 09:30+00', 5200.0, 80.0, 61.5), (2, 3, '2024-06-10 12:00+00', 2100.0, 110.0, 98.0);
INSERT INTO press_counters_flexo (id, press_id, read_at, run_m, setup_m, waste_m, plate_changes, ink_g) VALUES
    (3, 1, '2024-06-11 12:00+00', 4100.0, 90.0, 75.0, 6, 820.0), (4, 1, '2024-06-12 12:00+00', 800.0, 45.0, NULL, 0, 90.5);
INSERT INTO job_costs (id, order_line_id, run_m, waste_m, material_cost, press_cost, booked_on) VALUES
    (1, 5, 1300.0, 55.0, 167.31, 240.00, '2024-05-30'), (2, 1, 5200.0, 61.5, 1060.10, 610.00, '2024-06-10');
INSERT INTO finishes (code, name, surcharge) VALUES
    ('gloss', 'UV-lak glans', 0.0015), ('matt', 'UV-lak mat', 0.0017), ('soft', 'Soft-touch laminaat', 0.0060);
INSERT INTO finish_prices (id, finish_code, from_quantity, price_per_1000) VALUES
    (1, 'GLOSS', 1000, 2.10), (2, 'gloss', 10000, 1.45), (3, 'matt', 1000, 2.40);
INSERT INTO scan_events (scanned_at, order_line_id, printer_id, grade, ignore) VALUES
    ('2024-09-03 07:00+00', 5, 1, 'A', false), ('2024-09-03 07:01+00', 5, 1, 'C', true), ('2024-09-10 10:00+00', 1, 2, 'B', false);
INSERT INTO scan_buffer (received_at, payload) VALUES ('2024-09-10 10:00+00', '{"line": 1, "grade": "B"}');
INSERT INTO webhook_deliveries (id, url, body, attempts, delivered_at) VALUES
    ('018f3b6e-7a10-7c3e-9c55-3f0e3d2a1b01', 'https://portal.example/hooks/1', '{"order": 4}', 1, '2024-05-31 12:01+02'),
    ('018f3b6e-7a10-7c3e-9c55-3f0e3d2a1b02', 'https://portal.example/hooks/1', '{"order": 1}', 3, NULL);
INSERT INTO db_samples (taken_at, checkpoints_timed, wal_write, wal_sync, blk_read_time) VALUES
    ('2024-06-10 12:00+00', 410, 1922, 1200, 12.5), ('2024-06-10 12:01+00', 411, 1990, 1241, 13.1);
SELECT setval('customers_id_seq', 100), setval('label_orders_id_seq', 100), setval('order_lines_id_seq', 100),
       setval('proofs_id_seq', 100), setval('rolls_id_seq', 100), setval('audit_entries_id_seq', 100),
       setval('press_bookings_id_seq', 100), setval('press_counters_id_seq', 100);
