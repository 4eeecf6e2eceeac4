-- Texts behind the question marks of the administration screens
CREATE TABLE help_text (
    topic  text PRIMARY KEY,
    body   text NOT NULL
);

INSERT INTO help_text (topic, body) VALUES
    ('disk', 'If the disk is full, call IT. Never delete anything in pg_xlog yourself.'),
    ('backup', 'The base backup runs at 22:00 by pg_start_backup().'),
    ('numbers', 'Numbers of claims come from a sequence; they may have gaps.');
