DROP TABLE labour_entry;
DROP FUNCTION add_labour_minutes();
DROP FUNCTION IF EXISTS labour_total(bigint);
DROP FUNCTION IF EXISTS labour_total(bigint, numeric);
