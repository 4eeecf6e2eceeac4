"""A database like TPC-H's, its 22 questions in our words, pgbench's schema, and fifty tables made by a rule."""

from __future__ import annotations

WAREHOUSE = """
    CREATE TABLE region (r_key int PRIMARY KEY, r_name text);
    CREATE TABLE nation (n_key int PRIMARY KEY, n_name text, n_region int);
    CREATE TABLE supplier (s_key int PRIMARY KEY, s_name text, s_nation int, s_balance numeric(12,2), s_note text);
    CREATE TABLE customer (
        c_key int PRIMARY KEY, c_name text, c_nation int, c_phone text, c_balance numeric(12,2), c_segment text);
    CREATE TABLE part (
        p_key int PRIMARY KEY, p_name text, p_maker text, p_brand text, p_type text, p_size int, p_box text);
    CREATE TABLE partsupp (
        ps_part int, ps_supplier int, ps_stock int, ps_cost numeric(12,2), PRIMARY KEY (ps_part, ps_supplier));
    CREATE TABLE orders (
        o_key int PRIMARY KEY, o_customer int, o_status text, o_total numeric(12,2), o_date date, o_priority text,
        o_note text);
    CREATE TABLE lineitem (
        l_order int, l_part int, l_supplier int, l_line int, l_quantity numeric(12,2), l_price numeric(12,2),
        l_discount numeric(12,2), l_tax numeric(12,2), l_returned text, l_status text, l_shipped date,
        l_committed date, l_received date, l_mode text, l_instruct text, PRIMARY KEY (l_order, l_line));
    INSERT INTO region SELECT i, 'REGION ' || i FROM generate_series(0, 4) i;
    INSERT INTO nation SELECT i, 'NATION ' || i, i % 5 FROM generate_series(0, 24) i;
    INSERT INTO supplier SELECT i, 'Supplier ' || i, i * 7 % 25, (i * 7919 % 1100000) / 100.0 - 1000,
        CASE WHEN i % 97 = 0 THEN 'Complaints of customers' ELSE 'nothing to tell' END
        FROM generate_series(1, {suppliers}) i;
    INSERT INTO customer SELECT i, 'Customer ' || i, i * 11 % 25, (10 + i % 25) || '-555-' || i,
        (i * 7907::bigint % 1100000) / 100.0 - 1000, 'SEGMENT ' || i % 5 FROM generate_series(1, {customers}) i;
    INSERT INTO part SELECT i, 'colour' || i % 92 || ' shade' || i % 89, 'MAKER ' || i % 5, 'BRAND ' || i % 25,
        'TYPE ' || i % 6 || ' FINISH ' || i % 5 || ' METAL ' || i % 7, 1 + i % 50, 'BOX ' || i % 40
        FROM generate_series(1, {parts}) i;
    INSERT INTO partsupp SELECT i, 1 + (i + s * ({suppliers} / 4 + 1)) % {suppliers}, i * 31 % 9999, i * 17 % 1000
        FROM generate_series(1, {parts}) i, generate_series(0, 3) s ON CONFLICT DO NOTHING;
    INSERT INTO orders SELECT i, 1 + (i * 7919::bigint % {customers})::int / 3 * 3 % {customers},
        (ARRAY['F', 'O', 'P'])[1 + i % 41 / 20], i * 101::bigint % 500000,
        date '1992-01-01' + (i * 37::bigint % 2400)::int, 'PRIORITY ' || i % 5,
        CASE WHEN i % 60 = 0 THEN 'special requests' ELSE 'a note of order ' || i END
        FROM generate_series(1, {orders}) i;
    INSERT INTO lineitem SELECT o_key, 1 + (o_key * 13::bigint + l * 71) % {parts},
        1 + (o_key * 3::bigint + l * 5) % {suppliers}, l, 1 + (o_key + l * 7) % 50,
        (o_key * 37::bigint + l) % 90000,
        (o_key + l) % 11 / 100.0, (o_key + l) % 9 / 100.0,
        CASE WHEN o_date < '1995-06-17' THEN (ARRAY['R', 'A'])[1 + (o_key + l) % 2] ELSE 'N' END,
        CASE WHEN o_date < '1995-06-17' THEN 'F' ELSE 'O' END, o_date + 1 + (o_key + l * 17) % 121,
        o_date + 30 + (o_key + l * 13) % 61, o_date + 2 + (o_key + l * 19) % 150, 'MODE ' || (o_key + l) % 7,
        'INSTRUCT ' || (o_key + l) % 4
        FROM orders, generate_series(1, 4) l;
    CREATE INDEX ON lineitem (l_part, l_supplier);
    CREATE INDEX ON lineitem (l_shipped);
    CREATE INDEX ON orders (o_customer);
    CREATE INDEX ON orders (o_date);
    CREATE INDEX ON customer (c_nation);
    CREATE INDEX ON supplier (s_nation);
    CREATE INDEX ON partsupp (ps_supplier);
"""
"""An order takes about 1 kB with its four lines and their indexes."""
_REVENUE = "sum(l_price * (1 - l_discount))"
QUESTIONS = (
    "SELECT l_returned, l_status, sum(l_quantity), sum(l_price), avg(l_discount), count(*) FROM lineitem"
    " WHERE l_shipped <= date '1998-09-01' GROUP BY 1, 2 ORDER BY 1, 2",
    "SELECT s_balance, s_name, n_name, p_key FROM part, supplier, partsupp, nation, region"
    " WHERE p_key = ps_part AND s_key = ps_supplier AND p_size = 15 AND p_type LIKE '%METAL 3'"
    " AND s_nation = n_key AND n_region = r_key AND r_name = 'REGION 3' AND ps_cost = (SELECT min(ps_cost)"
    " FROM partsupp, supplier, nation, region WHERE p_key = ps_part AND s_key = ps_supplier AND s_nation = n_key"
    " AND n_region = r_key AND r_name = 'REGION 3') ORDER BY 1 DESC, 3, 2, 4 LIMIT 100",
    f"SELECT l_order, {_REVENUE}, o_date FROM customer, orders, lineitem WHERE c_segment = 'SEGMENT 1'"
    " AND c_key = o_customer AND l_order = o_key AND o_date < date '1995-03-15' AND l_shipped > date '1995-03-15'"
    " GROUP BY 1, 3 ORDER BY 2 DESC, 3 LIMIT 10",
    "SELECT o_priority, count(*) FROM orders WHERE o_date >= date '1993-07-01' AND o_date < date '1993-10-01'"
    " AND EXISTS (SELECT FROM lineitem WHERE l_order = o_key AND l_committed < l_received) GROUP BY 1 ORDER BY 1",
    f"SELECT n_name, {_REVENUE} FROM customer, orders, lineitem, supplier, nation, region WHERE c_key = o_customer"
    " AND l_order = o_key AND l_supplier = s_key AND c_nation = s_nation AND s_nation = n_key AND n_region = r_key"
    " AND r_name = 'REGION 2' AND o_date >= date '1994-01-01' AND o_date < date '1995-01-01' GROUP BY 1"
    " ORDER BY 2 DESC",
    "SELECT sum(l_price * l_discount) FROM lineitem WHERE l_shipped >= date '1994-01-01'"
    " AND l_shipped < date '1995-01-01' AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24",
    f"SELECT n1.n_name, n2.n_name, extract(year FROM l_shipped), {_REVENUE}"
    " FROM supplier, lineitem, orders, customer, nation n1, nation n2 WHERE s_key = l_supplier AND o_key = l_order"
    " AND c_key = o_customer AND s_nation = n1.n_key AND c_nation = n2.n_key AND (n1.n_name = 'NATION 6'"
    " AND n2.n_name = 'NATION 7' OR n1.n_name = 'NATION 7' AND n2.n_name = 'NATION 6')"
    " AND l_shipped BETWEEN date '1995-01-01' AND date '1996-12-31' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
    f"SELECT extract(year FROM o_date), sum(CASE WHEN n2.n_name = 'NATION 2' THEN l_price ELSE 0 END) / {_REVENUE}"
    " FROM part, supplier, lineitem, orders, customer, nation n1, nation n2, region WHERE p_key = l_part"
    " AND s_key = l_supplier AND l_order = o_key AND o_customer = c_key AND c_nation = n1.n_key"
    " AND n1.n_region = r_key AND r_name = 'REGION 1' AND s_nation = n2.n_key"
    " AND o_date BETWEEN date '1995-01-01' AND date '1996-12-31' AND p_type = 'TYPE 1 FINISH 1 METAL 1'"
    " GROUP BY 1 ORDER BY 1",
    f"SELECT n_name, extract(year FROM o_date), {_REVENUE} - sum(ps_cost * l_quantity) FROM part,"
    " supplier, lineitem,"
    " partsupp, orders, nation WHERE s_key = l_supplier AND ps_supplier = l_supplier AND ps_part = l_part"
    " AND p_key = l_part AND o_key = l_order AND s_nation = n_key AND p_name LIKE '%colour9%' GROUP BY 1, 2"
    " ORDER BY 1, 2 DESC",
    f"SELECT c_key, c_name, {_REVENUE}, n_name FROM customer, orders, lineitem, nation WHERE c_key = o_customer"
    " AND l_order = o_key AND o_date >= date '1993-10-01' AND o_date < date '1994-01-01' AND l_returned = 'R'"
    " AND c_nation = n_key GROUP BY 1, 2, 4 ORDER BY 3 DESC LIMIT 20",
    "SELECT ps_part, sum(ps_cost * ps_stock) FROM partsupp, supplier, nation WHERE ps_supplier = s_key"
    " AND s_nation = n_key AND n_name = 'NATION 7' GROUP BY 1 HAVING sum(ps_cost * ps_stock) > (SELECT"
    " sum(ps_cost * ps_stock) * 0.0001 FROM partsupp, supplier, nation WHERE ps_supplier = s_key"
    " AND s_nation = n_key AND n_name = 'NATION 7') ORDER BY 2 DESC",
    "SELECT l_mode, count(*) FILTER (WHERE o_priority = 'PRIORITY 1'), count(*) FROM orders, lineitem"
    " WHERE o_key = l_order AND l_mode IN ('MODE 1', 'MODE 4') AND l_committed < l_received"
    " AND l_shipped < l_committed AND l_received >= date '1994-01-01' AND l_received < date '1995-01-01'"
    " GROUP BY 1 ORDER BY 1",
    "SELECT n, count(*) FROM (SELECT c_key, count(o_key) AS n FROM customer LEFT JOIN orders ON c_key = o_customer"
    " AND o_note NOT LIKE '%special%requests%' GROUP BY 1) x GROUP BY 1 ORDER BY 2 DESC, 1 DESC",
    f"SELECT 100 * sum(CASE WHEN p_type LIKE 'TYPE 1%' THEN l_price ELSE 0 END) / {_REVENUE} FROM lineitem, part"
    " WHERE l_part = p_key AND l_shipped >= date '1995-09-01' AND l_shipped < date '1995-10-01'",
    f"WITH made AS (SELECT l_supplier AS who, {_REVENUE} AS total FROM lineitem WHERE l_shipped >= date"
    " '1996-01-01'"
    " AND l_shipped < date '1996-04-01' GROUP BY 1) SELECT s_key, s_name, total FROM supplier, made"
    " WHERE s_key = who AND total = (SELECT max(total) FROM made) ORDER BY 1",
    "SELECT p_brand, p_type, p_size, count(DISTINCT ps_supplier) FROM partsupp, part WHERE p_key = ps_part"
    " AND p_brand <> 'BRAND 5' AND p_type NOT LIKE 'TYPE 2%' AND p_size IN (49, 14, 23, 45, 19, 3, 36, 9)"
    " AND ps_supplier NOT IN (SELECT s_key FROM supplier WHERE s_note LIKE '%Complaints%') GROUP BY 1, 2, 3"
    " ORDER BY 4 DESC, 1, 2, 3",
    "SELECT sum(l_price) / 7 FROM lineitem, part WHERE p_key = l_part AND p_brand = 'BRAND 3' AND p_box = 'BOX 8'"
    " AND l_quantity < (SELECT 0.2 * avg(l_quantity) FROM lineitem WHERE l_part = p_key)",
    "SELECT c_name, c_key, o_key, o_date, o_total, sum(l_quantity) FROM customer, orders, lineitem WHERE o_key IN"
    " (SELECT l_order FROM lineitem GROUP BY 1 HAVING sum(l_quantity) > 180) AND c_key = o_customer"
    " AND o_key = l_order GROUP BY 1, 2, 3, 4, 5 ORDER BY 5 DESC, 4 LIMIT 100",
    f"SELECT {_REVENUE} FROM lineitem, part WHERE p_key = l_part AND (p_brand = 'BRAND 1' AND p_box IN ('BOX 1',"
    " 'BOX 2') AND l_quantity BETWEEN 1 AND 11 AND p_size BETWEEN 1 AND 5 OR p_brand = 'BRAND 2' AND p_box IN"
    " ('BOX 3', 'BOX 4') AND l_quantity BETWEEN 10 AND 20 AND p_size BETWEEN 1 AND 10) AND l_mode = 'MODE 1'",
    "SELECT s_name FROM supplier, nation WHERE s_key IN (SELECT ps_supplier FROM partsupp WHERE ps_part IN"
    " (SELECT p_key FROM part WHERE p_name LIKE 'colour7%') AND ps_stock > (SELECT 0.5 * sum(l_quantity)"
    " FROM lineitem WHERE l_part = ps_part AND l_supplier = ps_supplier AND l_shipped >= date '1994-01-01'"
    " AND l_shipped < date '1995-01-01')) AND s_nation = n_key AND n_name = 'NATION 3' ORDER BY 1",
    "SELECT s_name, count(*) FROM supplier, lineitem l, orders, nation WHERE s_key = l.l_supplier AND"
    " o_key = l.l_order"
    " AND o_status = 'F' AND l.l_received > l.l_committed AND EXISTS (SELECT FROM lineitem o WHERE"
    " o.l_order = l.l_order"
    " AND o.l_supplier <> l.l_supplier) AND NOT EXISTS (SELECT FROM lineitem o WHERE o.l_order = l.l_order"
    " AND o.l_supplier <> l.l_supplier AND o.l_received > o.l_committed) AND s_nation = n_key"
    " AND n_name = 'NATION 20' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 100",
    "SELECT left(c_phone, 2), count(*), sum(c_balance) FROM customer WHERE left(c_phone, 2) IN ('13',"
    " '31', '23', '29')"
    " AND c_balance > (SELECT avg(c_balance) FROM customer WHERE c_balance > 0) AND NOT EXISTS (SELECT FROM orders"
    " WHERE o_customer = c_key) GROUP BY 1 ORDER BY 1",
)
BANK = """
    CREATE TABLE pgbench_branches (bid int PRIMARY KEY, bbalance int, filler char(88));
    CREATE TABLE pgbench_tellers (tid int PRIMARY KEY, bid int, tbalance int, filler char(84));
    CREATE TABLE pgbench_accounts (aid int PRIMARY KEY, bid int, abalance int, filler char(84));
    CREATE TABLE pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));
    INSERT INTO pgbench_branches SELECT i, 0, '' FROM generate_series(1, {scale}) i;
    INSERT INTO pgbench_tellers SELECT i, 1 + i / 10, 0, '' FROM generate_series(1, {scale} * 10) i;
    INSERT INTO pgbench_accounts SELECT i, 1 + i / 100000, 0, '' FROM generate_series(1, {scale} * 100000) i;
"""
BANKING = (
    "UPDATE pgbench_accounts SET abalance = abalance + 7 WHERE aid = 4711",
    "SELECT abalance FROM pgbench_accounts WHERE aid = 4711",
    "UPDATE pgbench_tellers SET tbalance = tbalance + 7 WHERE tid = 5",
    "UPDATE pgbench_branches SET bbalance = bbalance + 7 WHERE bid = 1",
    "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (5, 1, 4711, 7, CURRENT_TIMESTAMP)",
    "SELECT bid, sum(abalance) FROM pgbench_accounts GROUP BY bid ORDER BY bid",
    "SELECT a.bid, count(*) FROM pgbench_accounts a JOIN pgbench_tellers t USING (bid) WHERE aid < 9000 GROUP BY 1",
    "SELECT * FROM pgbench_accounts WHERE aid BETWEEN 1000 AND 1900 ORDER BY filler",
)
TABLES = 50


