-- usage: psql -d townhall -v login=abrandt -f add_staff.sql
\set login abrandt
\set full_name 'Amelie Brandt'

INSERT INTO registry.staff (login, full_name, counter_no)
VALUES (:'login', :'full_name', 3);

UPDATE registry.staff
   SET (counter_no, active) = (3, true)
 WHERE login = :'login';

SELECT login, full_name FROM registry.staff WHERE active ORDER BY login;
