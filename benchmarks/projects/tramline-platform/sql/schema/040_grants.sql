GRANT SELECT, INSERT ON platform.tap_event TO tramline_app;
GRANT SELECT ON platform.rule TO tramline_app;
GRANT SELECT ON ALL TABLES IN SCHEMA platform TO tramline_monitor;
GRANT EXECUTE ON FUNCTION
    pg_stat_statements_reset(oid, oid, bigint)
    TO tramline_monitor;
GRANT EXECUTE ON FUNCTION platform.purge_taps(interval) TO tramline_app;

ALTER TABLE platform.tap_event_2024 ALTER COLUMN validator_id SET STATISTICS 500;

CREATE RULE keep_notes AS ON DELETE TO platform.operator_note DO INSTEAD NOTHING;
ALTER ROLE tramline_app SET statement_timeout = '20s';
ALTER ROLE tramline_monitor SET lc_messages = 'C';
