ALTER TABLE leases
    ADD CONSTRAINT leases_no_overlap
    EXCLUDE USING gist (address WITH =, during WITH &&);
