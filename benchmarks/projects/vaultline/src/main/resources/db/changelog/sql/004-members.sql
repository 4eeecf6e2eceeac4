--liquibase formatted sql

--changeset nadia:004-member-numbers
ALTER TABLE customers ADD COLUMN IF NOT EXISTS member_no text UNIQUE;
ALTER TABLE customers ADD COLUMN IF NOT EXISTS loyalty_no text UNIQUE;
ALTER TABLE customers ADD COLUMN IF NOT EXISTS phone text;
ALTER TABLE customers ADD COLUMN IF NOT EXISTS kyc_checked_on date CHECK (kyc_checked_on >= date '2010-01-01');

--changeset nadia:004-vaults
ALTER TABLE vaults ADD COLUMN IF NOT EXISTS floor_level smallint;
ALTER TABLE vaults ADD CONSTRAINT vaults_level_check CHECK (floor_level BETWEEN -5 AND 5);

--changeset oliver:004-occupancy
CREATE MATERIALIZED VIEW occupancy AS
SELECT v.branch_id, b.size_code, count(*) AS boxes, count(c.id) AS leased
  FROM boxes b
  JOIN vaults v ON v.id = b.vault_id
  LEFT JOIN current_leases c ON c.box_id = b.id
 GROUP BY v.branch_id, b.size_code;
CREATE UNIQUE INDEX occupancy_key ON occupancy (branch_id, size_code);

--changeset oliver:004-roles runAlways:false
-- the reporting tool only reads; adminpack isn't needed any more: DROP EXTENSION adminpack was run by hand
GRANT SELECT ON current_leases, free_boxes, occupancy TO PUBLIC;
