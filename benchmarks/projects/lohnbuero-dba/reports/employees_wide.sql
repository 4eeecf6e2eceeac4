-- For the big screen
\pset format w
\pset columns 160
SELECT e.id, e.last_name, e.first_name, c.name AS client, e.hired_on
  FROM payroll.employees e
  JOIN payroll.clients c ON c.id = e.client_id
 WHERE e.left_on IS NULL
 ORDER BY e.id
 LIMIT 500;
