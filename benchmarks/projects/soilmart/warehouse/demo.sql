INSERT INTO core.stations (code, name, country, timezone, timezone_short, elevation_m, depths_cm, installed_on) VALUES
    ('NAG', 'Nagpur Research Farm', 'IN', 'Asia/Kolkata', 'IST', 310, '{30,10,60,10}', '2021-06-01'),
    ('LDH', 'Ludhiana North', 'IN', 'Asia/Kolkata', 'IST', 247, '{10,30}', '2022-02-15'),
    ('GHF', 'Groß Haslau', 'AT', 'Europe/Vienna', 'CET', 540, '{10,30,60,90}', '2020-04-20');
INSERT INTO core.devices (station_code, serial_no, status_flags, power, battery_mv, last_contact) VALUES
    ('NAG', 'SL-0001', 5, 41.50, 3610, '2024-04-01 00:30+00'),
    ('LDH', 'SL-0002', 0, 39.25, 3240, '2024-04-01 00:40+00'),
    ('GHF', 'SL-0003', 18, 52.00, 3550, NULL);
INSERT INTO core.parameters (code, label, unit, method, decimals) VALUES
    ('NO3', 'nitrate', 'milligram per kilogram', 'ISO 14256-2', 1),
    ('CD', 'cadmium', 'milligram per kilogram', 'ISO 17294-2', 4),
    ('SM', 'soil moisture', 'percent', NULL, 1),
    ('PH', 'reaction', 'pH', 'ISO 10390', 2);
INSERT INTO core.parameter_limits (parameter_code, horizon, low, high) VALUES
    ('CD', NULL, NULL, 1.5), ('CD', 'A', NULL, 1.0), ('PH', NULL, 4.5, 8.5), ('SM', NULL, 5, 55);
INSERT INTO core.labs (code, name, accredited_until) VALUES ('AGL', 'Agrolab Süd', '2027-12-31'), ('PUN', 'Punjab Soil Testing', NULL);
INSERT INTO core.lab_samples (sample_no, station_code, depth_cm, taken_at, wet_g, dry_g, lab_code, lab_no) VALUES
    ('S-100', 'NAG', 10, '2024-03-20 05:00+00', 210.5, 180.2, 'PUN', 'P-77'),
    ('S-101', 'LDH', 30, '2024-03-21 05:30+00', 198.0, 171.4, 'PUN', NULL),
    ('S-102', 'GHF', 10, '2024-03-25 09:00+00', 250.0, 199.9, 'AGL', 'A-1202');
INSERT INTO core.field_samples (sample_no, station_code, depth_cm, taken_at, taken_by, temperature_c) VALUES
    ('F-1', 'GHF', 60, '2024-03-25 09:30+00', 'mw', 6.5);
INSERT INTO core.measurements (station_code, parameter_code, depth_cm, measured_at, value) VALUES
    ('NAG', 'SM', 10, '2024-04-01 00:15+00', 22.4),
    ('NAG', 'SM', 10, '2024-04-01 02:30+00', 21.9),
    ('NAG', 'SM', 30, '2024-04-01 04:45+00', 27.0),
    ('LDH', 'SM', 10, '2024-04-01 00:45+00', 18.1),
    ('LDH', 'SM', 10, '2024-04-02 12:00+00', 17.7),
    ('GHF', 'SM', 10, '2023-11-11 10:00+00', 34.2);
INSERT INTO core.substances (code, label, daily_loss) VALUES ('GLY', 'glyphosate', 0.034), ('ATR', 'atrazine', 0.009), ('MCP', 'MCPA', 0.048);
INSERT INTO core.applications (id, station_code, substance_code, applied_on, dose_g_ha) VALUES
    (1, 'GHF', 'GLY', '2020-05-01', 1440), (2, 'NAG', 'ATR', '2023-06-20', 1000), (3, 'GHF', 'MCP', '2021-04-10', 800), (4, 'LDH', 'GLY', '2024-02-01', 720);
SELECT setval('core.applications_id_seq', 4);
INSERT INTO core.reagents (code, label, stock_ml, reorder_ml) VALUES ('KCL', 'KCl 1 mol/l', 2000, 500), ('HNO3', 'nitric acid 65 %', 800, 250);
INSERT INTO raw.lab_files (id, name, lab_code, lines, received_at) VALUES (1, 'pun-2024-03.txt', 'PUN', 4, '2024-03-28 07:00+00'), (2, 'agl-118.txt', 'AGL', 2, '2024-04-02 08:00+00');
SELECT setval('raw.lab_files_id_seq', 2);
INSERT INTO raw.lab_results (file_id, sample_no, parameter, raw_value, unit) VALUES
    (1, 'S-100', 'NO3', '14.2', 'mg/kg'),
    (1, 'S-100', 'CD', '2.4e -2', 'mg/kg'),
    (1, 'S-101', 'NO3', '11.8', 'mg/kg'),
    (1, 'S-101', 'PH', '7.45', NULL),
    (2, 'S-102', 'CD', '0.31', 'mg/kg'),
    (2, 'S-102', 'PH', '6.10', NULL);
INSERT INTO raw.lab_limits (parameter, horizon, limit_text, note) VALUES ('CD', NULL, '1.5 e0', NULL), ('PB', 'A', '1 00', 'from 2025'), ('PB', NULL, '5e -3', NULL);
INSERT INTO raw.logger_messages (station_code, body, payload, received_at) VALUES
    ('NAG', 'SM10=22.4;SM30=27.0', '{"parameter": "SM", "depth": 10, "value": 22.4, "at": "2024-04-01T00:15:00+00:00"}', '2024-04-01 00:16+00'),
    ('LDH', 'SM10=18.1', '{"parameter": "SM", "depth": 10, "value": 18.1, "at": "2024-04-01T00:45:00+00:00"}', '2024-04-01 00:46+00');
INSERT INTO ops.loads (job, started_at, finished_at, rows_in) VALUES
    ('lab', '2024-04-01 02:00+00', '2024-04-01 02:01+00', 4), ('logger', '2024-04-01 03:00+00', '2024-04-01 03:00:20+00', 2), ('lab', '2024-04-02 02:00+00', NULL, NULL);
INSERT INTO ops.column_targets (relation, attname, attstattarget) VALUES ('core.measurements_2024', 'value', -1), ('core.stations', 'country', 400);
INSERT INTO ops.checks (name, statement, expected) VALUES ('samples without a station', 'orphans', 0);
INSERT INTO public.stg_lab_results VALUES (1, 'S-100', 'NO3', 14.2, 'mg/kg'), (3, 'S-101', 'NO3', 11.8, 'mg/kg'), (5, 'S-102', 'CD', 0.31, 'mg/kg');
INSERT INTO public.stg_logger_readings VALUES (1, 'NAG', 'SM', 10, '2024-04-01 00:15+00', 22.4), (2, 'LDH', 'SM', 10, '2024-04-01 00:45+00', 18.1);
INSERT INTO public.dim_station SELECT code, name, country, timezone, depths_cm, installed_on FROM core.stations;
INSERT INTO public.fct_residues VALUES (4, 'LDH', 'GLY', '2024-03-01', 263.55);
