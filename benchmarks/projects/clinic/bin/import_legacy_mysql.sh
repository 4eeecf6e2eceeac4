#!/bin/bash
# The practice in the Lindenstraße still has its old program (MySQL 5.6).
set -eu

mysql --batch --skip-column-names -h legacy -e "SELECT id, name, birth FROM patient WHERE age > 18AND deleted = 0 LIMIT 1000" legacy \
    > /tmp/legacy.tsv

psql -d clinic -v ON_ERROR_STOP=1 <<'SQL'
CREATE TEMPORARY TABLE legacy (id bigint, name text, birth date);
\copy legacy FROM '/tmp/legacy.tsv'
INSERT INTO patients (practice_id, family_name, given_name, birth_date)
SELECT 1, split_part(name, ',', 1), split_part(name, ',', 2), birth
  FROM legacy;
SQL
