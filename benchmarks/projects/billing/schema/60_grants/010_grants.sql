GRANT USAGE ON SCHEMA billing TO billing_app, billing_report;
GRANT USAGE ON SCHEMA ops TO billing_report;
GRANT SELECT, INSERT, UPDATE ON billing.customers, billing.invoices, billing.ledger TO billing_app;
GRANT SELECT ON ALL TABLES IN SCHEMA billing TO billing_report;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA billing TO billing_app;
