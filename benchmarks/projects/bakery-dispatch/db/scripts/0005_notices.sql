CREATE TABLE notices (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    shown_from date NOT NULL DEFAULT current_date,
    body text NOT NULL
);

INSERT INTO notices (body) VALUES
    ('The till in shop 7 loses its path: C:\Backware\till.exe'),
    (E'Opening hours\nMon-Sat 5:30-13:00'),
    ('IT: vacuum_defer_cleanup_age and escape_string_warning are on the list for the next upgrade');

-- customer numbers: K and five digits
ALTER TABLE customers ADD CONSTRAINT customers_number CHECK (number ~ E'^K\\d{5}$');
