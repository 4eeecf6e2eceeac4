ALTER TABLE leases DROP CONSTRAINT leases_no_overlap;
