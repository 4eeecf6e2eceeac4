CREATE ROLE admin CREATEROLE LOGIN;
CREATE ROLE app LOGIN PASSWORD 'secret';
CREATE ROLE legacy LOGIN PASSWORD 'md50123456789abcdef0123456789abcdef';
CREATE ROLE reader;
CREATE SCHEMA secure;
GRANT CREATE ON SCHEMA public TO admin;
SET ROLE app;
CREATE TABLE public.scratch (id int);
RESET ROLE;
CREATE TABLE secure.accounts (id int, owner name DEFAULT current_user, CONSTRAINT acc CHECK (id > 0));
CREATE TABLE secure.archive () INHERITS (secure.accounts);
ALTER TABLE secure.accounts OWNER TO admin;
GRANT SELECT, RULE ON secure.accounts TO reader;
GRANT SELECT, TRIGGER ON secure.accounts TO reader;
CREATE FUNCTION secure.audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE NOTICE 'SET SESSION AUTHORIZATION by %', session_user;
    RETURN NULL;
END $$;
CREATE TRIGGER audit AFTER INSERT ON secure.accounts FOR EACH ROW EXECUTE FUNCTION secure.audit();
CREATE UNIQUE INDEX accounts_id ON secure.accounts (id);
CREATE TABLE secure.totals (a int, b int GENERATED ALWAYS AS (a * 2) STORED);
CREATE UNLOGGED TABLE secure.parts (id int) PARTITION BY LIST (id);
CREATE TABLE secure.parts2 (id int) PARTITION BY LIST (id);
CREATE UNLOGGED TABLE secure.p1 PARTITION OF secure.parts2 FOR VALUES IN (1);
CREATE RULE no_del AS ON DELETE TO secure.accounts DO INSTEAD NOTHING;
