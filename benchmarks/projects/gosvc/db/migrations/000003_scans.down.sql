DROP TABLE scan_results;
DROP TABLE scan_inbox;
