-- run once as superuser, connected to the source database
ALTER TABLE cdc.outbox REPLICA IDENTITY FULL;

CREATE PUBLICATION cdcstream_outbox FOR TABLE cdc.outbox, cdc.heartbeat
    WITH (publish = 'insert, update', publish_via_partition_root = true);

SELECT slot_name FROM pg_create_logical_replication_slot('cdcstream_main', 'pgoutput');
