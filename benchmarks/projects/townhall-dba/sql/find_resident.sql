-- usage: psql -d townhall -v letters=mey -f find_resident.sql
-- Used by the hotline when the registry application is down.
SET search_path = registry, public;
\set letters mey

\echo residents whose surname starts with :letters
SELECT r.resident_id, r.surname, r.given_names, r.birth_date
  FROM residents r
 WHERE starts_with(r.surname, :'letters')
 ORDER BY r.resident_id;

\echo the same among the cards
SELECT b.card_no, b.surname, b.volume
  FROM legacy_births b
 WHERE registry.starts_with(b.surname, :'letters')
 ORDER BY b.card_no;

\echo with accents removed
SELECT r.resident_id, r.surname
  FROM residents r
 WHERE unaccented(r.surname) LIKE :'letters' || '%'
 ORDER BY r.resident_id;

\echo by letter
SELECT m.surname, m.given_names, 'starts_with(m)'::text AS found_by
  FROM residents_m m
 ORDER BY m.resident_id;

\echo documents of the resident
SELECT d.serial_number,
       to_date(d.issued_text, 'YYYYMMDD') AS issued_on,
       extract(year FROM age(date '2021-02-15', r.birth_date))::integer AS age
  FROM documents d
  JOIN residents r USING (resident_id)
 WHERE r.surname = 'Meyer'
   AND NOT d.revoked
 ORDER BY d.document_id;
