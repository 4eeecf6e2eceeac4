-- How long pallets stay on a bin; filled by the nightly job.
CREATE TABLE dwell_stat (
    bin_id      integer NOT NULL REFERENCES bin (id),
    week        date NOT NULL,
    dwell       interval NOT NULL,
    dwell_min   integer NOT NULL,
    touches     integer NOT NULL DEFAULT 0,
    PRIMARY KEY (bin_id, week)
);

-- The BI export joins on the printed form.
CREATE INDEX ix_dwell_printed ON dwell_stat (week, (dwell::text));
CREATE INDEX ix_dwell_minutes ON dwell_stat ((dwell_min::text));

CREATE VIEW bin_turnover AS
SELECT b.code, d.week, d.touches,
       date_part('day', d.dwell)::integer AS dwell_days
  FROM dwell_stat d JOIN bin b ON b.id = d.bin_id;