def fifty() -> str:
    """Return fifty tables, each of which refers to others, with distributions of values from even to uneven."""
    parts = []
    for n in range(TABLES):
        rows = 300 + n * n * 17
        parts.append(
            f"CREATE TABLE t{n} (id int PRIMARY KEY, a int, b int, kind text, made timestamp, note text);"
            f" INSERT INTO t{n} SELECT i, i * 7919::bigint % {1 + rows // 3}, (sqrt(i))::int % {n + 3},"
            f" 'kind ' || (i % 7) * (i % {n + 2}), timestamp '2020-01-01' + i * interval '1 hour', md5(i::text)"
            f" FROM generate_series(1, {rows}) i; CREATE INDEX ON t{n} (a);"
        )
        if n % 3 == 0:
            parts.append(f"CREATE INDEX ON t{n} (kind, made); CREATE INDEX ON t{n} (lower(note));")
        if n % 4 == 0:
            parts.append(f"CREATE INDEX ON t{n} (made) WHERE kind = 'kind 0';")
    return "\n".join(parts)


def hundred() -> list[str]:
    """Return a hundred queries on them, made by a rule."""
    forms = (
        "SELECT * FROM t{n} WHERE a = {k}",
        "SELECT x.id, y.note FROM t{n} x JOIN t{m} y ON x.a = y.id WHERE x.kind = 'kind {s}'",
        "SELECT kind, count(*) FROM t{n} WHERE made < timestamp '2020-03-01' + interval '{k} hours' GROUP BY 1"
        " ORDER BY 2 DESC",
        "SELECT x.b, max(z.made) FROM t{n} x JOIN t{m} y ON x.a = y.a JOIN t{o} z ON z.id = y.b"
        " WHERE x.id < {k} GROUP BY 1",
        "SELECT * FROM t{n} WHERE kind = 'kind 0' AND made > timestamp '2020-02-01' ORDER BY made DESC LIMIT {s}",
        "SELECT * FROM t{n} x WHERE NOT EXISTS (SELECT FROM t{m} y WHERE y.a = x.a) AND b IN (1, {s}, 3)",
        "SELECT DISTINCT kind, b FROM t{n} WHERE lower(note) = 'x' OR a BETWEEN {k} AND {k} + 40",
    )
    return [
        forms[q % len(forms)].format(
            n=q * 3 % TABLES, m=(q * 7 + 1) % TABLES, o=q * 11 % TABLES, k=5 + q * 13, s=2 + q % 5
        )
        for q in range(100)
    ]
