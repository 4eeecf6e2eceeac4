-- Login roles; the real secrets are rotated by vault after deployment.
CREATE ROLE billing_owner NOLOGIN;
CREATE ROLE billing_app LOGIN CONNECTION LIMIT 60;
CREATE ROLE billing_report LOGIN
    PASSWORD 'md5a3c1e3cb4d2d5a6f4f2a7c8b9e0d1f23'
    VALID UNTIL 'infinity';
ALTER ROLE billing_report SET statement_timeout = '5min';
ALTER ROLE billing_report SET default_transaction_read_only = on;
