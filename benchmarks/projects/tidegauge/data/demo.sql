-- development database
SET TimeZone = 'UTC';

INSERT INTO networks (id, name, operator, contact, priority) VALUES
    (1, 'Coastal Authority', 'CA', 'gauges@coast.example', 1),
    (2, 'Harbours', 'Port of Norhavn', 'tide-desk@norhavn.example', 3),
    (3, 'Volunteers', 'Friends of the Sound', 'see file 17', 9);

INSERT INTO sea_areas (id, code, title, extent, outline) VALUES
    (1, 'north', 'Northern bight', '(10,60),(0,55)', '((0,55),(0,60),(10,60),(10,55))'),
    (2, 'sound', 'The Sound', '(14,57),(11,54)', NULL);

INSERT INTO stations (network_id, code, name, location, datum_m, opened_on, closed_on, attributes, updated_at) VALUES
    (1, 'norh', 'Norhavn Outer Pier', '(8.5,56.1)', 0.120, '1931-05-01', NULL, '{"iho": "0451", "radar": true}', '2021-01-01 00:00+00'),
    (2, 'norh2', 'Norhavn Lock', '(8.7,56.0)', 0.120, '1987-09-15', NULL, '{"iho": "0452"}', '2021-01-01 00:00+00'),
    (1, 'svan', 'Svaneke', '(12.2,55.4)', -0.045, '1952-01-01', NULL, '{}', '2021-01-01 00:00+00'),
    (3, 'lill', 'Lillevik', '(13.9,54.2)', 0.000, '2015-07-01', '2020-12-31', '{}', '2021-01-01 00:00+00');

INSERT INTO sensors (station_id, kind, serial_no, every, factor, installed, removed) VALUES
    (1, 'radar', 'VEGA-7781', '1 minute', 1, '2018-04-11 09:00+00', NULL),
    (1, 'float', 'OTT-114', '10 minutes', 0.5, '1999-02-03 12:00+00', '2018-04-11 09:00+00'),
    (2, 'pressure', 'KEL-36', '5 minutes', 0.25, '2012-11-20 08:30+00', NULL),
    (3, 'radar', 'vega-7790', '1 minute', 1, '2019-08-06 10:00+00', NULL);

INSERT INTO calibrations (sensor_id, done_on, raw_value, true_m, done_by) VALUES
    (1, '2020-03-02', 0.07, 0.071, 'hv'),
    (1, '2021-03-01', 1.1, 1.102, 'hv'),
    (3, '2020-03-03', 2.5, 2.498, 'mk'),
    (4, '2020-10-12', 0.29, 0.288, 'mk');

INSERT INTO readings (station_id, measured_at, level_m, quality, source) VALUES
    (1, '2020-12-31 23:50+00', 0.412, 1, 'telemetry'),
    (1, '2021-06-01 00:00+00', 0.501, 1, 'telemetry'),
    (1, '2021-06-01 00:03+00', 0.512, 1, 'telemetry'),
    (1, '2021-06-01 00:07+00', 0.533, 2, 'telemetry'),
    (1, '2021-06-01 00:12+00', 0.560, 1, 'telemetry'),
    (1, '2021-06-01 00:18+00', 0.598, 1, 'telemetry'),
    (1, '2021-06-01 00:29+00', 0.655, 3, 'manual'),
    (2, '2021-06-01 00:04+00', 0.498, 1, 'telemetry'),
    (2, '2021-06-01 00:06+00', 0.507, 1, 'telemetry'),
    (2, '2021-06-01 00:26+00', 0.640, 2, 'telemetry'),
    (3, '2021-06-01 00:00+00', 2.140, 1, 'telemetry'),
    (3, '2021-06-01 00:15+00', 3.020, 1, 'telemetry'),
    (4, '2019-05-05 12:00+00', 0.211, 4, 'manual');

INSERT INTO mean_levels (station_id, month, level_m, readings) VALUES
    (1, '2002-10-01', 0.298, 44001),
    (1, '2002-11-01', 0.305, 43120),
    (1, '2012-01-01', 0.310, 44010),
    (1, '2012-02-01', 0.322, 41760),
    (1, '2012-03-01', 0.331, 44640),
    (1, '2016-08-01', 0.348, 44640),
    (1, '2021-05-01', 0.366, 44601),
    (1, '2021-06-01', 0.371, 43200);

INSERT INTO gaps (station_id, missing, reason, "system_user") VALUES
    (1, '[2021-06-01 00:18+00,2021-06-01 00:29+00)', NULL, 'collector'),
    (3, '[2021-05-02 08:00+00,2021-05-02 14:30+00)', 'ice', 'mk');

INSERT INTO constituents (name, period, doodson, description) VALUES
    ('M2', '12:25:14', 255555, 'principal lunar'),
    ('S2', '12:00:00', 273555, 'principal solar'),
    ('K1', '23:56:04', 165555, 'lunisolar'),
    ('Sa', '365 days', 56554, 'annual');

INSERT INTO harmonics (station_id, constituent, amplitude_m, phase_deg, fitted_on) VALUES
    (1, 'M2', 0.2214, 103.20, '2020-01-15'), (1, 'S2', 0.0611, 151.70, '2020-01-15'),
    (3, 'M2', 0.0702, 88.00, '2020-01-16');

INSERT INTO predictions (station_id, tide_at, level_m, high) VALUES
    (1, '2021-06-01 03:10+00', 0.710, true), (1, '2021-06-01 09:22+00', 0.290, false),
    (3, '2021-06-01 02:40+00', 0.330, true);

INSERT INTO surges (station_id, peaked_at, level_m, lasted, report) VALUES
    (1, '2013-12-06 04:00+00', 2.910, '1 day 03:30', 'Xaver'),
    (3, '2017-01-04 21:00+00', 1.770, '14:00', 'Axel'),
    (1, '2019-01-02 07:30+00', 1.640, '09:45', NULL);

INSERT INTO runs (started_at, total_time, mean_time, imported, failed) VALUES
    ('2021-06-01 00:00+00', 4.210, 0.351, 12, 0), ('2021-06-01 01:00+00', 9.875, 0.823, 12, 1);

INSERT INTO clusters (host, lc_collate, lc_ctype, checked_on) VALUES
    ('db1', 'C.UTF-8', 'C.UTF-8', '2021-05-01');

INSERT INTO exports (agency, payload, sent_at) VALUES
    ('IOC', '{"station": "norh", "bins": 3}', '2021-06-01 01:00+00'), ('PSMSL', '{"station": "svan"}', NULL);

REFRESH MATERIALIZED VIEW station_months;
