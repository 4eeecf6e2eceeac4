-- rows for the training instance
SET search_path = registry, public;
SET TimeZone = 'UTC';

INSERT INTO districts (district_id, name, outline, inhabitants) VALUES
    (1, 'Altstadt', '((0,0),(0,10),(10,10),(10,0))', 4210),
    (2, 'Hafen', '((10,0),(10,10),(20,10),(20,0))', 2875),
    (3, 'Oberdorf', NULL, 1190);

INSERT INTO streets (street_id, name, district_id) VALUES
    (1, 'Marktplatz', 1), (2, 'Kirchgasse', 1), (3, 'Am Kai', 2), (4, 'Lindenweg', 3);

INSERT INTO addresses (street_id, house_number, location, precinct) VALUES
    (1, '1', '(2,3)', '(5,5),(0,0)'),
    (1, '3a', '(4,4)', NULL),
    (2, '12', '(7,8)', '(9,9),(6,6)'),
    (3, '5', '(12,3)', NULL),
    (4, '77', NULL, NULL);

INSERT INTO residents (surname, given_names, birth_date, birth_place, sex, deceased_on, remarks, changed_at) VALUES
    ('Meyer', 'Anna Luise', '1958-07-01', 'Altstadt', 'f', NULL, 'legacy card 101', '2020-11-02 09:00:00+00'),
    ('Meier', 'Karl', '1971-03-19', 'Hafen', 'm', NULL, NULL, '2020-11-02 09:05:00+00'),
    ('Mertens', 'Ida', '1988-12-30', NULL, 'f', NULL, NULL, '2020-12-01 10:00:00+00'),
    ('Okonkwo', 'Chidi', '1990-05-05', 'Enugu', 'm', NULL, NULL, '2020-12-01 10:30:00+00'),
    ('van Dyk', 'Pieter', '1939-01-17', 'Hafen', 'm', '2021-01-20', NULL, '2021-01-21 08:00:00+00'),
    ('Łukasik', 'Ewa', '2003-08-24', NULL, 'f', NULL, 'interpreter needed', '2021-02-01 11:00:00+00');

INSERT INTO households (household_id, address_id, opened_on, closed_on) VALUES
    (1, 1, '1999-04-01', NULL), (2, 2, '2010-10-10', NULL), (3, 4, '1985-02-01', '2021-01-31'), (4, 5, '2020-06-15', NULL);

INSERT INTO household_members (household_id, resident_id, kind, since, until) VALUES
    (1, 1, 'main', '1999-04-01', NULL),
    (1, 2, 'main', '2001-09-01', NULL),
    (2, 3, 'main', '2010-10-10', NULL),
    (2, 4, 'secondary', '2018-01-01', NULL),
    (3, 5, 'main', '1985-02-01', '2021-01-20'),
    (4, 6, 'main', '2020-06-15', NULL);

INSERT INTO document_types (code, label, valid_for, fee) VALUES
    ('id', 'identity card', '10 years', 37.00),
    ('pass', 'passport', '10 years', 60.00),
    ('reg', 'certificate of residence', NULL, 12.50);

INSERT INTO documents (resident_id, type_code, serial_number, issued_text, revoked) VALUES
    (1, 'id', 'L01X00T41', '20150630', false),
    (1, 'pass', 'C4J7PQ2RM', '20190228', false),
    (2, 'id', 'L01X00T42', '20110815', true),
    (3, 'id', 'L01X00T77', '20200229', false),
    (6, 'reg', 'R-2021-0007', '20210131', false);

INSERT INTO legacy_births (card_no, surname, birth_text, certified_text, volume) VALUES
    (101, 'Meyer', '31.06.1958', '1958-07-02', 'IV'),
    (102, 'Hansen', '05.11.1961', '1961-11-06', 'IV'),
    (103, 'Brandt', '29.02.1964', 'unknown', 'V'),
    (104, 'Petersen', '17.08.1949', '1949-08-32', 'II');

INSERT INTO marriages (case_no, first_resident, second_resident, married_on, oid_scan) VALUES
    ('EH-2001-00017', 1, 2, '2001-08-25', 16711),
    ('EH-2018-00103', 3, 4, '2018-05-12', NULL);

INSERT INTO deaths (case_no, resident_id, died_on, age_at_death) VALUES
    ('ST-2021-00009', 5, '2021-01-20', 82);

INSERT INTO moves (move_id, resident_id, from_address, to_address, moved_on) VALUES
    (1, 2, 3, 1, '2001-09-01'), (2, 4, NULL, 2, '2018-01-01'), (3, 6, NULL, 5, '2020-06-15');

INSERT INTO fees (fee_id, resident_id, document_id, amount, paid_at) VALUES
    (1, 1, 1000, 37.00, '2015-06-30 10:12:00+00'),
    (2, 1, 1001, 60.00, '2019-02-28 09:40:00+00'),
    (3, 3, 1003, 37.00, NULL);

INSERT INTO number_ranges (range_id, type_code, sequence_name, start_value, max_value, increment_by) VALUES
    (1, 'id', 'residents_resident_id_seq', 1, 5000, 1),
    (2, 'pass', 'documents_document_id_seq', 1000, 2999, 1);

INSERT INTO staff (login, full_name, counter_no, active) VALUES
    ('hlorenz', 'Hanna Lorenz', 1, true), ('tbecker', 'Tom Becker', 2, true), ('old_admin', 'R. Vogt', NULL, false);

INSERT INTO appointments (appointment_id, counter_no, slot, resident_id) VALUES
    (1, 1, '[2021-02-16 09:00,2021-02-16 09:15)', 1),
    (2, 2, '[2021-02-16 09:00,2021-02-16 09:30)', NULL);

INSERT INTO audit_log (logged_at, login, relation, action, key_text) VALUES
    ('2021-01-04 08:30:00', 'hlorenz', 'residents', 'update', '3'),
    ('2021-02-01 11:00:00', 'tbecker', 'residents', 'update', '6');

INSERT INTO dba.partition_config (parent, part_column) VALUES ('audit_log', 'logged_at');

INSERT INTO dba.job_log (job, started_at, finished_at, ok) VALUES
    ('vacuum', '2021-02-14 02:00:00', '2021-02-14 02:07:31', true),
    ('backup', '2021-02-14 03:00:00', NULL, NULL);

INSERT INTO dba.constraint_snapshot (release, conname, consrc) VALUES
    ('2021.1', 'marriages_two_persons', '(first_resident <> second_resident)'),
    ('2021.1', 'appointments_slot_check', '(NOT lower_inf(slot))');

INSERT INTO dba.table_sizes (taken_on, relname, pages, reltuples) VALUES
    ('2021-02-07', 'residents', 1, 6), ('2021-02-07', 'documents', 1, 0);
