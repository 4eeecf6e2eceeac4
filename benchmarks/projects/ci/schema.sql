CREATE TABLE visits (id bigint PRIMARY KEY, at timestamptz, site text, json_value text);
CREATE TABLE pages (id bigint, url text);
CREATE TABLE old_pages () INHERITS (pages);
