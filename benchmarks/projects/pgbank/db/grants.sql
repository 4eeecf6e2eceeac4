-- Privileges of the groups
GRANT USAGE ON SCHEMA bank TO bank_teller, bank_batch, bank_audit;
GRANT SELECT, INSERT ON bank.postings TO bank_teller, bank_batch;
GRANT UPDATE ON bank.postings TO bank_batch;
GRANT SELECT, UPDATE ON bank.accounts TO bank_teller, bank_batch;
GRANT SELECT, RULE ON bank.open_accounts TO bank_teller;
GRANT SELECT ON bank.rule TO bank_teller;
GRANT SELECT ON bank.audit, bank.accounts, bank.postings, bank.loans TO bank_audit;
GRANT INSERT ON bank.audit TO bank_teller, bank_batch;
REVOKE ALL ON FUNCTION bank.close_day(date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION bank.close_day(date) TO bank_batch;
