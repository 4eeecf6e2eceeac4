INSERT INTO intake_grower (id, name, region, joined_on) VALUES
    (1, 'Hof Lindner', 'north', '2012-03-01'),
    (2, 'Azienda Moro', 'south', '2015-09-15'),
    (3, 'M. Perathoner', 'north', '2019-01-10');
INSERT INTO intake_variety (id, name, shelf_life) VALUES
    (1, 'Gala', '6 mons'), (2, 'Braeburn', '8 mons'), (3, 'Fuji', DEFAULT);
INSERT INTO intake_lot (id, grower_id, variety_id, label, picked_on, closed_at) VALUES
    (1, 1, 1, 'LN-24/001', '2024-08-20', NULL),
    (2, 1, 2, 'LN-24/002', '2024-09-25', '2024-10-30 12:00+00'),
    (3, 2, 3, 'MO-24/001', '2024-10-12', NULL);
INSERT INTO intake_delivery (id, lot_id, gross_kg, tare_kg, arrived_at, rejected_at, weighbridge, notes) VALUES
    (1, 1, 8200, 5100, '2024-08-20 15:00+00', NULL, '{"operator": "kf", "bridge": 1}', ''),
    (2, 1, 7900, 5100, '2024-08-21 09:30+00', NULL, '{"operator": "kf", "bridge": 2}', 'wet'),
    (3, 2, 9000, 5200, '2024-09-25 17:10+00', '2024-09-26 08:00+00', '{"operator": "ba", "bridge": 1}', 'hail'),
    (4, 3, 9100, 5200, '2024-10-12 11:45+00', NULL, '{"bridge": 2}', '');
INSERT INTO pallets_pallet (id, sscc, packed_at, dispatched_at) VALUES
    (1, '380123450000000011', '2024-09-01 07:00+00', '2024-09-02 05:00+00'),
    (2, '380123450000000028', '2024-09-01 07:40+00', NULL);
INSERT INTO pallets_line (id, pallet_id, lot_id, grade, crates) VALUES
    (1, 1, 1, 2, 24), (2, 1, 1, 1, 16), (3, 1, 2, 2, 8), (4, 2, 1, 3, 30), (5, 2, 3, 1, 10);
INSERT INTO pallets_location VALUES (1, 'HALL-A', NULL, 0), (2, 'A-01', 1, 1), (3, 'A-02', 1, 1);
INSERT INTO pallets_weighing VALUES (1, 1, 812.50, '2024-09-01 07:05+00'), (2, 2, 799.00, '2024-09-01 07:45+00');
INSERT INTO ops_bgwritersample (id, taken_at, checkpoints_timed, buffers_alloc) VALUES
    (1, '2024-09-01 00:00+00', 120, 5000), (2, '2024-09-02 00:00+00', 408, 9100);
INSERT INTO ops_integrationaccount (id, partner, "system_user") VALUES (1, 'Edi-Nord', true), (2, 'Kontor', false);
INSERT INTO ops_hostsetting (name, value, explained) VALUES
    ('shared_buffers', '4GB', 'a quarter of the memory of db1'),
    ('force_parallel_mode', 'off', 'only for tests of functions');
