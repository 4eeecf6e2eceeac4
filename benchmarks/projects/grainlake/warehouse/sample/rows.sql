INSERT INTO raw.regions VALUES
    ('N', 'North', '((0,10),(10,10),(10,20),(0,20))'),
    ('S', 'South', '((0,0),(10,0),(10,10),(0,10))');
INSERT INTO raw.sites VALUES
    (1, 'Havneby', '(3,4)', 'dryer=>yes, lanes=>2', 'havneby@grain.example'),
    (2, 'Skovlund', '(4,15)', 'dryer=>no', NULL);
INSERT INTO raw.farms VALUES
    (10, 'Lindegaard', E'+45 5551 2020\n+45 5551 2021', '5551-2022', 'F/10'),
    (11, 'Bakkely', '5550 1111', NULL, 'F/11');
INSERT INTO raw.deliveries (delivery_id, site_id, farm_id, crop, grade_codes, gross_kg, tare_kg, arrived_at, left_at, delivered_on, note) VALUES
    (100, 1, 10, 'wheat', '{3,1,1}', 31500, 14100, '2023-08-02 06:10+00', '2023-08-02 06:41:30+00', '2023-08-02', 'trailer washed'),
    (101, 1, 11, 'barley', '{2,NULL,1}', 28900, 13900, '2023-08-02 07:00+00', '2023-08-02 07:22+00', '2023-08-02', NULL),
    (102, 2, 10, 'wheat', '{1}', 30200, 14100, '2024-01-15 10:00+00', NULL, '2024-01-15', 'second half');
INSERT INTO raw.silo_readings VALUES
    (7, '2023-08-02 00:00+00', 18.5, 14.2), (7, '2023-08-02 01:00+00', 18.4, 14.2), (8, '2024-02-01 05:00+00', 6.1, 13.0);
INSERT INTO raw.lab_results VALUES
    (1, 100, '{"moisture": 14.1, "protein": 11.9, "comment": "clean"}', '2023-08-02 08:00+00'),
    (2, 101, '{"moisture": 15.3, "protein": null, "comment": "some chaff, re-test"}', '2023-08-02 09:00+00');
INSERT INTO etl.batches (batch_id, source, started_at, finished_at, row_count, wal_write, checkpoints_req) VALUES
    (900, 'weighbridge', '2023-08-02 10:00+00', '2023-08-02 10:04+00', 2, 81, 0);
INSERT INTO public.stg_silo_readings SELECT * FROM raw.silo_readings;
INSERT INTO public.stg_deliveries
SELECT delivery_id, site_id, farm_id, crop, grade_codes, net_kg, 30, arrived_at, delivered_on, 0 FROM raw.deliveries;
INSERT INTO public.stg_lab_results VALUES (1, 100, 14.1, 11.9, 'clean', '2023-08-02 08:00+00'), (2, 101, 15.3, NULL, 'some chaff, re-test', '2023-08-02 09:00+00');
INSERT INTO public.stg_farms VALUES (10, 'Lindegaard', '4555512020', '55512022'), (11, 'Bakkely', '55501111', NULL);
INSERT INTO public.fct_intake VALUES (1, 'wheat', '2023-08-02', 1, 17400, '{1,3}');
