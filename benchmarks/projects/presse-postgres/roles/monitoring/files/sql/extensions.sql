-- Extensions of every database that we look after.
CREATE EXTENSION IF NOT EXISTS pg_stat_statements;
CREATE EXTENSION IF NOT EXISTS pgstattuple;
CREATE EXTENSION IF NOT EXISTS pg_buffercache;
-- pgAdmin's window "server status" reads the log with it
CREATE EXTENSION IF NOT EXISTS adminpack;
