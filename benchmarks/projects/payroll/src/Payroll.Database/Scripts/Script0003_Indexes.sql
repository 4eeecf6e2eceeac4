CREATE INDEX ix_employees_department ON employees (department_id) WITH (fillfactor = 90);
CREATE INDEX ix_clockings_in ON clockings (clocked_in timestamptz_ops);
CREATE INDEX ix_clockings_out ON clockings (clocked_out timestamp_ops);
CREATE INDEX ix_pay_slips_period ON pay_slips (period_start, employee_id);
