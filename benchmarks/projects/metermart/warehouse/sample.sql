INSERT INTO raw.customers (customer_id, name, segment, email, joined_at) VALUES
    (1, 'A. Deshpande', 'home', 'a.deshpande@mail.example', '2021-04-02 10:00+05:30'),
    (2, 'Kolhapur Textiles', 'plant', NULL, '2019-11-20 09:00+05:30'),
    (3, 'Shree Stores', 'shop', 'shop@shree.example', '2022-08-15 12:30+05:30');
INSERT INTO raw.premises (premise_id, customer_id, street, city, feeder) VALUES
    (11, 1, 'Tilak Road 4', 'Pune', 'pn-07'), (12, 2, 'MIDC 88', 'Kolhapur', 'kh-02'), (13, 3, 'Station Road 1', 'Pune', 'pn-07');
INSERT INTO raw.meters (meter_id, serial, premise_id, phases, multiplier, installed_on, removed_on, read_every) VALUES
    (101, 'LT-550101', 11, 1, 1, '2021-04-05', NULL, '30 minutes'),
    (102, 'HT-000207', 12, 3, 40, '2019-12-01', NULL, '15 minutes'),
    (103, 'LT-550377', 13, 1, 1, '2022-08-20', '2024-03-20', '30 minutes'),
    (104, 'LT-550902', 13, 1, 1, '2024-03-20', NULL, '30 minutes');
INSERT INTO raw.tariffs (tariff_id, code, term_years, notice, standing, levy) VALUES
    (1, 'HOME-FLEX', 1.00, '14 days', 120.00, 6.50), (2, 'HOME-FIX', 2.30, '1 month', 95.00, 6.50), (3, 'PLANT-TOU', 3.50, '3 months', 2400.00, 310.00);
INSERT INTO raw.tariff_rates (tariff_id, band, valid_from, rate) VALUES
    (1, 'base', '2023-04-01', 5.41000), (1, 'peak', '2023-04-01', 7.92000), (2, 'base', '2023-04-01', 5.12000),
    (2, 'peak', '2023-04-01', 7.05000), (3, 'base', '2023-04-01', 6.73000), (3, 'peak', '2023-04-01', 9.40000), (3, 'peak', '2024-03-01', 9.85000);
INSERT INTO raw.contracts (contract_id, premise_id, tariff_id, started_at, term, ended_at) VALUES
    (1001, 11, 2, '2023-05-06 10:00+00', '1 year', NULL), (1002, 12, 3, '2022-01-01 10:00+00', '2 years', NULL),
    (1003, 13, 1, '2023-09-01 10:00+00', '6 months', '2024-03-01 10:00+00');
INSERT INTO raw.head_end_messages (message_id, batch, serial, raw_at, raw_value, unit, quality, received_at) VALUES
    (1, 'b-0301', 'LT-550101', '2024-03-01 10:00 IST', '0.412', 'kWh', 0, '2024-03-01 04:41+00'),
    (2, 'b-0301', 'HT-000207', '2024-03-01 10:00 IST', '1.20E 03', 'kWh', 0, '2024-03-01 04:41+00'),
    (3, 'b-0301', 'LT-550377', '2024-03-01 10:30 IST', ' 0.208', 'kWh', 9, '2024-03-01 05:10+00'),
    (4, 'b-0302', 'HT-000207', '2024-03-02 18:45 IST', '9.8E+02', 'kWh', 0, '2024-03-02 13:20+00');
INSERT INTO raw.readings (meter_id, read_at, kwh, quality, batch) VALUES
    (101, '2024-02-29 12:30+00', 0.390, 0, 'b-0229'), (101, '2024-03-01 04:30+00', 0.412, 0, 'b-0301'), (101, '2024-03-01 13:30+00', 1.105, 0, 'b-0301'),
    (102, '2024-03-01 04:30+00', 1200.000, 0, 'b-0301'), (102, '2024-03-02 13:15+00', 980.000, 0, 'b-0302'), (103, '2024-03-01 05:00+00', 0.208, 9, 'b-0301'),
    (104, '2024-04-02 13:30+00', 0.640, 0, 'b-0402');
INSERT INTO raw.rejects (batch, line, reason, content) VALUES ('b-0301', 17, 'unknown meter', 'XX-1;2024-03-01 10:00 IST;1AND');
INSERT INTO raw.weather_hourly (station, epoch_s, temperature) VALUES ('PNQ', 1709251200, 24.10), ('PNQ', 1709254800, 25.60), ('KLH', 1709251200, 23.00);
INSERT INTO raw.events_device (event_id, meter_id, register, kind, happened_at, firmware) VALUES
    (1, 101, '1.8.0', 'cover open', '2024-03-01 06:00+00', '2.1'), (2, 102, '1.8.0', 'phase loss', '2024-03-02 02:00+00', '4.0');
INSERT INTO raw.events_manual (event_id, meter_id, register, kind, happened_at, fitter, ticket) VALUES
    (3, 103, '1.8.0', 'removed', '2024-03-20 08:00+00', 'Patil', 'T-551'), (4, 104, '1.8.0', 'installed', '2024-03-20 08:20+00', 'Patil', NULL);
INSERT INTO raw.outages (outage_id, feeder, began_at, ended_at, cause) VALUES
    (1, 'pn-07', '2024-03-03 10:00+00', '2024-03-03 11:20+00', 'storm'), (2, 'kh-02', '2024-03-09 22:10+00', NULL, NULL);
INSERT INTO raw.load_batches (batch, file_name, loaded_at, row_count) VALUES
    ('b-0301', 'he_20240301.csv ', '2024-03-01 05:15+00', 3), ('b-0302', 'he_20240302.csv', '2024-03-02 13:25+00', 1);
INSERT INTO public.stg_head_end (message_id, meter_id, batch, kwh, quality, received_at) VALUES (1, 101, 'b-0301', 0.412, 0, '2024-03-01 04:41+00');
INSERT INTO public.stg_readings (meter_id, read_at, kwh, band, quality) VALUES
    (101, '2024-03-01 04:30+00', 0.412, 'base', 0), (101, '2024-03-01 13:30+00', 1.105, 'peak', 0), (102, '2024-03-01 04:30+00', 48000.000, 'base', 0);
INSERT INTO public.int_contract_periods (contract_id, premise_id, tariff_id, starts_at, ends_at) VALUES
    (1001, 11, 2, '2023-05-06 10:00+00', NULL), (1003, 13, 1, '2023-09-01 10:00+00', '2024-03-01 10:00+00');
INSERT INTO public.fct_daily_usage (meter_id, day, kwh, peak_kwh) VALUES (101, '2024-03-01', 1.517, 1.105), (102, '2024-03-01', 48000.000, 0);
INSERT INTO public.dim_meter (meter_id, serial, feeder, segment) VALUES (101, 'LT-550101', 'pn-07', 'home'), (102, 'HT-000207', 'kh-02', 'plant');
INSERT INTO ops.vacuum_samples (taken_at, relation, num_dead_tuples, max_dead_tuples) VALUES ('2024-03-01 01:00+00', 'raw.readings_2024_02', 1200, 291),
    ('2024-03-01 01:01+00', 'raw.readings_2024_02', 3100, 11184);
INSERT INTO ops.checkpoint_samples (taken_at, checkpoints_timed, checkpoints_req) VALUES ('2024-03-01 01:00+00', 880, 12), ('2024-03-01 02:00+00', 884, 13);
