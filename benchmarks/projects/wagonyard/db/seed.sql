INSERT INTO depots (id, code, name, location, opened_on) VALUES
    (1, 'NHF', 'Nordhafen', '(8.5,53.9)', '1998-04-01'),
    (2, 'ALB', 'Altenbruck', '(8.8,53.8)', '2004-10-15');

INSERT INTO wagons (id, depot_id, uic_number, kind, tare_kg, load_limit, built_on, attributes, remarks) VALUES
    (1, 1, '31805376001-2', 'Eaos', 22500, 57500.00, '1987-05-02', 'brake=>disc, couplers=>screw', 'repainted'),
    (2, 1, '31804552117-9', 'Sgns', 19800, 70200.00, '2009-09-21', 'brake=>block, couplers=>screw', NULL),
    (3, 2, '31805376044-2', 'Eaos', 22400, 57600.00, '1991-01-30', 'brake=>disc', 'owner @ Seelheim');

INSERT INTO inspections (id, wagon_id, inspected_at, finished_at, booked_for, inspector, sheet) VALUES
    (1, 1, '2019-03-04 08:00:00+00', '2019-03-04 08:47:30+00', '2019-03-04 08:00', 'marten',
     '<inspection><axle wear="12">ok</axle><axle wear="31">worn</axle></inspection>'),
    (2, 2, '2019-03-05 09:00:00+00', '2019-03-05 09:30:00+00', '2019-03-05 09:00', 'ilka',
     '<inspection><axle wear="7">ok</axle></inspection>'),
    (3, 3, '2019-04-11 13:10:00+00', NULL, '2019-04-11 13:00', 'marten', NULL);

INSERT INTO defects (id, inspection_id, code, severity, details, found_at) VALUES
    (1, 1, 'AX-02', 3, '{"axle": 2, "part": "bearing"}', '2019-03-04 08:20:00+00'),
    (2, 1, 'BR-10', 2, '{"part": "pad"}', '2019-03-04 08:31:00+00');

INSERT INTO tracks (number, depot_id, length_m, electrified) VALUES (4, 1, 310.5, true), (6, 1, 254.0, false), (12, 2, 410.0, true);

INSERT INTO movements (wagon_id, from_track, to_track, moved_at, moved_by) VALUES
    (1, 4, 6, '2019-03-04 07:40:00+00', 'jens'),
    (1, 6, 4, '2019-03-04 16:05:00+00', 'jens'),
    (2, NULL, 12, '2019-03-05 08:15:00+00', 'petra');

INSERT INTO telemetry (wagon_id, occurred_at, received_at, axle, celsius) VALUES
    (1, '2019-03-04 10:00:00+00', '2019-03-04 10:00:03+00', 1, 31.5),
    (1, '2019-03-04 10:00:00+00', '2019-03-04 10:00:03+00', 2, 44.0);

INSERT INTO parts (id, sku, description, list_price, weight_g, on_hand) VALUES
    (1, 'BRG-140', 'axle bearing 140', '1250', '18,400', 4),
    (2, 'PAD-020', 'brake pad', '85', '02,150', 60),
    (3, 'SPR-330', 'leaf spring', '12,400', '61,000', 2);

INSERT INTO work_orders (wagon_id, opened_at, closed_at, priority, state, notes) VALUES
    (1, '2019-03-04 09:00:00+00', '2019-03-06 09:00:00+00', 1, 'closed', 'bearing 140 replaced'),
    (3, '2019-04-11 14:00:00+00', NULL, 3, 'open', 'spring cracked (50% of leaves)');

INSERT INTO work_order_parts (work_order_id, part_id, quantity) VALUES (1, 1, 2), (2, 3, 1);

INSERT INTO maintenance_runs (job, started_at, total_time, calls) VALUES
    ('vacuum', '2019-03-05 02:00:00+00', 341, 1),
    ('archive', '2019-03-05 03:00:00+00', 88, 2);

INSERT INTO rule_texts (rule_name, consrc, adsrc) VALUES ('severity', 'severity between 1 and 5', NULL);
