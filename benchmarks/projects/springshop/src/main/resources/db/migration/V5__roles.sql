DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'shop_report') THEN
        CREATE ROLE shop_report NOLOGIN;
    END IF;
END $$;

ALTER ROLE shop_report SET statement_timeout = '5min';
ALTER ROLE shop_report SET default_transaction_read_only = on;

GRANT USAGE ON SCHEMA public TO shop_report;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO shop_report;
