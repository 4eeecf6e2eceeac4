-- +goose Up
CREATE TABLE durations (
    kind     text PRIMARY KEY,
    lasts    interval NOT NULL,
    label    text NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
    INSERT INTO durations (kind, lasts, label) VALUES
        -- a year and the weeks until the letter is through the print shop
        ('resident', interval '1.15 years', 'one year'),
        ('visitor', interval '1.5 months', 'six weeks'),
        ('trade', interval '18 months', 'a year and a half');
    INSERT INTO durations (kind, lasts, label) VALUES
        ('disabled', interval '5 years', '1.99 years plus extension');
END;
$$;
-- +goose StatementEnd
