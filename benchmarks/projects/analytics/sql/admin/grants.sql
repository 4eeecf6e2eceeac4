-- psql -v reader=analyst -f sql/admin/grants.sql
\set ON_ERROR_STOP on
\if :{?reader}
\else
    \set reader analyst
\endif

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'analyst') THEN
        CREATE ROLE analyst NOLOGIN;
    END IF;
END
$$;

GRANT USAGE ON SCHEMA warehouse, quality, util TO analyst;
GRANT SELECT ON warehouse.dim_product, warehouse.dim_campaign, warehouse.dim_store TO analyst;
GRANT SELECT, TRIGGER, RULE ON warehouse.budget TO analyst;
GRANT SELECT, INSERT ON quality.rule, quality.finding TO analyst;
