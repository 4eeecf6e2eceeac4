-- rows for the training database

INSERT INTO harbor.vessels (imo, name, flag, length_cm, built) VALUES
  ('9321483', 'Emma Lührs', 'DE', 13460, '2006-08-31'),
  ('9454436', 'Skagerrak Trader', 'DK', 29400, '2011-02-14'),
  ('9839430', 'Nordic Orca', 'NO', 36800, '2019-05-03'),
  ('9074729', 'Baltic Tern', 'EE', 9980, '1994-11-20');

INSERT INTO harbor.berths (quay, berth_no, length_cm, depth_cm, crane_count) VALUES
  ('NORD', 1, 32000, 1450, 3), ('NORD', 2, 41000, 1630, 4), ('SUED', 1, 15000, 980, 1);

INSERT INTO harbor.port_calls (vessel_id, state, state_since, eta, etd, agent) VALUES
  (1, 'departed', '2019-12-30 18:00+00', '2019-12-29 05:00+00', '2019-12-30 18:00+00', 'Hansen & Co'),
  (2, 'departed', '2020-01-04 08:00+00', '2020-01-02 22:30+00', '2020-01-04 08:00+00', 'Hansen & Co'),
  (3, 'berthed', '2020-02-11 04:10+00', '2020-02-11 04:00+00', '2020-02-13 12:00+00', 'Kai Service'),
  (4, 'announced', '2020-02-10 09:00+00', '2020-02-15 10:00+00', NULL, NULL);

INSERT INTO harbor.berth_assignments VALUES
  (1, 'SUED', 1, '[2019-12-29 05:00+00,2019-12-30 18:00+00)'),
  (2, 'NORD', 1, '[2020-01-02 22:30+00,2020-01-04 08:00+00)'),
  (3, 'NORD', 2, '[2020-02-11 04:00+00,2020-02-13 12:00+00)');

INSERT INTO harbor.container_moves_2019_12 (id, call_id, container, direction, weight_kg, moved_at) VALUES
  (1, 1, 'MSKU1234565', 'I', 21400, '2019-12-29 07:12+00'),
  (2, 1, 'TGHU7654321', 'O', 8800, '2019-12-30 11:40+00');
INSERT INTO harbor.container_moves_2020_01 (id, call_id, container, direction, weight_kg, moved_at) VALUES
  (3, 2, 'MSKU1234565', 'O', 21400, '2020-01-03 09:00+00'),
  (4, 2, 'CMAU0001112', 'I', NULL, '2020-01-03 10:30+00');
INSERT INTO harbor.container_moves_2020_02 (id, call_id, container, direction, weight_kg, moved_at) VALUES
  (5, 3, 'CMAU0001112', 'O', 14100, '2020-02-12 15:00+00');

INSERT INTO harbor.customs_items VALUES
  (1, 'MSKU1234565', 'CUSCAR', '8703321900', '2 hours', 18250.00),
  (2, 'TGHU7654321', 'paper', '4407119300', '1 day 3 hours', 4100.50),
  (3, 'CMAU0001112', 'CUSCAR', '0901110000', '45 minutes', 39000.00);

INSERT INTO harbor.soundings VALUES
  (1, 'NORD', 1, '2020-01-15', 1442, 14.42),
  (2, 'NORD', 2, '2020-01-15', 1611, 16.110000000000003),
  (3, 'SUED', 1, '2020-01-16', 973, 9.7299999999999995),
  (4, 'SUED', 1, '2020-02-16', 970, 9.700000000000001);

INSERT INTO harbor.pilots VALUES (1, 'J. Petersen', '2023-06-30'), (2, 'M. Thoms', '2021-12-31');

INSERT INTO harbor.pilot_orders VALUES
  (1, 2, 1, '2020-01-02 21:00+00', true), (2, 2, 2, '2020-01-04 08:30+00', false), (3, 3, 1, '2020-02-11 02:30+00', true);

INSERT INTO harbor.tariffs VALUES ('QUAY', '2019-01-01', 0.2310, 'GT'), ('QUAY', '2020-01-01', 0.2450, 'GT'), ('CRANE', '2019-01-01', 61.5, 'move');

INSERT INTO harbor.invoices (call_id, tariff_code, tariff_from, units, amount, issued_on) VALUES
  (1, 'QUAY', '2019-01-01', 9900, 2286.9, '2020-01-07'),
  (2, 'QUAY', '2020-01-01', 35000, 8575, '2020-01-10'),
  (2, 'CRANE', '2019-01-01', 2, 123, '2020-01-10');

INSERT INTO ops.job_log (job, started_at, finished_at, total_time, ok) VALUES
  ('base_backup', '2020-02-10 01:00+00', '2020-02-10 01:42+00', '42 minutes', true),
  ('base_backup', '2020-02-11 01:00+00', '2020-02-11 01:44+00', '44 minutes', true),
  ('restore_check', '2020-02-09 04:00+00', '2020-02-09 05:10+00', '70 minutes', true);

INSERT INTO ops.counters VALUES ('edi_out', 45120, 1, 99999, true), ('gate_ticket', 812, 2, 9999, true);

INSERT INTO ops.table_inventory (relation, seen_on, relhaspkey, pages) VALUES
  ('harbor.vessels', '2020-02-01', true, 1), ('harbor.container_moves_2020_02', '2020-02-01', false, 1);

INSERT INTO ops.retention_rules VALUES ('container_moves', 24, 'billing disputes');

INSERT INTO ops.duty_roster VALUES ('2019-12-23', 'boje', 'amsel'), ('2019-12-30', 'claas', 'boje');
