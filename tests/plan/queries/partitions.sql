-- Since 10, after schema.sql.
CREATE TABLE part (k int, v int) PARTITION BY RANGE (k);
CREATE TABLE part_low PARTITION OF part FOR VALUES FROM (0) TO (100);
CREATE TABLE part_middle PARTITION OF part FOR VALUES FROM (100) TO (200);
CREATE TABLE part_high PARTITION OF part FOR VALUES FROM (200) TO (300);
INSERT INTO part SELECT n, n FROM generate_series(0, 299) AS n;
