-- rows of the nightly interface to the harbour master's office
CREATE TABLE import_journal (
    file_name   text NOT NULL,
    line_no     integer NOT NULL,
    payload     text,
    imported_at timestamp NOT NULL DEFAULT now()
) WITH OIDS;

CREATE TABLE import_error (
    file_name   text NOT NULL,
    oid         integer,
    message     text NOT NULL
);
