--
-- Roles of the cluster. Passwords are set with sql/roles/*.sql.
--

CREATE ROLE th_dba;
CREATE ROLE th_clerk;
CREATE ROLE th_report;
CREATE ROLE th_kiosk LOGIN;
CREATE ROLE th_backup LOGIN;

GRANT th_clerk TO th_dba;
GRANT th_report TO th_dba;

ALTER ROLE th_report SET statement_timeout = '5min';
ALTER ROLE th_kiosk SET extra_float_digits = 0;
