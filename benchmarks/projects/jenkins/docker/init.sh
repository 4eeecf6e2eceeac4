#!/bin/bash
set -e
psql -U postgres <<-'SQL'
	CREATE EXTENSION adminpack;
	CREATE EXTENSION pgcrypto;
	CREATE ROLE app LOGIN PASSWORD 'app';
	SELECT 'db_user_namespace' AS note;
	ALTER DATABASE postgres SET trace_recovery_messages = log;
	ALTER DATABASE postgres SET log_min_messages = log;
SQL
cat > /tmp/README.txt <<EOT
pg_is_in_backup() and promote_trigger_file are gone
EOT
