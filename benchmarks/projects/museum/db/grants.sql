-- psql -f db/grants.sql after each migration
GRANT SELECT ON ALL TABLES IN SCHEMA public TO museum_readers;
GRANT SELECT, INSERT, UPDATE, DELETE ON collection_object, collection_loan TO museum_web;

-- the old program defined rules on these
GRANT SELECT, RULE ON collection_painting TO museum_registrar;
GRANT SELECT, TRIGGER ON collection_coin TO museum_registrar;
