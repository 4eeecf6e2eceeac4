CREATE EXTENSION pg_stat_statements;
CREATE EXTENSION pgrowlocks;
CREATE TABLE users (id bigserial PRIMARY KEY, email text, bio text, terms text[], backend xid, bill numeric, born date, joined timestamp, vec tsvector, buffers_backend bigint, blk_read_time float8);
CREATE FUNCTION random(integer, integer) RETURNS integer LANGUAGE sql AS 'SELECT $1 + floor(random() * ($2 - $1 + 1))::integer';
CREATE FUNCTION to_oct(integer) RETURNS text LANGUAGE sql AS 'SELECT ''octal''::text';
CREATE SEQUENCE users_extra_seq;
CREATE TABLE jobs (id bigint, at timestamp, PRIMARY KEY (id));
