-- Demo data, also for the tests in CI.
INSERT INTO houses (code, name, glazing, area_m2, built_on) VALUES
    ('NW-1', 'Noord', 'float', 4200.0, '2009-04-01'),
    ('NW-2', 'Midden', 'diffuse', 3900.5, '2014-02-15'),
    ('NW-3', 'Zuid', 'diffuse', 6100.0, '2020-09-30');
INSERT INTO zones (house_id, code, title, length_m, width_m) VALUES
    (1, 'A', 'Propagation', 40, 12.8), (1, 'B', 'Tomato vine', 60, 12.8),
    (2, 'A', 'Cucumber high wire', 60, 16), (3, 'A', 'Gerbera', 80, 19.2);
INSERT INTO benches (zone_id, house_code, label, rfid, heated, unlogged) VALUES
    (1, 'NW-1', 'P 01', 'E28011', true, false), (1, 'NW-1', 'P 02', 'E28012', true, true),
    (2, 'NW-1', 'T 01', NULL, false, false), (3, 'NW-2', 'C 07', 'E28040', false, false),
    (4, 'NW-3', 'G 11', 'E28077', true, false);
INSERT INTO operators (login, full_name, role, phone) VALUES
    ('mvdberg', 'Marieke van den Berg', 'manager', '+31 174 555 010'),
    ('jkoster', 'Jan Koster', 'grower', NULL),
    ('asahin', 'Ayşe Şahin', 'technician', '+31 174 555 012');
INSERT INTO cultivars (species, name, seed_code, crc32, days_to_harvest) VALUES
    ('Solanum lycopersicum', 'Brioso', 'SL-BRI', 3421780262, 68),
    ('Cucumis sativus', 'Hi-Power', 'CS-HIP', 907060870, 45),
    ('Gerbera jamesonii', 'Kimsey', 'GJ-KIM', NULL, 90);
INSERT INTO batches (cultivar_id, bench_id, sown_on, moved_on, cleared_on, plants, note) VALUES
    (1, 1, '2024-01-08', '2024-02-12', NULL, 1200, 'grafted on Maxifort'),
    (1, 3, '2023-12-01', '2024-01-10', NULL, 900, NULL),
    (2, 4, '2024-02-01', NULL, NULL, 640, 'second planting'),
    (3, 5, '2023-06-15', '2023-07-20', '2024-02-20', 3000, NULL);
INSERT INTO inspection_rounds (operator_id, house_id, walked_on, checkpoints_timed, checkpoints_req, remark) VALUES
    (2, 1, '2024-03-04', 14, 2, NULL), (2, 2, '2024-03-05', 9, 0, 'door 4 jams'), (3, 3, '2024-03-05', 22, 5, NULL);
INSERT INTO pest_observations (batch_id, round_id, pest, severity, leaves, seen_at) VALUES
    (1, 1, 'whitefly', 2, '{4,3,3}', '2024-03-04 09:10:00+01'),
    (1, 1, 'thrips', 1, '{1}', '2024-03-04 09:15:00+01'),
    (1, 1, 'whitefly', 3, '{7,2,7}', '2024-03-04 09:25:00+01'),
    (3, 2, 'spider mite', 4, '{5,5,6}', '2024-03-05 10:00:00+01'),
    (3, 2, 'spider mite', 2, '{9}', '2024-03-05 10:20:00+01');
INSERT INTO sensors (zone_id, topic, quantity, unit, slope, intercept, gamma, installed_on) VALUES
    (1, 'nw1/a/t1', 'temperature', 'degC', 0.1, -40, 1, '2021-03-01'),
    (1, 'nw1/a/h1', 'humidity', '%', 0.1, 0, 1, '2021-03-01'),
    (2, 'nw1/b/t1', 'temperature', 'degC', 0.1, -40, 1, '2021-03-02'),
    (3, 'nw2/a/par', 'par', 'umol/m2/s', 1, 0, 1.08, '2021-05-20'),
    (4, 'nw3/a/m1', 'moisture', '%', 0.5, 0, 1, '2022-01-11');
INSERT INTO sensor_readings (sensor_id, taken_at, value, raw)
SELECT s, timestamptz '2024-03-05 00:00:00+00' + n * interval '30 minutes', 18 + s + (n % 8) * 0.5, 580 + n
  FROM generate_series(1, 5) s, generate_series(0, 23) n;
