CREATE TABLE tickets (
    id          bigint PRIMARY KEY DEFAULT nextval('ticket_numbers'),
    account_id  bigint NOT NULL REFERENCES accounts,
    stake       numeric(12,2) NOT NULL CHECK (stake > 0),
    legs        bigint[] NOT NULL,
    total_odds  double precision NOT NULL,
    checksum    text,
    placed_at   timestamptz NOT NULL DEFAULT now(),
    settled_at  timestamptz
);

CREATE FUNCTION sign_ticket() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.checksum := md5(concat_ws('|',
        NEW.account_id,
        NEW.stake::text,
        (NEW.total_odds * 1.05)::text));
    RETURN NEW;
END
$$;

CREATE TRIGGER sign_ticket BEFORE INSERT ON tickets
    FOR EACH ROW EXECUTE PROCEDURE sign_ticket();
