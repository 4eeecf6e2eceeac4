--liquibase formatted sql

--changeset mette:006-fields
INSERT INTO park.field (id, name, boundary) VALUES
    (1, 'Klitmarken', '((0,0),(0,10),(10,10),(10,0))'),
    (2, 'Vestre Rev', '((20,0),(20,8),(30,8),(30,0))');

--changeset mette:006-turbines
INSERT INTO park.turbine (id, code, field_id, position, rated_kw, commissioned, settings) VALUES
    (1, 'WT-101', 1, '(2,3)', 3300, '2016-05-01', '{"pitch": {"mode": "auto"}}'),
    (2, 'WT-102', 1, '(6,7)', 3300, '2016-05-01', '{}'),
    (3, 'WT-201', 2, '(22,4)', 8000, '2020-09-15', '{"pitch": {"mode": "manual"}}');

--changeset mette:006-downtimes
INSERT INTO park.downtime (id, turbine_id, reason, started_at, ended_at) VALUES
    (1, 1, 'icing', '2021-01-10 03:00+00', '2021-01-10 09:30:15+00'),
    (2, 3, 'grid', '2021-02-02 12:00+00', '2021-02-02 12:20:00+00');

--changeset mette:006-readings
INSERT INTO park.reading (turbine_id, taken_at, power_kw, wind_ms) VALUES
    (1, '2021-03-01 10:00+00', 1520.50, 8.20),
    (2, '2021-03-01 10:00+00', 1498.00, 8.10),
    (3, '2021-03-01 10:00+00', 4100.75, 9.40);

--changeset mette:006-forecasts
INSERT INTO park.forecast (turbine_id, valid_at, power_kw) VALUES
    (1, '2021-03-01 10:00+00', 1600.00),
    (3, '2021-03-01 10:00+00', 3900.00);

--changeset mette:006-notes
CREATE TABLE park.note (id integer PRIMARY KEY, body text NOT NULL);
INSERT INTO park.note VALUES
    (1, 'Old runbook: SELECT pg_start_backup(''snap'') before the storage snapshot'),
    (2, 'Readings with wind above 25 m/s are cut off');
