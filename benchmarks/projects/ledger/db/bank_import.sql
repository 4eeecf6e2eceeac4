-- Bank statements (camt.053), loaded by bin/load-statements.sh.
-- Older than the rest: comes from the first ledger, was adapted as little as possible.

SET search_path = ledger, pg_catalog;

CREATE TABLE statements (
    id        bigint PRIMARY KEY,
    iban      text NOT NULL,
    loaded_at timestamp with time zone,
    doc       xml NOT NULL
);

CREATE TABLE statement_lines (
    statement_id bigint NOT NULL REFERENCES statements (id),
    amount       text NOT NULL,
    remittance   text
);

CREATE FUNCTION stamp_statement() RETURNS opaque AS '
BEGIN
    NEW.loaded_at := now();
    NEW.iban := ledger.normalize(NEW.iban);
    RETURN NEW;
END
' LANGUAGE plpgsql;

CREATE TRIGGER statements_stamp BEFORE INSERT ON statements
    FOR EACH ROW EXECUTE PROCEDURE stamp_statement();

-- The root is <BkToCstmrStmt>, without a namespace: the loader strips it.
CREATE FUNCTION split_statement(bigint) RETURNS bigint AS $$
DECLARE
    node xml;
    n bigint := 0;
BEGIN
    FOR node IN
        SELECT unnest(xpath('Stmt/Ntry', s.doc))
          FROM ledger.statements s
         WHERE s.id = $1
    LOOP
        INSERT INTO ledger.statement_lines (statement_id, amount, remittance)
        VALUES ($1,
                (xpath('/Ntry/Amt/text()', node))[1]::text,
                (xpath('//Ustrd/text()', node))[1]::text);
        n := n + 1;
    END LOOP;
    RETURN n;
END
$$ LANGUAGE plpgsql;
