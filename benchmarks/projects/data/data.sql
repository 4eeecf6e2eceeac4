INSERT INTO probe VALUES (1, 0.1::float8 + 0.2::float8, 'pg_class', '1.99 years', 'Y2001M12D27', 'NaN', -5, ARRAY['a', ''], '<a><b/></a>', 1e17, '2020-02-03 04:05:06.5', E'12\n34', 0.1, 'x1y2x3y4');
INSERT INTO probe VALUES (2, 0.5, 'table', '2.5 years', '2001-12-27', 2, 5, ARRAY['a', 'b'], '<a/>', 1e6, '2020-02-03 04:05:06', '1234', 2, 'xyz');
