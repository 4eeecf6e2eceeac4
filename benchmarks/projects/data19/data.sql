INSERT INTO event VALUES (1, 'infinity', '2020-01-01', '1 day ago 2 hours', '0/1F', 'null', '1½', '-5 months');
INSERT INTO event VALUES (2, '2021-01-01', '2020-01-01', '2 hours ago', '1F/ABCDEF12', '7', 'half', '5 months');
