-- After schema.sql: foreign tables that are this server's own; {socket} is its directory.
CREATE EXTENSION postgres_fdw;
CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '{socket}', port '{port}', dbname '{dbname}');
CREATE USER MAPPING FOR CURRENT_USER SERVER far OPTIONS (user '{user}');
CREATE FOREIGN TABLE far_item (id int, kind int, name text, price numeric) SERVER far OPTIONS (table_name 'item');
CREATE FOREIGN TABLE far_item_too (id int, kind int, name text, price numeric) SERVER far OPTIONS (table_name 'item');
CREATE FOREIGN TABLE far_sale (id int, item int, day date, amount int) SERVER far OPTIONS (table_name 'sale');
