CREATE INDEX claim_status_idx ON claim (status, adjuster);

-- by time of the accident, which the caller gives in local time
CREATE INDEX claim_happened_idx ON claim (happened_at timestamp_ops);

-- the work list is sorted by age
CREATE INDEX claim_opened_idx ON claim (opened_at timestamp_ops);

CREATE INDEX policy_number_prefix_idx ON policy (number text_pattern_ops);
