-- Sums of a month for the bureau's own accounts. Called with -v period=2021-10-01
\pset format a
\pset border 2
\echo 'Month of' :period

SELECT c.name, count(DISTINCT e.id) AS employees, sum(s.gross) AS gross, sum(s.net) AS net
  FROM payroll.pay_runs r
  JOIN payroll.clients c ON c.id = r.client_id
  JOIN payroll.payslips s ON s.pay_run_id = r.id
  JOIN payroll.employees e ON e.id = s.employee_id
 WHERE r.period = :'period'::date
 GROUP BY c.id, c.name
 ORDER BY c.id;

SELECT t.employee_id, round(sum(t.hours)::numeric, 2)::text AS hours
  FROM payroll.time_entries t
  JOIN payroll.pay_runs r ON r.id = t.pay_run_id
 WHERE r.period = :'period'::date
 GROUP BY t.employee_id
 ORDER BY t.employee_id;
