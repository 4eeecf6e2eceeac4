-- Deploy circulation:roles to pg
-- requires: appschema

BEGIN;

CREATE ROLE circ_app LOGIN;
CREATE ROLE circ_kiosk LOGIN CONNECTION LIMIT 20
    UNENCRYPTED PASSWORD 'kiosk-in-the-hall';
GRANT USAGE ON SCHEMA circ TO circ_app, circ_kiosk;
COMMENT ON ROLE circ_app IS 'connects by peer; no UNENCRYPTED PASSWORD';

COMMIT;
