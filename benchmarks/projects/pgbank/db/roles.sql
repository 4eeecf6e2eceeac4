-- Logins are made by the directory sync; these are the groups.
CREATE ROLE bank_teller NOLOGIN;
CREATE ROLE bank_batch NOLOGIN;
CREATE ROLE bank_audit NOLOGIN;
