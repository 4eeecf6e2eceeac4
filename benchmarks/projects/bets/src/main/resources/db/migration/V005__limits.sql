CREATE TABLE limits (
    account_id   bigint PRIMARY KEY REFERENCES accounts,
    daily        numeric(12,2),
    monthly      numeric(12,2),
    sent_location text,
    CHECK (daily IS NULL OR monthly IS NULL OR daily <= monthly)
);

COMMENT ON TABLE limits IS 'Checked before pg_current_xlog_location() is stored with the ticket';

UPDATE limits SET (daily, monthly) = (least(daily, 1000), least(monthly, 10000));
