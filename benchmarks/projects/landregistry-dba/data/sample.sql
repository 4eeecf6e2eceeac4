-- A few rows for the test database.
INSERT INTO registry.district (district_id, code, name, extent, opened_on) VALUES
    (1, 'NOR', 'Northbank', '((100,100),(0,0))', '1925-01-01'),
    (2, 'HAR', 'Harbour', '((200,100),(100,0))', '1925-01-01'),
    (3, 'WES', 'West Downs', '((100,200),(0,100))', '1931-07-01');

INSERT INTO registry.parcel (parcel_id, district_id, lot_no, centroid, extent, area_m2, computed_area, changed_at) VALUES
    (1, 1, 11, '(10,10)', '((12,12),(8,8))', 640.00, 1920.0::float8 / 3.1, '2019-02-01 09:00:00+00'),
    (2, 1, 12, '(30,40)', '((35,45),(25,35))', 1250.50, 3751.5::float8 / 2.9, '2019-02-01 09:05:00+00'),
    (3, 2, 7, '(150,20)', '((155,30),(145,10))', 410.25, 1230.75::float8 / 3.3, '2019-03-11 14:30:00+00'),
    (4, 2, 8, '(95,50)', '((99,55),(91,45))', 2210.00, 6630::float8 / 2.7, '2019-03-12 10:10:00+00'),
    (5, 3, 1, '(50,150)', '((70,170),(30,130))', 15800.75, 47402.25::float8 / 3.7, '2019-04-02 08:00:00+00');

INSERT INTO registry.title (title_id, title_no, parcel_id, tenure, opened_on, closed_on, changed_at) VALUES
    (1, 'NB1001', 1, 'freehold', '1988-05-03', NULL, '2019-02-01 09:00:00+00'),
    (2, 'NB1002', 2, 'freehold', '1991-11-20', NULL, '2019-02-01 09:05:00+00'),
    (3, 'HB77', 3, 'leasehold', '2004-02-17', NULL, '2019-03-11 14:30:00+00'),
    (4, 'HB78', 4, 'freehold', '2005-06-30', '2018-09-14', '2019-03-12 10:10:00+00'),
    (5, 'WD5', 5, 'commonhold', '2016-01-04', NULL, '2019-04-02 08:00:00+00');

INSERT INTO registry.title_event (title_id, happened_on, kind, detail) VALUES
    (4, '2018-09-14', 'closed', 'merged into HB77'),
    (1, '2018-11-02', 'charge', 'charge 1 registered'),
    (2, '2019-01-22', 'transfer', 'to Okafor'),
    (3, '2019-03-11', 'lease', 'lease 1 registered'),
    (5, '2019-04-02', 'plan', 'plan WD/19/3');

INSERT INTO registry.proprietor (proprietor_id, name, address, email, company_no) VALUES
    (1, 'Amara Okafor', '4 Quay St, Northbank', 'amara@okafor.example', NULL),
    (2, 'Northbank Building Society', '1 Exchange Sq', 'charges@nbbs.example', 'NB00871'),
    (3, 'Harbour Wharves Ltd', 'Pier 3, Harbour', NULL, 'HB01234'),
    (4, 'Ivo Lindqvist', '17 Down Rd', 'ivo@lindqvist.example', NULL),
    (5, 'West Downs Commonhold Association', '1 Hill Ct', 'office@wdca.example', 'WD00005');

INSERT INTO registry.title_proprietor (title_id, proprietor_id, share_numerator, share_denominator, registered_on) VALUES
    (1, 1, 1, 2, '2018-11-02'),
    (1, 4, 1, 2, '2018-11-02'),
    (2, 1, 1, 1, '2019-01-22'),
    (3, 3, 1, 1, '2004-02-17'),
    (5, 5, 1, 1, '2016-01-04');

INSERT INTO registry.lease (lease_id, title_id, lessee_id, begins_on, term, term_months, rent) VALUES
    (1, 3, 3, '2004-02-17', '99 years', 1188, 1200.00),
    (2, 3, 4, '2019-03-11', '21 years', 252, 480.00),
    (3, 2, 4, '2019-01-22', '5 years 6 mons', 66, 950.50);

INSERT INTO registry.charge (charge_id, title_id, lender_id, amount, rank, registered_on, discharged_on) VALUES
    (1, 1, 2, 245000.00, 1, '2018-11-02', NULL),
    (2, 1, 2, 30000.00, 2, '2019-02-01', NULL),
    (3, 2, 2, 310500.00, 1, '2010-04-19', '2019-01-21');

INSERT INTO registry.easement (easement_id, servient_title_id, dominant_title_id, purpose) VALUES
    (1, 1, 2, 'right of way on foot'),
    (2, 5, NULL, 'water main');

