CREATE TABLE import_staging (
    partner        text NOT NULL,
    line_no        bigint NOT NULL,
    content        jsonb NOT NULL
) PARTITION BY LIST (partner);

CREATE TABLE import_staging_hospital PARTITION OF import_staging FOR VALUES IN ('hospital');
CREATE TABLE import_staging_redcross PARTITION OF import_staging FOR VALUES IN ('redcross');

-- nothing in here needs to survive a crash: the partners' files are read again
ALTER TABLE import_staging SET UNLOGGED;
ALTER TABLE import_staging_hospital SET UNLOGGED;
ALTER TABLE import_staging_redcross SET UNLOGGED;
