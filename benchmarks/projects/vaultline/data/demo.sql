-- demo rows for developers and the training system
INSERT INTO branches (id, code, name, opened_on) VALUES
    (1, 'ZH1', 'Bahnhofstrasse', '2009-03-02'),
    (2, 'BS1', 'Aeschenplatz', '2014-09-01');
INSERT INTO staff (id, branch_id, login, full_name, role) VALUES
    (1, 1, 'mhuber', 'Maja Huber', 'manager'),
    (2, 1, 'tkeller', 'Timo Keller', 'clerk'),
    (3, 2, 'afrei', 'Anna Frei', 'auditor');
INSERT INTO vaults (id, branch_id, name, floor_level) VALUES (1, 1, 'North', -2), (2, 1, 'South', -1), (3, 2, 'Main', -1);
INSERT INTO vault_zones (id, vault_id, label, area, sprinkler) VALUES
    (1, 1, 'A', '((0,0),(200,300))', '<(100,150),90>'),
    (2, 1, 'B', '((200,0),(420,300))', '<(310,150),90>'),
    (3, 2, 'A', '((0,0),(350,250))', '<(160,120),100>'),
    (4, 3, 'A', '((0,0),(500,400))', NULL);
INSERT INTO box_sizes (code, height_mm, width_mm, depth_mm) VALUES ('S', 75, 250, 400), ('M', 150, 250, 400), ('L', 300, 500, 400);
INSERT INTO boxes (id, vault_id, box_no, size_code, tier, spot, out_of_service) VALUES
    (1, 1, 'A-101', 'S', 1, '(20,40)', false),
    (2, 1, 'A-102', 'S', 2, '(20,80)', false),
    (3, 1, 'B-201', 'M', 3, '(250,120)', false),
    (4, 1, 'B-202', 'L', 4, '(390,200)', true),
    (5, 2, '1/01', 'S', 1, '(50,50)', false),
    (6, 2, '1/02', 'M', 5, '(320,230)', false),
    (7, 3, 'C 7', 'L', 2, '(410,300)', false);
INSERT INTO customers (id, member_no, full_name, email, phone, born_on, created_at, loyalty_no) VALUES
    (1, '10-001', 'Erika Muster', 'erika.muster@example.org', '+41 44 555 01 01', '1961-04-03', '2019-01-10 09:00+00', 'L1'),
    (2, '10-002', 'Jean-Luc Petit', 'jl-petit@example.org', '044 555 01 02', '1975-11-21', '2019-02-11 10:30+00', NULL),
    (3, '10-003', 'Zoë Ammann', 'zoe at example', NULL, '1988-07-30', '2020-05-05 14:15+00', 'L3'),
    (4, NULL, 'Pia Roth', NULL, '+41 61 555 02 03', NULL, '2021-08-17 08:45+00', NULL);
INSERT INTO customer_notes (customer_id, body, written_at) VALUES
    (1, E'Prefers mornings\n044 555 01 01', '2022-01-03 09:00+00'),
    (3, 'Address pending', '2022-02-04 11:00+00');
INSERT INTO tariffs (id, name, size_code, term, grace, fee) VALUES
    (1, 'Small yearly', 'S', '1 year', '14 days', 180),
    (2, 'Medium half-year', 'M', '6 months', '10 days', 140),
    (3, 'Small anniversary', 'S', '1.3 years', '14 days', 180),
    (4, 'Large two-year', 'L', '2 years', '1.5 months', 900);
INSERT INTO leases (id, box_id, customer_id, tariff_id, period, signed_at, cancelled_at) VALUES
    (1, 1, 1, 1, '[2023-07-01,2024-07-01)', '2023-06-20 10:00+00', NULL),
    (2, 2, 2, 3, '[2023-09-01,2024-12-01)', '2023-08-25 15:00+00', NULL),
    (3, 3, 3, 2, '[2024-01-15,2024-07-15)', '2024-01-10 09:30+00', NULL),
    (4, 7, 4, 4, '[2022-03-01,2024-03-01)', '2022-02-20 13:00+00', '2024-01-31 12:00+00');
INSERT INTO lease_holders (lease_id, customer_id, share) VALUES (1, 1, 0.5), (1, 2, 0.5), (2, 2, 1), (3, 3, 1), (4, 4, 1);
INSERT INTO box_keys (id, box_id, serial_no, tags, handed_out, returned_on) VALUES
    (1, 1, 'K-9001', '{steel,double}', '2023-07-01', NULL),
    (2, 2, 'K-9002', '{steel}', '2023-09-01', NULL),
    (3, 3, 'K.9003', '{brass}', NULL, NULL),
    (4, 7, 'K 9004', '{brass,double}', '2022-03-01', '2024-01-31');
INSERT INTO visits (id, lease_id, customer_id, visit_day, entered_at, left_at, escorted_by) VALUES
    (1, 1, 1, '2024-02-05', '2024-02-05 09:10:00+00', '2024-02-05 09:32:30+00', 2),
    (2, 1, 2, '2024-03-12', '2024-03-12 14:00:00+00', '2024-03-12 14:11:00+00', 1),
    (3, 2, 2, '2024-03-12', '2024-03-12 16:45:00+00', NULL, 2),
    (4, 3, 3, '2024-04-01', '2024-04-01 10:05:00+00', '2024-04-01 10:50:15+00', 1);
INSERT INTO invoices (id, lease_id, issued_on, due_on, amount, details) VALUES
    (1, 1, '2023-07-01', '2023-07-31', 180, '{"lines": [{"text": "rent", "amount": 180}], "reminders": 0}'),
    (2, 2, '2023-09-01', '2023-09-30', 180, '{"lines": [{"text": "rent", "amount": 180}], "reminders": 2}'),
    (3, 3, '2024-01-15', '2024-02-14', 165, '{"lines": [{"text": "rent", "amount": 140}, {"text": "key", "amount": 25}]}');
INSERT INTO payments (id, invoice_id, paid_at, amount, reference) VALUES
    (1, 1, '2023-07-20 08:00+00', 180, 'QR-1'), (2, 3, '2024-02-10 08:00+00', 100, 'QR-2'), (3, 3, '2024-02-20 08:00+00', 65, NULL);
INSERT INTO documents (id, customer_id, title, body) VALUES
    (1, 1, 'Contract', 'Lease contract for a small box with double lock'),
    (2, 2, 'Proxy', 'Power of attorney for the anniversary lease'),
    (3, 3, 'Identity', 'Copy of the passport, checked by branch manager');
INSERT INTO audit_log (id, at, "system_user", staff_login, action, payload) VALUES
    (101, '2024-02-05 09:09+00', 'teller', 'tkeller', 'visit.open', '{"visit": 1}'),
    (102, '2024-03-12 13:59+00', 'kiosk', NULL, 'visit.open', '{"visit": 2}'),
    (103, '2024-03-12 16:44+00', 'teller', 'tkeller', 'visit.open', '{"visit": 3}'),
    (104, '2024-04-30 02:00+00', 'batch', NULL, 'invoice.run', '{"count": 12}');
SELECT setval('branches_id_seq', 10), setval('customers_id_seq', 10), setval('leases_id_seq', 10), setval('visits_id_seq', 10);
REFRESH MATERIALIZED VIEW occupancy;