INSERT INTO registry.officer (officer_id, login, name, district_id) VALUES
    (1, 'mreyes', 'M. Reyes', 1),
    (2, 'tholt', 'T. Holt', 2);

INSERT INTO registry.lodgement (lodgement_id, dealing_no, title_id, officer_id, lodged_on, lodged_at, status, note) VALUES
    (1, 100001, 1, 1, '2018-11-01', '2018-11-01 10:15:00', 'registered', NULL),
    (2, 100002, 2, 1, '2019-01-21', '2019-01-21 15:45:30', 'registered', 'urgent'),
    (3, 100003, 3, 2, '2019-03-08', '2019-03-08 09:05:00', 'examination', NULL),
    (4, 100004, 5, NULL, '2019-04-01', '2019-04-01 11:20:10', 'received', 'plan missing');

SELECT pg_catalog.setval('registry.lodgement_dealing_no_seq', 100004, true);

INSERT INTO registry.lodgement_document (document_id, lodgement_id, document_kind, pages, digest) VALUES
    (1, 1, 'charge', 12, 'a1f0'),
    (2, 2, 'transfer', 4, 'b7c2'),
    (3, 3, 'lease', 38, NULL),
    (4, 4, 'plan', 2, NULL);

INSERT INTO registry.fee_scale (document_kind, amount, valid_from) VALUES
    ('charge', 145.40, '2018-07-01'),
    ('transfer', 222.00, '2018-07-01'),
    ('lease', 145.40, '2018-07-01'),
    ('plan', 60.00, '2018-07-01');

INSERT INTO registry.fee_payment (payment_id, lodgement_id, amount, paid_at) VALUES
    (1, 1, 145.40, '2018-11-01 10:16:00'),
    (2, 2, 222.00, '2019-01-21 15:46:00'),
    (3, 3, 100.00, '2019-03-08 09:06:00');

INSERT INTO registry.survey_plan (plan_id, parcel_id, plan_no, surveyed_on, surveyor) VALUES
    (1, 5, 'WD/19/3', '2019-02-26', 'Chen & Partners'),
    (2, 3, 'HB/03/14', '2003-12-01', 'Harbour Surveys');

INSERT INTO registry.plan_mark (plan_id, mark_no, easting, northing) VALUES
    (1, 1, 30.000, 130.000), (1, 2, 70.000, 130.000), (1, 3, 70.000, 170.000), (1, 4, 30.000, 170.000),
    (2, 1, 145.000, 10.000), (2, 2, 155.000, 30.000);

INSERT INTO registry.scan_archive (scan_id, document_id, file_name, compression) VALUES
    (1, 1, '2018/11/100001-1.tif', 'zlib'),
    (2, 2, '2019/01/100002-1.tif', 'zlib'),
    (3, 3, '2019/03/100003-1.pdf', 'none');

INSERT INTO dba.partition_policy (parent_schema, parent_table, step, keep) VALUES
    ('registry', 'title_event', '1 year', 10);

INSERT INTO dba.rule_snapshot (taken_on, table_name, conname, consrc) VALUES
    ('2019-04-01', 'registry.parcel', 'parcel_area_positive', '(area_m2 > (0)::numeric)'),
    ('2019-04-01', 'registry.charge', 'charge_amount_positive', '(amount > (0)::numeric)');

INSERT INTO dba.default_snapshot (taken_on, table_name, column_name, adsrc) VALUES
    ('2019-04-01', 'registry.charge', 'rank', '1'),
    ('2019-04-01', 'registry.lease', 'rent', '0');

INSERT INTO dba.table_snapshot (taken_on, table_name, reltuples, relpages) VALUES
    ('2019-03-25', 'registry.title', 4, 1),
    ('2019-04-01', 'registry.title', 5, 1),
    ('2019-04-01', 'registry.easement', 0, 0);

INSERT INTO dba.kind_label (relkind, label) VALUES
    ('r', 'table'), ('p', 'partitioned table'), ('v', 'view');

INSERT INTO dba.backup_log (backup_id, label, started_at, ended_at, compression, bytes) VALUES
    (1, 'nightly', '2019-04-01 01:00:00', '2019-04-01 01:42:10', 'gzip', 81234567890),
    (2, 'nightly', '2019-04-02 01:00:00', '2019-04-02 01:40:55', 'gzip', 81300112233);

INSERT INTO dba.job_run (job, ran_at, ok, message) VALUES
    ('rotate_partitions', '2019-04-01 03:00:00', true, NULL),
    ('restore_drill', '2019-04-01 05:00:00', false, 'no space left on drill host');
