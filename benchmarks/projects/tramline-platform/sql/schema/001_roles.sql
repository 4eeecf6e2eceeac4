CREATE ROLE tramline_owner NOLOGIN;
CREATE ROLE tramline_app LOGIN;
CREATE ROLE tramline_monitor LOGIN;
GRANT pg_monitor TO tramline_monitor;
CREATE SCHEMA platform;
GRANT USAGE ON SCHEMA platform TO tramline_app, tramline_monitor;
