-- Views of the reports for customers and auditors.

CREATE FUNCTION pressure_level(species integer, sum_caught bigint) RETURNS smallint LANGUAGE plpgsql STABLE AS $$
DECLARE
    reached smallint;
BEGIN
    SELECT max(t.level) INTO reached
      FROM thresholds t
     WHERE t.species_id = species AND t.caught <= sum_caught;
    RETURN coalesce(reached, 0);
END
$$;

CREATE FUNCTION species_label(species integer) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT s.name || ' (' || s.latin || ')' FROM public.species s WHERE s.id = species);
END
$$;

CREATE FUNCTION open_alarms(site integer) RETURNS bigint LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT count(*) FROM alarms a WHERE a.site_id = site AND a.closed_at IS NULL
$$;

CREATE FUNCTION last_visit(site integer) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT max(v.planned_for) FROM visits v WHERE v.site_id = site AND v.state = 'done'
$$;

CREATE MATERIALIZED VIEW site_pressure AS
SELECT tr.site_id, c.species_id, sum(c.number) AS caught,
       pressure_level(c.species_id, sum(c.number)) AS level
  FROM catches c
  JOIN traps tr ON tr.id = c.trap_id
 GROUP BY tr.site_id, c.species_id;

CREATE MATERIALIZED VIEW species_totals AS
SELECT c.species_id, species_label(c.species_id) AS label, sum(c.number) AS caught
  FROM catches c
 GROUP BY c.species_id;

CREATE MATERIALIZED VIEW site_alarms AS
SELECT s.id AS site_id, s.name, open_alarms(s.id) AS alarms
  FROM sites s;
CREATE UNIQUE INDEX site_alarms_idx ON site_alarms (site_id);

CREATE VIEW site_overview AS
SELECT s.id, s.name, s.town, last_visit(s.id) AS last_visit,
       (SELECT count(*) FROM traps t WHERE t.site_id = s.id) AS traps
  FROM sites s;

CREATE VIEW unpaid_invoices AS
SELECT i.id, i.number, i.issued_on, i.net + i.vat AS gross, k.customer_id
  FROM invoices i
  JOIN contracts k ON k.id = i.contract_id
 WHERE i.paid_on IS NULL;
