#!/bin/sh
# roles of the staff; tutors have to SET ROLE before they see results
set -eu

psql -d campus -v ON_ERROR_STOP=1 <<'SQL'
CREATE ROLE campus_results NOLOGIN;
GRANT SELECT ON courses_result, courses_enrolment TO campus_results;

CREATE ROLE campus_tutor LOGIN;
GRANT campus_results TO campus_tutor;
ALTER ROLE campus_tutor NOINHERIT;

CREATE ROLE campus_auditor LOGIN NOINHERIT;
GRANT campus_results TO campus_auditor;

SET password_encryption = 'scram-sha-256';
SQL
