\set host random(1, 1000)
SELECT id FROM leases WHERE host = 'host' || :host;
