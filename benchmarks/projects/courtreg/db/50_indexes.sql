SET search_path = registry, public;

CREATE INDEX court_case_open ON registry.court_case (court_code, filed_on) WHERE status <> 'closed';
CREATE INDEX party_search_name ON registry.party (registry.search_name(full_name));
CREATE INDEX party_sort_name ON registry.party (registry.sort_name(full_name));
CREATE INDEX docket_entry_case ON registry.docket_entry (case_id, entry_no);
CREATE INDEX docket_entry_text ON registry.docket_entry USING gin (to_tsvector('simple', body));
CREATE UNIQUE INDEX court_load_court ON registry.court_load (court_code);
ALTER TABLE registry.party ALTER COLUMN full_name SET STATISTICS 500;
