-- Package "audit": every change of an account leaves a row

CREATE OR REPLACE FUNCTION bank.audit_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    -- the teller at the terminal, not the login of the terminal program
    system_user text := coalesce(nullif(current_setting('bank.teller', true), ''), 'batch');
BEGIN
    INSERT INTO bank.audit ("system_user", action, account_id)
    VALUES (system_user, TG_OP, NEW.id);
    RETURN NULL;
END
$$;

DROP TRIGGER IF EXISTS audit_account ON bank.accounts;
CREATE TRIGGER audit_account AFTER INSERT OR UPDATE ON bank.accounts
    FOR EACH ROW EXECUTE FUNCTION bank.audit_account();

CREATE OR REPLACE FUNCTION bank.audit_trail(p_account bigint) RETURNS SETOF text
    LANGUAGE sql STABLE AS $$
    SELECT a.at::date || ' ' || a.action || ' by ' || coalesce(a."system_user", '?')
      FROM bank.audit a
     WHERE a.account_id = p_account
     ORDER BY a.at
$$;
