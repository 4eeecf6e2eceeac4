CREATE TABLE bk.note (
    written timestamptz NOT NULL DEFAULT now(),
    what    text NOT NULL
);

DROP FUNCTION IF EXISTS bk.add_note(text);

CREATE FUNCTION bk.add_note(what text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO bk.note (what) VALUES (add_note.what);
    PERFORM pg_notify('bk', add_note.what);
END;
$$;

CREATE FUNCTION bk.note_backup() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.verified IS NOT NULL AND OLD.verified IS NULL THEN
        PERFORM bk.add_note(format('%s verified', NEW.label));
    END IF;
    RETURN NEW;
END;
$$;

CREATE TRIGGER note_backup AFTER UPDATE ON bk.backup
    FOR EACH ROW EXECUTE PROCEDURE bk.note_backup();
