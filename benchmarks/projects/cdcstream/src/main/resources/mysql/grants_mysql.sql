-- MySQL source: what the connector may see
SELECT SYSTEM_USER(), @@global.server_id;
SHOW MASTER STATUS;