INSERT INTO sensor_inbox (topic, payload, arrived_at) VALUES
    ('nw1/a/t1', '{"v": 612, "q": "ok"}', '2024-03-05 12:00:02+00'),
    ('nw9/x/t1', '{"v": null, "q": "lost"}', '2024-03-05 12:00:03+00');
INSERT INTO actuators (zone_id, kind, topic, max_steps) VALUES
    (1, 'heater', 'nw1/a/heat', 100), (1, 'vent', 'nw1/a/vent', 60), (2, 'screen', 'nw1/b/screen', 100), (3, 'pump', 'nw2/a/pump', 1);
INSERT INTO actuator_log (actuator_id, step, reason, "system_user", switched_at) VALUES
    (1, 40, 'below setpoint', 'glasshoused', '2024-03-05 05:00:00+00'),
    (2, 75, 'above setpoint', 'glasshoused', '2024-03-05 11:00:00+00'),
    (3, 100, 'by hand', 'svc-panel', '2024-03-05 11:30:00+00'),
    (4, 1, 'program', 'svc-irrigation', '2024-03-05 06:00:00+00');
INSERT INTO climate_profiles (zone_id, name, settings, json_value, valid) VALUES
    (1, 'winter', '{"heating": {"setpoint": "20.5", "night": 18}, "co2": {"target": 800}}', 'base', '[2023-11-01,2024-04-01)'),
    (2, 'winter', '{"heating": {"setpoint": "19"}, "co2": {"target": 1000}}', NULL, '[2023-11-01,2024-04-01)'),
    (4, 'flower', '{"heating": {"setpoint": "16.0", "night": 14}, "lamps": {"hours": 11}}', 'gerbera', '[2024-01-01,)');
INSERT INTO irrigation_programs (zone_id, name, starts_at, run_time, pause, ec_target) VALUES
    (1, 'Morning', '06:00', '00:04:30', '00:20:00', 1.60), (2, 'Sunrise', '06:30', '00:06:00', '00:15:00', 2.80),
    (3, 'Radiation', '07:00', '00:03:15', '00:10:00', 2.40);
INSERT INTO irrigation_runs (program_id, started_at, ended_at, litres, drain_pct) VALUES
    (1, '2024-03-05 05:00:00+00', '2024-03-05 05:04:30+00', 310.5, 22), (2, '2024-03-05 05:30:00+00', '2024-03-05 05:36:00+00', 720, 31.5),
    (2, '2024-03-05 07:30:00+00', NULL, NULL, NULL);
INSERT INTO nutrient_recipes (name, parts, ph) VALUES
    ('tomato-a', '{"Ca(NO3)2": 0.9, "KNO3": 0.5}', 5.5), ('gerbera', '{"Ca(NO3)2": 0.6, "Fe": 0.02}', 5.8);
INSERT INTO alert_rules (quantity, low, high, hold, severity) VALUES
    ('temperature', 15, 30, '00:05:00', 3), ('humidity', 55, 92, '00:15:00', 2), ('moisture', 30, NULL, '00:30:00', 4);
INSERT INTO alerts (rule_id, zone_id, severity, raised_at, acknowledged_at, acknowledged_by, detail) VALUES
    (1, 1, 3, '2024-03-05 03:10:00+00', NULL, NULL, '{"value": 14.1}'),
    (2, 1, 2, '2024-03-05 04:00:00+00', '2024-03-05 06:12:00+00', 2, '{"value": 93.5}'),
    (3, 4, 4, '2024-03-05 09:00:00+00', NULL, NULL, '{"value": 21}'),
    (1, 2, 5, '2024-03-05 11:00:00+00', NULL, NULL, '{"value": 33.8}');
INSERT INTO ops.gateways (host, firmware, last_seen) VALUES ('gw-nw1', '3.4.1', '2024-03-05 12:00:00+00'), ('gw-nw2', '3.3.9', NULL);
INSERT INTO ops.storage_samples (sampled_at, relation, bytes, wal_write) VALUES
    ('2024-03-04 02:00:00+00', 'sensor_readings_2024', 81920, 120), ('2024-03-05 02:00:00+00', 'sensor_readings_2024', 98304, 131);
