CREATE TABLE invoice (
    invoice_id  bigserial PRIMARY KEY,
    stay_id     bigint NOT NULL REFERENCES stay,
    issued_on   date NOT NULL DEFAULT current_date,
    amount      numeric(10,2) NOT NULL,
    currency    char(3) NOT NULL DEFAULT 'EUR',
    reminder_no smallint NOT NULL DEFAULT 0,
    checksum    text
);
ALTER TABLE invoice ADD CONSTRAINT invoice_amount_positive CHECK (amount >= 0);

DO $$
BEGIN
    IF current_setting('server_version_num')::integer < 120000 THEN
        EXECUTE 'ALTER TABLE invoice SET WITH OIDS';
        EXECUTE 'ALTER TABLE invoice SET WITHOUT OIDS';
    END IF;
END $$;
