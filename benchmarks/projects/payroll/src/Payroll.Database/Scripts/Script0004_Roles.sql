SET password_encryption = on;
CREATE ROLE payroll_reader NOLOGIN;
GRANT SELECT ON employees, pay_slips TO payroll_reader;
