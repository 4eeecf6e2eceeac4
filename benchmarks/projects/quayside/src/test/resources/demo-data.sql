INSERT INTO harbour VALUES (1, 'Travemünde', 'DE', '((0,0),(10,0),(10,10),(0,10))'), (2, 'Gedser', 'DK', '((20,0),(30,0),(30,10))');
INSERT INTO pontoon (pontoon_id, harbour_id, code, zone) VALUES (1, 1, 'A', '((0,0),(5,0),(5,5),(0,5))'), (2, 1, 'B', '((5,5),(9,5),(9,9),(5,9))');
INSERT INTO berth (berth_id, pontoon_id, number, max_length, max_draught, berth_class) VALUES (1, 1, 1, 9.5, 1.8, 1), (2, 1, 2, 12, 2.1, 2), (3, 2, 1, 15, 2.5, 3);
INSERT INTO customer (customer_id, full_name, email, adsrc, created_at) VALUES
    (1, 'Imke Petersen', 'imke@example.org', 'fair', '2018-03-01'),
    (2, 'Søren Dahl', NULL, 'magazine', '2019-05-11');
INSERT INTO boat (boat_id, customer_id, name, sail_no, length_m, draught_m, lat, lon, position) VALUES
    (1, 1, 'Möwe', 'GER-1204', 8.9, 1.6, 53.957391204918374, 10.874205519283714, '(1,1)'),
    (2, 2, 'Nordlys', 'DEN-88', 11.2, 1.9, 53.957120003918271, 10.873330019283341, '(6,6)'),
    (3, 2, 'Havfruen II', 'ger-9', 14.0, 2.2, 53.1, 10.5, '(2,3)');
INSERT INTO stay (stay_id, berth_id, boat_id, arrived_at, departed_at, status) VALUES
    (1, 1, 1, '2021-06-01 10:00', '2021-06-03 12:20', 2),
    (2, 2, 2, '2021-07-11 18:30', '2021-07-12 09:00', 2),
    (3, 3, 3, '2022-05-02 09:15', NULL, 1);
INSERT INTO meter_reading (reading_id, berth_id, read_at, kwh)
    SELECT n, 1 + n % 2, timestamp '2021-06-01 10:00' + n * interval '7 minutes', n * 0.25 FROM generate_series(1, 20) n;
INSERT INTO meter_reading (reading_id, berth_id, read_at, kwh)
    SELECT 100 + n, 1, date_trunc('month', now())::timestamp - n * interval '1 month' + interval '3 days', n FROM generate_series(24, 32) n;
INSERT INTO notice (notice_id, harbour_id, title, body, valid_from) VALUES
    (1, 1, 'Storage', 'Places for the winter and storage halls', '2021-09-01'),
    (2, 1, 'Crane', 'The crane works in spring', '2021-02-01'),
    (3, 2, 'Winter storage', 'Book now', '2021-08-01');
INSERT INTO service_job (job_id, boat_id, kind, calls, total_time) VALUES (1, 1, 'crane', 2, 1.5), (2, 2, 'engine', 1, 6.25);
INSERT INTO rate (rate_id, berth_class, per_metre, normalize, valid) VALUES (1, 1, 2.10, true, '[2021-01-01,2022-01-01)'), (2, 2, 2.60, false, '[2021-01-01,2022-01-01)');
INSERT INTO import_error VALUES ('a.csv', 3, 'no such berth'), ('a.csv', 7, 'bad length');
