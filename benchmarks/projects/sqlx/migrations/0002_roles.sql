SET standard_conforming_strings = off;
SET standard_conforming_strings = on;
SET escape_string_warning = off;
SET backslash_quote = off;
CREATE CAST (uuid AS bytea) WITH FUNCTION uuid_send(uuid);
CREATE CAST (macaddr AS bytea) WITH FUNCTION macaddr_send(macaddr);
-- CREATE ROLE agents; SET escape_string_warning = on;
