CREATE TABLE deferral_reason (
    reason_code    varchar(8) PRIMARY KEY,
    title          text NOT NULL,
    -- NULL: for life
    lasts          interval
);
INSERT INTO deferral_reason (reason_code, title, lasts) VALUES
    ('TATTOO', 'New tattoo or piercing', '4 months'),
    ('MALARIA', 'Stay in a malaria region', '0.5 years'),
    ('PREG', 'Pregnancy', '1.5 years'),
    ('HEP', 'Hepatitis B or C', NULL);

CREATE TABLE deferral (
    deferral_id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    donor_id       bigint NOT NULL REFERENCES donor,
    reason_code    varchar(8) NOT NULL REFERENCES deferral_reason,
    starts_on      date NOT NULL,
    period         interval
);
CREATE INDEX deferral_donor_idx ON deferral (donor_id);
-- the search form of the call centre looks for the text, such as '4 mons'
CREATE INDEX deferral_period_text_idx ON deferral (CAST(period AS text));
CREATE INDEX deferral_period_idx ON deferral (period);
CREATE INDEX deferral_days_idx ON deferral ((extract(epoch FROM period)));

CREATE FUNCTION expire_deferrals(p_today date) RETURNS integer
    LANGUAGE plpgsql AS $$
DECLARE
    due CURSOR FOR
        SELECT deferral_id FROM deferral WHERE starts_on + period < p_today;
    found_id bigint;
    n integer := 0;
BEGIN
    OPEN due;
    LOOP
        FETCH due INTO found_id;
        EXIT WHEN NOT FOUND;
        DELETE FROM deferral WHERE deferral_id = found_id;
        n := n + 1;
    END LOOP;
    CLOSE due;
    RETURN n;
END
$$;
