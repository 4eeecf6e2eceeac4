-- +goose Up
CREATE TABLE checks (
    id         bigserial PRIMARY KEY,
    plate      text NOT NULL,
    spot       point NOT NULL,
    officer    text NOT NULL,
    checked_on date NOT NULL DEFAULT current_date,
    checked_at timestamptz NOT NULL DEFAULT now(),
    handheld   inet
);

CREATE TABLE fines (
    id       bigserial PRIMARY KEY,
    check_id bigint NOT NULL REFERENCES checks,
    amount   numeric(7, 2) NOT NULL,
    paid_on  date
);

-- The sync writes the login of the handheld here; the name came with the vendor's format.
CREATE TABLE handheld_log (
    id            bigserial PRIMARY KEY,
    "system_user" text NOT NULL,
    json_object   jsonb,
    received_at   timestamptz NOT NULL DEFAULT now()
);

-- +goose StatementBegin
CREATE FUNCTION touch_check() RETURNS trigger AS $$
BEGIN
    NEW.plate := upper(trim(NEW.plate));
    RETURN NEW;
END;
$$ LANGUAGE 'plpgsql';
-- +goose StatementEnd

CREATE TRIGGER touch_check BEFORE INSERT OR UPDATE ON checks
    FOR EACH ROW EXECUTE PROCEDURE touch_check();
