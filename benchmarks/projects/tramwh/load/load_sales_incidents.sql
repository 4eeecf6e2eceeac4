\set ON_ERROR_STOP on
\copy raw.ticket_sale FROM 'ticket_sales.csv' WITH (FORMAT csv, HEADER, NULL '')
INSERT INTO ops.load_log (batch_id, source, ended_at, row_count)
SELECT :'batch', 'ticket machines', now(), count(*)
  FROM raw.ticket_sale
 WHERE sold_on = :'day'
   AND product !~ '^TEST';
\copy raw.incident FROM 'incidents.tsv'
-- Reports of drivers often contain the old vehicle numbers, with a letter.
UPDATE raw.incident
   SET vehicle_no = substring(report FROM 'vehicle [A-Z]?([0-9]{3,4})')::integer
 WHERE vehicle_no IS NULL
   AND report ~ 'vehicle [A-Z]?[0-9]{3,4}';
