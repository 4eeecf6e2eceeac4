-- How far are the integer keys? Once a month, see the calendar.
\ir _version.sql
\set warn_at 0.7

SELECT c.name,
       c.last_value,
       c.max_value,
       c.is_cycled
  FROM ops.counters c
 WHERE c.last_value > :warn_at * c.max_value OR c.name = 'edi_out';

-- the call number is printed on the pilot's form, which has six digits
SELECT s.last_value AS last_call,
       least(s.max_value, 999999) - s.last_value AS left_over
  FROM harbor.port_calls_id_seq s;

SELECT last_value AS last_vessel, is_called
  FROM harbor.vessels_id_seq;

\if :is_pg10
SELECT last_value AS last_invoice, max_value, increment_by
  FROM pg_sequences
 WHERE schemaname = 'harbor' AND sequencename = 'invoices_id_seq';
\else
SELECT last_value AS last_invoice, max_value, increment_by
  FROM harbor.invoices_id_seq;
\endif

-- invoices of this year against the printed range
SELECT max(i.id) AS max_value, setval('harbor.invoices_id_seq', max(i.id)) AS restored
  FROM harbor.invoices i;
