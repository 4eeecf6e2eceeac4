INSERT INTO marinas (id, code, name) VALUES
    ('11111111-1111-4111-8111-111111111111', 'SVB', 'Svendborg'),
    ('22222222-2222-4222-8222-222222222222', 'AEB', 'Ærøskøbing');
INSERT INTO owners (id, email, full_name) VALUES
    ('0188b3b0-0000-7000-8000-000000000001', 'mette@example.dk', 'Mette Holm'),
    ('0188b3b0-0000-7000-8000-000000000002', 'jonas@example.dk', 'Jonas Friis');
INSERT INTO berths (id, marina_id, pontoon, berth_no, length_m) VALUES
    (1, '11111111-1111-4111-8111-111111111111', 'A', 12, 9.5),
    (2, '11111111-1111-4111-8111-111111111111', 'B', 3, 12),
    (3, '22222222-2222-4222-8222-222222222222', 'A', 7, 8);
INSERT INTO boats (id, owner_id, name, registration, length_m, hull, tags) VALUES
    ('aaaaaaaa-0000-4000-8000-000000000001', '0188b3b0-0000-7000-8000-000000000001', 'Havfruen', 'DK-4410', 8.9, '{"material": "grp", "draft": 1.6, "engines": [{"make": "Volvo"}, {"make": "Yanmar"}]}', '{sail,diesel}'),
    ('aaaaaaaa-0000-4000-8000-000000000002', '0188b3b0-0000-7000-8000-000000000002', 'Terne', 'DK-902', 7.2, '{"material": "wood", "draft": 1.1}', '{sail,classic}');
INSERT INTO seasons (name, starts, ends, surcharge) VALUES
    ('high', '2023-06-15', '2023-08-20', 1.4),
    ('shoulder', '2023-05-01', '2023-06-14', 1.1);
INSERT INTO bookings (id, berth_id, boat_id, status, arrives, departs, note) VALUES
    ('bbbbbbbb-0000-4000-8000-000000000001', 1, 'aaaaaaaa-0000-4000-8000-000000000001', 'confirmed', '2023-07-01', '2023-07-09', 'needs 16A AND water'),
    ('bbbbbbbb-0000-4000-8000-000000000002', 2, 'aaaaaaaa-0000-4000-8000-000000000002', 'departed', '2023-05-10', '2023-05-12', NULL),
    ('bbbbbbbb-0000-4000-8000-000000000003', 3, 'aaaaaaaa-0000-4000-8000-000000000002', 'requested', '2023-08-01', '2023-08-15', NULL);
INSERT INTO tariffs (marina_id, label, stay_length, price) VALUES
    ('11111111-1111-4111-8111-111111111111', 'night', '1 day', 210),
    ('11111111-1111-4111-8111-111111111111', 'week', '7 days', 1250),
    ('22222222-2222-4222-8222-222222222222', 'night', '1 day', 180);
INSERT INTO leases (berth_id, owner_id, starts, term_years) VALUES
    (1, '0188b3b0-0000-7000-8000-000000000001', '2021-04-01', 2.80),
    (2, '0188b3b0-0000-7000-8000-000000000002', '2022-04-01', 1.30),
    (3, '0188b3b0-0000-7000-8000-000000000001', '2022-04-01', 5.00);
INSERT INTO audit_log (event_id, "system_user", action, payload, created_at) SELECT
    v.event_id::uuid, v.who, v.action, v.payload::jsonb, v.at::timestamptz
  FROM (VALUES
    ('0188b3b0-91a0-7c11-9b2e-0f4a5b6c7d8e', 'harbour.office', 'BOOKING.CONFIRM', '{"channel": "web", "by": {"desk": 2}}', '2023-06-13 09:00+00'),
    ('018c2e49-51c0-7a02-8f00-1a2b3c4d5e6f', 'import', 'BOAT.MERGE', '{"channel": "file"}', '2023-12-03 04:00+00')
  ) AS v (event_id, who, action, payload, at);
INSERT INTO bgwriter_samples VALUES ('2024-03-08 00:00+00', 'db1', 12, 3400), ('2024-03-08 00:05+00', 'db1', 13, 3521);
