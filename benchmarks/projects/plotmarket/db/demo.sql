-- Demo data for development. Load into an empty database: rake plotmarket:demo
INSERT INTO members (id, email, name, phone, joined_on, settings) VALUES
(1, 'anna@gardens.test', 'Anna Berg', '030 1111', '2015-03-01', '{"locale": "de", "newsletter": true}'),
(2, 'bashir@gardens.test', 'Bashir Noor', NULL, '2018-06-15', '{"locale": "en", "newsletter": false}'),
(3, 'carla@gardens.test', 'Carla Ruiz', '030 3333', '2020-01-20', '{"locale": "en"}'),
(4, 'dmitri@gardens.test', 'Dmitri Orlov', '030 4444', '2022-09-05', '{}');

INSERT INTO sites (id, name, street, bounds, outline, gate) VALUES
(1, 'Riverside', 'Uferweg 3', '(40,30),(0,0)', '((0,0),(40,0),(40,30),(0,30))', '(20,0)'),
(2, 'Old Orchard', 'Am Hang 12', '(90,40),(50,5)', '((50,5),(90,5),(90,40),(50,40))', '(50,20)');

INSERT INTO plots (id, site_id, number, position, area_m2, surveyed_m2, sheds, soil) VALUES
(1, 1, 'R-01', '(5,5)', 120.00, 118.50, 1, 'loam'),
(2, 1, 'R-02', '(15,5)', 150.00, 150.00, 0, 'loam'),
(3, 1, 'R-03', '(25,20)', 200.00, 206.25, 1, 'sand'),
(4, 2, 'O-01', '(55,10)', 90.00, NULL, 0, 'clay'),
(5, 2, 'O-02', '(70,30)', 310.00, 300.10, 2, 'clay');

INSERT INTO leases (id, plot_id, member_id, state, starts_on, ends_on, term, notice_period, rent_per_m2) VALUES
(1, 1, 1, 'active', '2015-04-01', NULL, '12 months', '3 mons', 0.85),
(2, 2, 2, 'active', '2019-04-01', NULL, '1 year', '3 mons', 0.85),
(3, 3, 3, 'notice_given', '2020-04-01', '2024-10-31', '2 years', '6 mons', 0.90),
(4, 4, 4, 'ended', '2022-10-01', '2023-09-30', '1.5 years', '1 mon 15 days', 0.70);

INSERT INTO waiting_list_entries (id, site_id, member_id, asked_on, estimate, note) VALUES
(1, 1, 4, '2023-10-02', '1.4 years', 'prefers a plot near the gate'),
(2, 2, 2, '2024-01-15', '2 years', NULL),
(3, 2, 3, '2024-02-20', '0.3 years', 'second plot; half of the fee is paid');

INSERT INTO produce_kinds (id, name, unit, months) VALUES
(1, 'Tomato', 'kg', '{7,8,9}'),
(2, 'Bean', 'kg', '{6,7,8}'),
(3, 'Apple', 'kg', '{9,10}'),
(4, 'Chard', 'bunch', '{5,6,7,8,9,10}');

INSERT INTO listings (id, member_id, produce_kind_id, title, description, state, price, quantity_left, details, labels, photos, created_at, updated_at) VALUES
(1, 1, 1, 'Red tomatoes', 'Picked in the morning, from a raised bed', 'offered', 3.20, 14.00, '{"variety": "Matina", "box": {"kg": 2}}', '{organic,raised_bed}', '{a1.jpg,a2.jpg,a3.jpg,a4.jpg,a5.jpg}', '2024-07-01 08:00', '2024-07-01 08:00'),
(2, 2, 2, 'Runner beans', 'Raised on poles; the bed was never sprayed', 'offered', 2.50, 6.50, '{"variety": "Lady Di"}', '{organic}', '{b1.jpg,b2.jpg,b3.jpg,b4.jpg}', '2024-07-03 10:30', '2024-07-03 10:30'),
(3, 3, 3, 'Windfall apples', 'For cider or jelly', 'reserved', 0.80, 40.00, '{"variety": "Boskoop", "box": {"kg": 10}}', '{windfall}', '{c1.jpg,c2.jpg,c3.jpg,c4.jpg}', '2023-09-20 17:45', '2023-09-21 09:00'),
(4, 1, 4, 'Rainbow chard', 'Cut to order', 'draft', 1.50, 20.00, '{}', '{organic,leaf}', '{d1.jpg,d2.jpg,d3.jpg,d4.jpg,d5.jpg,d6.jpg}', '2024-06-11 07:15', '2024-06-11 07:15');

INSERT INTO market_days (id, site_id, held_on, opens_at, open_for, visitors) VALUES
(1, 1, '2023-09-23', '09:00', '04:00', 210),
(2, 1, '2024-07-06', '09:00', '04:00', 180),
(3, 2, '2024-07-13', '10:30', '03:30', 95);

INSERT INTO sales (id, listing_id, market_day_id, quantity, total, sold_at) VALUES
(1, 3, 1, 5.00, 4.00, '2023-09-23 09:40'),
(2, 3, 1, 10.00, 8.00, '2023-09-23 11:05'),
(3, 1, 2, 2.00, 6.40, '2024-07-06 09:12:30'),
(4, 2, 2, 1.50, 3.75, '2024-07-06 10:02'),
(5, 1, 3, 4.00, 12.80, '2024-07-13 12:20:15.5');

INSERT INTO seed_packets (id, produce_kind_id, lot_code, shelf_code, packed_on, grams) VALUES
(1, 1, 'Y2023M05D14', '20230520', '2023-05-14', 2.5),
(2, 2, 'Y2024M01D30', '20240202', '2024-01-30', 40.0),
(3, 4, 'Y2022M11D02', '20221110', NULL, 5.0);

INSERT INTO tools (id, site_id, name, inventory_number, total_time) VALUES
(1, 1, 'Rotavator', 1001, '12:30'),
(2, 1, 'Wheelbarrow', 1002, '40:00'),
(3, 2, 'Hedge trimmer', 2001, '05:15');

INSERT INTO tool_loans (id, tool_id, member_id, lent_at, returned_at) VALUES
(1, 1, 2, '2024-03-02 09:00', '2024-03-02 13:30'),
(2, 2, 3, '2024-04-11 15:00', '2024-04-13 08:20'),
(3, 3, 4, '2024-05-05 10:00', NULL);

SELECT setval('members_id_seq', 4), setval('sites_id_seq', 2), setval('plots_id_seq', 5), setval('leases_id_seq', 4),
       setval('waiting_list_entries_id_seq', 3), setval('produce_kinds_id_seq', 4), setval('listings_id_seq', 4),
       setval('market_days_id_seq', 3), setval('sales_id_seq', 5), setval('seed_packets_id_seq', 3),
       setval('tools_id_seq', 3), setval('tool_loans_id_seq', 3);
