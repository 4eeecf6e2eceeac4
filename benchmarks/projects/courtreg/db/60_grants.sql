-- The public terminal in the hall reads these.
GRANT USAGE ON SCHEMA registry TO PUBLIC;
GRANT SELECT, RULE ON registry.case_type TO PUBLIC;
GRANT SELECT ON registry.rule TO PUBLIC;
GRANT SELECT ON registry.court, registry.upcoming_hearing TO PUBLIC;
REVOKE ALL ON registry.party, registry.exhibit FROM PUBLIC;
