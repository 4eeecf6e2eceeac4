CREATE TABLE notice (
    notice_id  serial PRIMARY KEY,
    harbour_id integer NOT NULL REFERENCES harbour,
    title      text NOT NULL,
    body       text NOT NULL,
    tsv        tsvector,
    valid_from date NOT NULL DEFAULT current_date
);

CREATE FUNCTION notice_tsv() RETURNS trigger LANGUAGE 'plpgsql' AS $$
BEGIN
    NEW.tsv := to_tsvector('simple', NEW.title || ' ' || NEW.body);
    RETURN NEW;
END $$;

CREATE TRIGGER notice_tsv BEFORE INSERT OR UPDATE ON notice
    FOR EACH ROW EXECUTE PROCEDURE notice_tsv();
CREATE INDEX notice_tsv_idx ON notice USING gin (tsv);

CREATE TABLE runbook_entry (
    entry_id serial PRIMARY KEY,
    title    text NOT NULL,
    steps    text NOT NULL
);
INSERT INTO runbook_entry (title, steps) VALUES
    ('Storage snapshot', 'Call SELECT pg_start_backup(''snap''), wait for the storage team, then pg_stop_backup().'),
    ('Slow queries', 'Order pg_stat_statements by total_time.');
