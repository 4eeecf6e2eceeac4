-- Run once per cluster by the DBA.
CREATE ROLE energy_app NOLOGIN;
CREATE ROLE energy_reports NOLOGIN;

GRANT USAGE ON SCHEMA metering TO energy_app, energy_reports;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA metering TO energy_app;
GRANT SELECT ON metering.meters, metering.sites, metering.meter_readings TO energy_reports;
GRANT SELECT (id, rule, severity) ON metering.alert_rules TO energy_reports;
GRANT SELECT, RULE ON metering.tariff_periods TO energy_reports;

ALTER ROLE energy_app SET energy.tenant = 'default';
