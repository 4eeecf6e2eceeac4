INSERT INTO premium_schedule (product, min_premium, increment_by) VALUES
    ('MOTOR', 120.00, 2.50),
    ('HOME', 80.00, 1.00);

INSERT INTO customer (id, name, email, adsrc) VALUES
    (1, 'Edda Brix', 'edda@example.org', 'RADIO'),
    (2, 'Tomas Vale', NULL, NULL);

INSERT INTO policy (id, customer_id, number, product, coverages, premium, starts_on) VALUES
    (1, 1, 'M-1001', 'MOTOR', '{LIABILITY,GLASS}', 340.00, '2015-01-01'),
    (2, 2, 'H-2001', 'HOME', '{}', 95.50, '2016-04-01');

INSERT INTO claim (id, policy_id, number, status, adjuster, opened_at, happened_at, description) VALUES
    (1, 1, 'HM-399998', 'OPEN', 'kora', '2016-05-02 09:00+00', '2016-05-01 18:30', 'Windscreen'),
    (2, 2, 'HM-399999', 'PAID', 'jens', '2016-06-10 10:15+00', '2016-06-09 02:00', 'Water in the cellar');

INSERT INTO estimate (id, claim_id, garage, doc) VALUES
    (1, 1, 'Glas Olsen', '<estimate><total>412.50</total><currency>EUR</currency></estimate>'),
    (2, 2, 'Survey North', '<estimate><total>2810.00</total><currency>EUR</currency></estimate>');

INSERT INTO payment (id, claim_id, amount, payee, booked_at) VALUES
    (1, 2, 2500.00, 'Tomas Vale', '2016-07-01 12:00+00');

INSERT INTO reserve (id, claim_id, amount, reason, set_on) VALUES
    (1, 1, 500.00, 'first guess', '2016-05-02');

SELECT setval('customer_id_seq', 100);
SELECT setval('policy_id_seq', 100);
SELECT setval('claim_id_seq', 100);
SELECT setval('estimate_id_seq', 100);
SELECT setval('payment_id_seq', 100);
SELECT setval('reserve_id_seq', 100);
