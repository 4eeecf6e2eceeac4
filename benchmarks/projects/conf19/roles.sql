CREATE ROLE app LOGIN;
ALTER ROLE app SET escape_string_warning = off;
ALTER ROLE app SET lock_timeout = '2s';
CREATE TABLE t (id integer, a text, ignore text, name text);
COMMENT ON TABLE t IS 'standard_conforming_strings = off';
