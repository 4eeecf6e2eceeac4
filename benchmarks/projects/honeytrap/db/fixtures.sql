-- A small company for development.
INSERT INTO customers (id, name, vat_number, email) VALUES
    (1, 'Bakkerij De Korenaar', 'NL0012', 'info@korenaar.example'), (2, 'Hotel Waterpoort', 'NL0034', 'desk@waterpoort.example'),
    (3, 'Silo Noord BV', 'NL0056', NULL);
INSERT INTO sites (id, customer_id, name, street, town, food_sector, network) VALUES
    (1, 1, 'Bakery', 'Molenstraat 4', 'Sneek', true, '10.41.1.0/24'), (2, 2, 'Hotel', 'Kade 17', 'Sneek', true, '10.41.2.0/24'),
    (3, 3, 'Silo A', 'Havenweg 80', 'Harlingen', false, '10.41.3.0/24');
INSERT INTO technicians (id, name, licence, region, muted) VALUES
    (1, 'Femke', 'KPMB-113', 'north', false), (2, 'Jelle', 'KPMB-120', 'north', true), (3, 'Nadia', NULL, 'coast', false);
INSERT INTO shifts (technician_id, during) VALUES
    (1, '[2024-03-04 07:00+01,2024-03-04 15:30+01)'), (2, '[2024-03-04 12:00+01,2024-03-04 20:00+01)');
INSERT INTO gateways (id, site_id, mac, ip_address, in_service) VALUES
    (1, 1, '08:00:2b:01:02:03', '10.41.1.2', '[2023-05-01,)'), (2, 2, '08:00:2b:01:02:04', '10.41.2.2', '[2023-06-15,)'),
    (3, 3, '08:00:2b:01:02:05', '10.41.3.2', '[2023-02-01,2023-11-01)'), (4, 3, '08:00:2b:01:02:06', '10.41.3.2', '[2023-11-01,)');
INSERT INTO gateway_status (gateway_id, reported_at, wal_write, wal_sync, battery) VALUES
    (1, '2024-03-04 06:00+01', 1200, 300, 3.61), (2, '2024-03-04 06:00+01', 80, 20, 3.20), (4, '2024-03-04 06:00+01', 4410, 1100, 3.55);
INSERT INTO species (id, latin, name, family) VALUES
    (1, 'Mus musculus', 'huismuis', 'rodent'), (2, 'Rattus norvegicus', 'bruine rat', 'rodent'), (3, 'Blattella germanica', 'kakkerlak', 'insect');
INSERT INTO thresholds (species_id, caught, level) VALUES (1, 1, 1), (1, 5, 2), (1, 12, 3), (2, 1, 2), (2, 3, 3), (3, 10, 1), (3, 50, 3);
INSERT INTO traps (id, site_id, gateway_id, label, kind, place, length_mm, width_mm, placed_on) VALUES
    (1, 1, 1, 'M-01', 'snap', 'flour store', 120, 60, '2023-05-02'), (2, 1, 1, 'M-02', 'snap', 'oven room', 120, 60, '2023-05-02'),
    (3, 2, 2, 'K-01', 'glue', 'kitchen', 200, 95, '2023-06-16'), (4, 3, 4, 'R-01', 'box', 'quay', 410, 230, '2023-11-02');
INSERT INTO catches (trap_id, species_id, caught_at, number) VALUES
    (1, 1, '2024-02-01 04:10+01', 1), (1, 1, '2024-02-09 03:44+01', 2), (2, 1, '2024-02-09 22:05+01', 3),
    (3, 3, '2024-02-11 09:00+01', 18), (4, 2, '2024-02-20 01:30+01', 4), (4, 2, '2024-02-21 01:30+01', 1);
INSERT INTO trap_readings (trap_id, taken_at, closed, voltage) VALUES
    (1, '2023-12-31 12:00+01', false, 3.1), (1, '2024-02-01 04:10+01', true, 3.1), (2, '2024-02-09 22:05+01', true, 3.0), (4, '2024-02-20 01:30+01', true, 2.9);
INSERT INTO device_events (gateway_id, happened_at, kind, payload) VALUES
    (1, '2024-02-01 04:10+01', 'closed', '{"trap": "M-01", "rssi": -71}'), (1, '2024-02-09 22:05+01', 'closed', '{"trap": "M-02", "rssi": -80}'),
    (2, '2024-02-11 08:00+01', 'battery', '{"volt": 3.2}'), (4, '2024-02-20 01:30+01', 'closed', '{"trap": "R-01", "rssi": -64}');
INSERT INTO baits (code, label, substance, price) VALUES
    ('PB-10', 'Pâte bleue 10 g', 'difenacoum', 0.35), ('KG-50', '½ kg graan', 'brodifacoum', 7.90), ('GEL-2', 'Gel 2 ml', 'indoxacarb', 4.10);
INSERT INTO visits (id, site_id, technician_id, planned_for, state, minutes, report) VALUES
    (1, 1, 1, '2024-02-12 09:00+01', 'done', 45, 'Two traps reset'), (2, 2, 1, '2024-02-12 11:00+01', 'done', 70, 'Gel in the kitchen'),
    (3, 3, 2, '2024-02-22 13:00+01', 'done', 50, NULL), (4, 1, 1, '2024-03-11 09:00+01', 'planned', NULL, NULL);
INSERT INTO bait_placements (visit_id, trap_id, bait, grams) VALUES (1, 1, 'PB-10', 20), (2, 3, 'GEL-2', 4), (3, 4, 'KG-50', 150), (3, 4, 'PB-10', 30);
INSERT INTO contracts (id, customer_id, starts_on, visits_year, fee) VALUES (1, 1, '2023-05-01', 12, 1440), (2, 2, '2023-06-15', 8, 1200), (3, 3, '2023-02-01', 6, 2100);
INSERT INTO invoices (id, contract_id, number, issued_on, net, paid_on) VALUES
    (1, 1, '2024-0001', '2024-01-05', 360, '2024-01-20'), (2, 2, '2024-0002', '2024-01-05', 300, NULL), (3, 3, '2024-0003', '2024-02-01', 525, NULL);
INSERT INTO messenger_messages (body, headers, queue_name, created_at, available_at) VALUES ('{"visit": 4}', '{}', 'default', '2024-03-01 08:00', '2024-03-01 08:00');
