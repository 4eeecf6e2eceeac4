-- Changes since the last dump of schema.sql; "make dump" empties this file.

-- LED-212: keep the balance of the last month end with the account
ALTER TABLE ledger.accounts ADD COLUMN balance numeric(16,2) DEFAULT 0 NOT NULL;
COMMENT ON COLUMN ledger.accounts.balance IS 'as of the last month end, see close_month.sql';

-- LED-219
CREATE INDEX entries_period_idx ON ledger.entries USING btree (period);
