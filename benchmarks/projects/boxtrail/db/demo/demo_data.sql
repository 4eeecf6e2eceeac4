SET client_encoding = 'UTF8';

INSERT INTO terminals (id, code, name, time_zone) VALUES
  (1, 'CNYSA', 'Yangshan Phase IV', 'Asia/Shanghai'),
  (2, 'CNWGQ', 'Waigaoqiao II', 'Asia/Shanghai'),
  (3, 'USCHI', 'Chicago Global 4', 'America/Chicago');

INSERT INTO accounts (id, email, "system_user", settings) VALUES
  (1, 'ops@boxtrail.example', true, '{"locale": "zh-CN"}'),
  (2, 'lin.mei@harbourlink.example', false, '{"locale": "en", "system_user": "no"}'),
  (3, 'dispatch@prairie-rail.example', false, '{"locale": "en"}');

INSERT INTO containers (id, number, size_type, tag_list, seal_numbers, tare_kg, terminal_id) VALUES
  (1, 'CSQU3054383', '22G1', 'reefer,priority', '{S812,S114,S114}', 2200, 1),
  (2, 'TGHU4512907', '45R1', 'hazmat,,inspection', '{B77,A03}', 4600, 1),
  (3, 'MSKU0148824', '22G1', 'empty', '{}', 2190, 3);

INSERT INTO gate_events (container_id, terminal_id, kind, lane, happened_at) VALUES
  (1, 1, 'in', 4, '2023-11-02 08:10:00+08'),
  (1, 1, 'out', 2, '2023-11-09 17:45:00+08'),
  (2, 2, 'in', 1, '2024-01-15 06:30:00+08'),
  (3, 3, 'in', 7, '2024-03-01 22:05:00+08');

INSERT INTO holds (container_id, reason, placed_on, released_on) VALUES
  (2, 'customs', '2024-01-16', NULL),
  (1, 'damage', '2023-11-03', '2023-11-08');

INSERT INTO carrier_messages (id, carrier, payload, received_at) VALUES
  ('018c2d1e-0000-7000-8000-000000000001', 'PRRL', '{"box": "MSKU0148824", "seal_number": " P-5512 ", "eta": "2024-03-04"}', '2024-03-01 09:00+08'),
  ('018c2d1e-0000-7000-8000-000000000002', 'CSLN', '{"box": "CSQU3054383", "seal_number": "", "json_value": 3}', '2024-03-02 09:00+08');

INSERT INTO rail_departures (id, train, ramp, reported) VALUES
  (1, 'PR-204', 'USCHI', '2024-02-28 21:15'),
  (2, 'PR-310', 'USCHI', '2024-03-01 05:40');

INSERT INTO rate_plans (id, code, free_time, term, daily, valid_from) VALUES
  (1, 'STD20', '5 days', '1 year', 45.00, '2023-01-01'),
  (2, 'STD40', '5 days', '1 year 6 mons', 80.00, '2023-01-01'),
  (3, 'REEFER', '3 days', NULL, 160.00, '2023-06-01');

INSERT INTO invoices (id, number, account_id, issued_on, paid_on, state) VALUES
  (1, 'BT-2024-0001', 2, '2024-01-10', '2024-01-29', 2),
  (2, 'BT-2024-0002', 2, '2024-01-24', NULL, 1),
  (3, 'BT-2024-0003', 3, '2024-02-05', NULL, 1);

INSERT INTO invoice_lines (invoice_id, description, amount) VALUES
  (1, 'Demurrage CSQU3054383', 225.00),
  (1, 'Gate move', 35.50),
  (2, 'Storage', 80.00),
  (3, 'Rail handling', 410.00);

INSERT INTO server_samples (taken_at, buffers_alloc, buffers_written, checkpoints_timed, commits) VALUES
  ('2024-03-01 00:00+08', 4310, 822, 12, 99120),
  ('2024-03-02 00:00+08', 4977, 901, 24, 104311);
