-- Sources of filings, and whether the alarm skips them
SELECT s.source,
       s.last_run,
       s.sync_error_count,
       s.is_muted ignore
  FROM registry.sync_source s
 ORDER BY s.source;
