-- A small part of the real inventory, for the restore test and for laptops

INSERT INTO customer (id, number, name, email, since, tags) VALUES
    (1, 'C-1001', 'Bakery Huber', 'office@huber.example', '2016-04-01', '{sme}'),
    (2, 'C-1002', 'Alpine Tours', 'it@alpine.example', '2018-09-12', '{sme,seasonal}'),
    (3, 'C-1003', 'City Library', 'systems@library.example', '2019-01-30', '{public}');

INSERT INTO contract (id, customer_id, product, runs, monthly, notice) VALUES
    (1, 1, 'web-s', '[2016-04-01,)', 9.90, '1 month'),
    (2, 2, 'web-l', '[2018-09-12,2024-09-12)', 49.00, '3 months'),
    (3, 3, 'managed-db', '[2019-02-01,)', 390.00, '6 months');

INSERT INTO datacenter (id, code, city) VALUES (1, 'vie1', 'Wien'), (2, 'grz1', 'Graz');
INSERT INTO rack (id, datacenter_id, label, units) VALUES (1, 1, 'A01', 42), (2, 1, 'A02', 47), (3, 2, 'B01', 42);

INSERT INTO server (id, rack_id, hostname, kind, cores, memory_mb, roles, installed_at, retired_at, facts) VALUES
    (1, 1, 'db01.vie1.example', 'metal', 32, 262144, '{db,primary}', '2019-03-01 10:00', NULL, '{"os": "debian", "release": 11}'),
    (2, 3, 'db02.grz1.example', 'metal', 32, 262144, '{db,standby}', '2019-03-04 09:30', NULL, '{"os": "debian", "release": 11}'),
    (3, 2, 'web-01.vie1.example', 'vm', 8, 16384, '{web}', '2020-06-15 14:00', NULL, '{"os": "debian", "release": 12}'),
    (4, 2, 'web-02.vie1.example', 'vm', 8, 16896, '{web,mail}', '2020-06-15 15:00', NULL, '{"os": "ubuntu"}'),
    (5, NULL, 'old web', 'vm', 2, 2048, '{web}', '2014-01-01 00:00', '2021-05-01 00:00+02', '{}');

INSERT INTO network (id, prefix, vlan, purpose) VALUES
    (1, '192.0.2.0/24', 10, 'public'), (2, '10.12.0.0/16', 20, 'databases');
INSERT INTO address (id, server_id, network_id, ip, mac) VALUES
    (1, 1, 2, '10.12.0.11', '52:54:00:aa:00:01'), (2, 2, 2, '10.12.0.12', '52:54:00:aa:00:02'),
    (3, 3, 1, '192.0.2.21', NULL), (4, 4, 1, '192.0.2.22', NULL);

INSERT INTO domain (id, customer_id, name, expires_on) VALUES
    (1, 1, 'huber.example', '2026-04-01'), (2, 2, 'alpine.example', '2025-09-12'), (3, 3, 'library.example', NULL);
INSERT INTO vhost (id, server_id, domain_id, docroot, php_version) VALUES
    (1, 3, 1, '/srv/www/huber', '8.2'), (2, 3, 2, '/srv/www/alpine', '7.4'), (3, 4, 3, '/srv/www/library', NULL);
INSERT INTO certificate (id, domain_id, issuer, not_after) VALUES
    (1, 1, 'house CA', '2025-12-01 00:00+00'), (2, 3, 'house CA', '2026-02-11 12:00+00');

INSERT INTO cron_job (id, server_id, "system_user", schedule, command) VALUES
    (1, 1, 'postgres', '15 2 * * *', '/opt/ops/backup/backup.sh'),
    (2, 3, 'root', '*/5 * * * *', '/usr/bin/certcheck'),
    (3, 3, 'huber', '0 6 * * 1', 'php /srv/www/huber/cron.php');
INSERT INTO job_run (id, cron_job_id, started_at, total_time, exit_code) VALUES
    (1, 1, '2025-03-01 01:15+00', 412.5, 0), (2, 1, '2025-03-02 01:15+00', 431.25, 0),
    (3, 2, '2025-03-02 01:20+00', 0.5, 1);

INSERT INTO incident (id, server_id, opened_at, closed_at, reported, severity, summary) VALUES
    (1, 1, '2025-01-14 07:02+00', '2025-01-14 09:40+00', '2025-01-14 08:00', 1, 'primary out of disk'),
    (2, 4, '2025-02-20 22:11+00', NULL, NULL, 3, 'mail queue grows'),
    (3, 3, '2025-03-03 05:00+00', '2025-03-03 05:20+00', '2025-03-03 06:01', 2, 'certificate of alpine.example');

INSERT INTO backup_policy (id, name, keep, compression) VALUES (1, 'daily', '21 days', 'gzip'), (2, 'monthly', '2 years', 'zstd');
INSERT INTO backup_run (id, server_id, policy_id, started_at, finished_at, bytes, ok) VALUES
    (1, 1, 1, '2025-03-01 01:15+00', '2025-03-01 01:22+00', 81234567890, true),
    (2, 1, 1, '2025-03-02 01:15+00', '2025-03-02 01:23+00', 81334567890, true),
    (3, 2, 2, '2025-03-01 03:00+00', NULL, NULL, false);

INSERT INTO sample (server_id, taken_at, load1, disk_used) VALUES
    (1, '2025-01-10 00:00+00', 2.5, 410000000000), (1, '2025-01-25 00:00+00', 3, 417000000000),
    (1, '2025-02-10 00:00+00', 2, 425000000000), (1, '2025-03-02 00:00+00', 4.25, 431000000000),
    (2, '2025-02-11 00:00+00', 0.5, 425000000000), (3, '2025-02-11 00:00+00', 1.75, 21000000000);
