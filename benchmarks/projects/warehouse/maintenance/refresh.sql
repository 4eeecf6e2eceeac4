\set ON_ERROR_STOP on
REFRESH MATERIALIZED VIEW dw.monthly_sales;
REFRESH MATERIALIZED VIEW dw.sale_campaign;
ANALYZE dw.monthly_sales;
