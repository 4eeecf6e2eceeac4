-- How long we keep what (agreed with the county's data protection officer)
CREATE TABLE retention (
    entity      text PRIMARY KEY,
    keep        interval NOT NULL
);

INSERT INTO retention (entity, keep) VALUES
    ('audit_log', '10 years'),
    ('incidents', interval '7.5 years'),
    ('assignments', interval '7.5 years'),
    ('phone', interval '0.8 years'),
    ('telemetry', interval '90 days');

CREATE FUNCTION forget_phones() RETURNS void LANGUAGE sql AS $$
    UPDATE incidents SET phone = NULL
     WHERE called_at < now() - (SELECT keep FROM retention WHERE entity = 'phone')
       AND phone IS NOT NULL
$$;

DO $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'dispatch_ro') THEN
        CREATE ROLE dispatch_ro NOLOGIN;
    END IF;
END
$$;
GRANT SELECT ON incidents, assignments, units, zones TO dispatch_ro;
