CREATE SEQUENCE ticket_seq;
CREATE TABLE tickets (id integer PRIMARY KEY DEFAULT nextval('ticket_seq'), subject text, queue text, tags text[], opened timestamptz, closed timestamptz, increment_by integer, adsrc text);
CREATE TABLE sent_location (id integer, name text);
CREATE FUNCTION starts_with(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT position($2 in $1) = 1';
CREATE FUNCTION log10(float8) RETURNS float8 LANGUAGE sql IMMUTABLE AS 'SELECT log($1)';
