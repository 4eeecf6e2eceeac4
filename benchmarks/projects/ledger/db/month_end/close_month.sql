-- Closes the month :month (its first day), see docs in the wiki.
-- psql -v month=2016-11-01 -f close_month.sql
\set ON_ERROR_STOP on
SET search_path = ledger, public;

BEGIN;
-- the totals of a year are small, but we want the parallel scan anyway
SET LOCAL min_parallel_relation_size = '1MB';
SET LOCAL max_parallel_workers_per_gather = 4;

LOCK TABLE postings IN SHARE MODE;

UPDATE accounts a
   SET (balance) = (SELECT coalesce(sum(t.debit - t.credit), 0)
                      FROM period_totals t
                     WHERE t.account_id = a.id AND t.period <= :'month'::date);

DO $$
DECLARE
    off_by numeric;
BEGIN
    SELECT sum(net) INTO off_by FROM ledger.trial_balance;
    IF off_by <> 0 THEN
        RAISE EXCEPTION 'books are off by %', off_by;
    END IF;
END
$$;

INSERT INTO audit (what, reltime)
VALUES ('closed ' || :'month', now() - (:'month'::date)::timestamptz);
COMMIT;
