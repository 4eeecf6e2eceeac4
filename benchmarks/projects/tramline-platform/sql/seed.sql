INSERT INTO platform.validator (validator_id, stop_code, lines, settings, "system_user") VALUES
    (1, 'STG', '{9,4,4,12}', '{"firmware": "3.2"}', NULL),
    (2, 'ABB', '{2,1}', '{"firmware": "3.4"}', 'install01'),
    (3, 'HEU', '{7,7}', '{}', NULL);
INSERT INTO platform.device_tree VALUES (1, NULL, 0), (2, 1, 1), (3, 1, 1);
INSERT INTO platform.storage_sample VALUES (1, 8192, 4, 10), (2, 16384, 7, 11);
INSERT INTO platform.rule (rule_id, pattern) VALUES (1, 'tap.*'), (2, 'pass.*');
INSERT INTO platform.tap_event VALUES
    (1, 1, '2023-02-03 08:00+00', 240), (2, 1, '2024-03-01 09:30+00', 240),
    (3, 2, '2024-03-01 10:00:12+00', 180), (4, 3, '2024-05-09 07:45+00', 310);
