CREATE TYPE depot.size AS ENUM ('small', 'large');
CREATE TABLE depot.parts (id integer) WITH OIDS;
CREATE TABLE depot.spare_parts (id integer) WITH (OIDS = false);
