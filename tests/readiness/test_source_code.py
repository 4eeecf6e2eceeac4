"""Source code as an input of readiness: string literals, each with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.readiness.test_inputs import no_resolver, written

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.inputs.source_code import literals_in_routines, read_source
from pytest_pgfeatures.readiness.inputs.sql_files import SqlReader
from pytest_pgfeatures.readiness.run import readiness

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.readiness.model import Query

# --- source code -------------------------------------------------------------------------------------------

SOURCES = {
    "a.py": (
        'Q = "SELECT a FROM t WHERE id = %s"\nmenu = "Show more"\nname = "select"\n'
        'db.execute("SELECT * "\n           "FROM t "\n           "WHERE id = %(id)s", x)\n'
        'db.execute(f"""\n  DELETE FROM t\n  WHERE id = {row.id}\n""")\n# "SELECT hidden FROM t"\n',
        [
            ("SELECT a FROM t WHERE id = $1", 1),
            ("SELECT *\nFROM t\nWHERE id = $1", 4),
            ("DELETE FROM t\n  WHERE id = $1", 8),
        ],
    ),
    "lines.py": (
        'def f():\n    """\n    SELECT hidden\n    """\n'
        '    db.execute(\n        """\n        SELECT a\n        """,\n        x,\n    )\n'
        '    db.execute("SELECT b FROM t JOIN " + name + " u USING (id) WHERE id IN (" + ", ".join(ids) + ")")\n'
        '    db.execute("SELECT c FROM t ORDER BY " + order)\n    db.execute("SELECT d FROM t WHERE " + a + b)\n',
        [
            ("SELECT a", 7),
            ("SELECT b FROM t JOIN x1 u USING (id) WHERE id IN ($1)", 11),
            ("SELECT c FROM t ORDER BY $1", 12),
            ("SELECT d FROM t WHERE $1", 13),
        ],
    ),
    "functions.py": (
        "x = select(func.pg_start_backup('nightly', True, f(y)), sa.func.pg_is_in_backup())\n",
        [("SELECT pg_start_backup('nightly', True, $1)", 1), ("SELECT pg_is_in_backup()", 1)],
    ),
    "Mapper.java": (
        'interface M {\n  @Select({\n    "SELECT a",\n    "FROM t WHERE id = #{id}"\n  })\n  A a(int id);\n'
        '  @Sql(statements = {"DELETE FROM t", "DELETE FROM u"})\n  void b();\n}\n',
        [("SELECT a\nFROM t WHERE id = $1", 3), ("DELETE FROM t", 7), ("DELETE FROM u", 7)],
    ),
    "nested.js": (
        "const q = `SELECT a FROM t WHERE id IN (${ids.map((i) => { return '}' + i; })})`;\n"
        "const r = `SELECT b FROM ${t} WHERE ${`c = ${c}`} AND d`;\n",
        [
            ("SELECT a FROM t WHERE id IN ($1)", 1),
            ("SELECT b FROM x1 WHERE $1 AND d", 2),
            ("SELECT c = $1", 2),
        ],
    ),
    "a.ts": (
        'const q = `SELECT a\n  FROM t WHERE id = ${id}`;\n// "SELECT hidden FROM t"\n'
        'const r = "SELECT b " +\n  "FROM t WHERE id = " + id;\n',
        [("SELECT a\n  FROM t WHERE id = $1", 1), ("SELECT b\nFROM t WHERE id = $1", 4)],
    ),
    "connections.py": (
        'OPTIONS = {"options": "-c jit=off -csearch_path=app,public"}\nHELP = "tar -c x=y z"\n',
        [("SET jit=off", 1), ("SET search_path=app,public", 1)],
    ),
    "macros.rs": (
        'sqlx::query!("SELECT a " + r#"FROM t WHERE id = $1"#, id);\n'
        'sqlx::query_as!(T, "SELECT b "\n    + "FROM t");\n'
        'execute(concat!("SELECT c ", "FROM t"));\nlog!("SELECT d", "FROM t", n + 1);\n',
        [
            ("SELECT a FROM t WHERE id = $1", 1),
            ("SELECT b\nFROM t", 2),
            ("SELECT c FROM t", 4),
            ("SELECT d", 5),
        ],
    ),
    "a.toml": (
        'name = "Show more"\n[[queries]]\nmetrics = ["SELECT 1", "SELECT \\"b\\" FROM t"]\n',
        [("SELECT 1", 3), ('SELECT "b" FROM t', 3)],
    ),
    "agent.conf": (
        '[agent]\n  interval = "10s"\n[[inputs.query]]\n  # "SELECT hidden FROM t"\n'
        '  sqlquery = """\nSELECT a\nFROM t"""\n  other = \'SELECT 2\'\n',
        [("SELECT a\nFROM t", 6), ("SELECT 2", 8)],
    ),
    "a.go": (
        "package a\n\nconst q = `SELECT a\nFROM t WHERE id = $1`\n",
        [("SELECT a\nFROM t WHERE id = $1", 3)],
    ),
    "A.java": (
        'class A {\n  String q = """\n    SELECT a FROM t\n    """;\n'
        '  String u = "UPDATE t SET a = ? WHERE id = ?";\n'
        '  String v = new StringBuilder("SELECT a ")\n    .append("FROM t WHERE id = ").append(id).append(" AND c")'
        ".toString();\n}\n",
        [
            ("SELECT a FROM t", 3),
            ("UPDATE t SET a = $1 WHERE id = $2", 5),
            ("SELECT a\nFROM t WHERE id = $1 AND c", 6),
        ],
    ),
    "a.rb": (
        "x = <<~SQL\n  SELECT a FROM t\n  WHERE id = #{id}\nSQL\ny = \"SELECT b FROM t WHERE c = '#{c}'\"\n"
        "z = %q(\n  SELECT c)\nrun(%Q{SELECT #{d}})\n",
        [
            ("SELECT a FROM t\n  WHERE id = $1", 2),
            ("SELECT b FROM t WHERE c = '%s'", 5),
            ("SELECT c", 7),
            ("SELECT $1", 8),
        ],
    ),
}


GROWING = {
    "a.py": (
        'T = "orders"\nq = "SELECT a FROM {} WHERE b = {x}".format(T, x=x)\n'
        'r = "SELECT c FROM %s LIMIT %s" % (T, n)\n'
        'def f(a):\n    sql = "SELECT d FROM t"\n    if a:\n        sql += " WHERE e = 1"\n    else:\n'
        '        sql += " WHERE e = 2"\n    sql += " ORDER BY g"\n'
        '    sql = "DELETE FROM h "\n    sql += "WHERE i"\n',
        [
            ("SELECT a FROM orders WHERE b = $1", 2),
            ("SELECT c FROM orders LIMIT $1", 3),
            ("SELECT d FROM t\n WHERE e = 1\n ORDER BY g", 5),
            ("SELECT d FROM t\n ORDER BY g", 5),
            ("DELETE FROM h\nWHERE i", 11),
        ],
    ),
    "a.js": (
        'function f() { let q = "SELECT a FROM t"; if (x) { q += " WHERE b"; }\n q += " LIMIT 1"; }',
        [("SELECT a FROM t WHERE b\n LIMIT 1", 1), ("SELECT a FROM t\n LIMIT 1", 1)],
    ),
    "a.go": (
        'package a\nconst T = "orders"\nfunc f() {\n q := "SELECT a FROM t"\n q += " WHERE b"\n'
        ' fmt.Sprintf("SELECT c FROM %s WHERE d = $1", T)\n var s strings.Builder\n s.WriteString("SELECT e ")\n'
        ' s.WriteString("FROM g")\n}\n',
        [("SELECT a FROM t\n WHERE b", 4), ("SELECT c FROM orders WHERE d = $1", 6), ("SELECT e\nFROM g", 8)],
    ),
    "A.java": (
        'class A { static final String T = "orders";\n'
        ' void f() { StringBuilder s = new StringBuilder("SELECT a ");\n'
        ' s.append("FROM b ").append("WHERE c"); if (x) { s.append(" AND d"); }\n'
        ' String.format("SELECT e FROM %s", T); "SELECT g FROM %s".formatted(T); } }',
        [
            ("SELECT a\nFROM b WHERE c AND d", 2),
            ("SELECT a\nFROM b WHERE c", 2),
            ("SELECT e FROM orders", 4),
            ("SELECT g FROM orders", 4),
        ],
    ),
    "a.kt": ('fun f() { var q = "SELECT a FROM t"\n q += " WHERE b" }', [("SELECT a FROM t\n WHERE b", 1)]),
    "a.scala": ('object A { var q = "SELECT a FROM t"; q += " WHERE b" }', [("SELECT a FROM t WHERE b", 1)]),
    "a.php": (
        '<?php const T = "x"; $q = "SELECT a FROM t"; $q .= " WHERE b"; sprintf("SELECT c FROM %s", T);',
        [("SELECT a FROM t WHERE b", 1), ("SELECT c FROM x", 1)],
    ),
    "a.cs": (
        'class A { const string T = "x"; void F() { var s = new StringBuilder(); s.AppendLine("SELECT a");\n'
        ' s.AppendLine("FROM b"); string.Format("SELECT c FROM {0}", T); } }',
        [("SELECT a\nFROM b", 1), ("SELECT c FROM x", 2)],
    ),
    "a.rs": (
        'fn f() { let mut q = String::from("SELECT a FROM t"); q += " WHERE b"; q.push_str(" AND c"); }',
        [("SELECT a FROM t WHERE b AND c", 1)],
    ),
    "continued.rs": (
        'fn f() { let q = "SELECT 4\\\n    AND x"; }',
        [("SELECT 4AND\nx", 1)],
    ),
    "block.scala": (
        'object A:\n  val q =\n    "SELECT a FROM t" +\n      " WHERE b"\n',
        [("SELECT a FROM t\n WHERE b", 3)],
    ),
    "a.rb": ('q = "SELECT a FROM t"\nq += " WHERE b"\nq << " AND c"\n', [("SELECT a FROM t\n WHERE b\n AND c", 1)]),
    "a.pl": (
        'my $n = "x"; my $q = "SELECT a FROM t"; $q .= " WHERE b"; sprintf("SELECT c FROM %s", $n);',
        [("SELECT a FROM t WHERE b", 1), ("SELECT c FROM x", 1)],
    ),
}  # fmt: skip
"""Texts that programs add to, and formats with constants of the same file."""


@pytest.mark.parametrize("name", GROWING)
def test_what_a_program_adds_and_formats_is_one_statement(tmp_path: Path, name: str) -> None:
    text, expected = GROWING[name]
    read = read_source(written(tmp_path, name, text), name)
    assert [(each.sql.strip(), each.lines[0]) for each in read] == expected


@pytest.mark.parametrize("name", SOURCES)
def test_literals_of_source_code_with_their_lines(tmp_path: Path, name: str) -> None:
    text, expected = SOURCES[name]
    path = written(tmp_path, name, text)
    read = list(read_source(path, name))
    assert [
        (each.sql.strip(), each.place(len(each.sql) - len(each.sql.lstrip())).line) for each in read
    ] == expected


EXPRESSIONS = [
    ("extract(dow from at)", True),
    ("o.area @ %s::box AND lower(o.name) = :name", True),
    ("extract(dow from ?) as dow, ? + 1", True),
    ("at", False),
    ("placed at", False),
    ("at, 1", False),
    ("now() - '1 day'::interval", True),
    ("now() - 1", False),
    ("to_tsquery('simple', 'a & b')", True),
    ("count(o.*)", False),
    ("EXISTS (SELECT 1 FROM t WHERE a = b)", False),
    ("lower(name) FROM people", False),
    ("Save the (changed) file", False),
    ("a + b -- c", False),
]


@pytest.mark.parametrize(("text", "is_one"), EXPRESSIONS)
def test_a_text_is_an_expression_by_the_grammar(tmp_path: Path, text: str, is_one: bool) -> None:
    """One with a column or a parameter, and more than names; its place is that in the file."""
    read = list(read_source(written(tmp_path, "a.py", f'q = "{text}"\n'), "a.py"))
    assert [each.kind for each in read] == ["expression"] * is_one
    for each in read:
        assert each.place(len("SELECT ")).column == 6


SHOP = """\
CREATE TABLE orders (id int PRIMARY KEY, at timestamptz, area box);
CREATE TABLE items (id int PRIMARY KEY, order_id int, sent timestamptz, size int);
CREATE TABLE parcels (size text);
"""
PROGRAM = """\
hour = RawSQL("extract(hour FROM at)", ())
same = RawSQL("extract(hour FROM at)::int", ())
inside = Order.objects.extra(where=["area @ %s::box"])
joined = "o.area @ '((0,0),(1,1))' AND o.id = i.order_id AND i.sent > now()"
other = "area <@ %s::box"
either = "size + size"
english = "(sent) - at - area"
"""


@pytest.mark.pg(matrix=False)
def test_expressions_are_looked_at_with_the_tables_that_have_their_columns(tmp_path: Path) -> None:
    schema, program = written(tmp_path, "shop.sql", SHOP), written(tmp_path, "shop.py", PROGRAM)
    found = readiness(
        old="13", new="14", schema=[schema], queries=[program], stages=["queries", "incompatibilities"]
    )
    shown = {(each.place.line, each.place.column, each.behavior) for each in found.affects if each.place}
    assert shown == {(1, 16, "14/extract-type"), (3, 43, "14/box-in-box"), (4, 18, "14/box-has-box")}


def test_the_place_in_a_literal_is_that_in_the_file(tmp_path: Path) -> None:
    text, _ = SOURCES["a.py"]
    (_, joined, _) = read_source(written(tmp_path, "a.py", text), "a.py")
    at = joined.place(joined.sql.index("WHERE"))
    assert (at.line, at.column) == (6, 13)
    assert text.split("\n")[at.line - 1][at.column - 1 :].startswith("WHERE")


def test_statements_are_values_of_ini_files(tmp_path: Path) -> None:
    text = "; SELECT 1\n[pool]\nname = Show more\n# why\nquery = SELECT a\n  FROM t\nlast: SELECT 2\n"
    found = read_source(written(tmp_path, "a.ini", text), "a.ini")
    assert [(each.sql, each.lines, each.columns[0]) for each in found] == [
        ("SELECT a\nFROM t", (5, 6), 9),
        ("SELECT 2", (7,), 7),
    ]
    with pytest.raises(PgFeaturesError, match=r"^a\.ini:2: "):
        list(read_source(written(tmp_path, "a.ini", "[a]\nno value\n"), "a.ini"))


JOINED = {
    "a.py": (
        'P = ("SELECT a", "FROM b")\nq = " ".join(P)\nr = "\\n".join(["SELECT c",\n  "FROM d"])\n'
        's = "SELECT e FROM t WHERE " + " AND ".join(["f = 1", "g"])\nt = " ".join(["SELECT h FROM t", where])\n'
        'u = "UPDATE t SET i IN (" + ", ".join(f"{j}::text" for j in js) + ")"\n',
        [
            ("SELECT a FROM b", 1), ("SELECT c\nFROM d", 3), ("SELECT e FROM t WHERE f = 1 AND g", 5),
            ("SELECT h FROM t x1", 6), ("SELECT h FROM t", 6), ("UPDATE t SET i IN ($1::text)", 7),
        ],
    ),
    "a.js": ('x = ["SELECT a", "FROM b"].join(" ")', [("SELECT a FROM b", 1)]),
    "a.go": (
        'package a\nfunc f() { strings.Join([]string{"SELECT a", "FROM b"}, " ") }', [("SELECT a FROM b", 2)]
    ),
    "A.java": (
        'class A { void f() { String.join(" ", "SELECT a", "FROM b"); '
        'String.join(" ", List.of("SELECT c", "FROM d")); } }',
        [("SELECT a FROM b", 1), ("SELECT c FROM d", 1)],
    ),
    "a.kt": (
        'fun f() { listOf("SELECT a", "FROM b").joinToString(separator = " ") }', [("SELECT a FROM b", 1)]
    ),
    "a.scala": ('object A { val x = Seq("SELECT a", "FROM b").mkString(" ") }', [("SELECT a FROM b", 1)]),
    "a.php": ('<?php implode(" ", ["SELECT a", "FROM b"]);', [("SELECT a FROM b", 1)]),
    "a.cs": (
        'class A { void F() { string.Join(" ", new[] {"SELECT a", "FROM b"}); '
        'string.Join(" ", "SELECT c", "FROM d"); } }',
        [("SELECT a FROM b", 1), ("SELECT c FROM d", 1)],
    ),
    "a.rs": ('fn f() { ["SELECT a", "FROM b"].join(" "); }', [("SELECT a FROM b", 1)]),
    "a.rb": ('["SELECT a", "FROM b"].join(" ")', [("SELECT a FROM b", 1)]),
    "a.ex": ('Enum.join(["SELECT a", "FROM b"], " ")', [("SELECT a FROM b", 1)]),
    "a.pl": ('join(" ", "SELECT a", "FROM b"); run(join " ", "SELECT c", "FROM d");', [
        ("SELECT a FROM b", 1), ("SELECT c FROM d", 1),
    ]),
}  # fmt: skip
"""Texts that programs make of lists."""


@pytest.mark.parametrize("name", JOINED)
def test_the_elements_of_a_joined_list_are_one_statement(tmp_path: Path, name: str) -> None:
    text, expected = JOINED[name]
    read = [
        (each.sql.strip(), each.lines[0])
        for each in read_source(written(tmp_path, name, text), name)
        if each.sql not in ("SELECT a", "SELECT c")
    ]
    assert read == expected


ROUTINES = """\
CREATE FUNCTION py(a integer) RETURNS integer LANGUAGE plpython3u AS $$
    # "SELECT hidden FROM t"
    plan = plpy.prepare("SELECT a FROM t WHERE id = $1", ["integer"])
    rv = plpy.execute('''
        SELECT b
          FROM t''')
    plpy.notice("none found")
$$;
CREATE OR REPLACE FUNCTION app.pe(text) RETURNS void AS $body$
    my $rv = spi_exec_query("SELECT c FROM t WHERE x = $_[0] AND y = '$h->{a}'", 5);
    spi_query(qq{SELECT d
       FROM t}); my $q = q(SELECT e FROM t WHERE id = $1);
    my $z = <<"SQL"; # "SELECT hidden FROM t"
SELECT f
  FROM t WHERE x = $x
SQL
    my $j = "SELECT g " . "FROM t WHERE b = " . quote_literal($x);
$body$ LANGUAGE plperl;
DO LANGUAGE plperlu $$ spi_exec_query('SELECT h FROM t'); $$;
CREATE FUNCTION tc(text) RETURNS void LANGUAGE 'pltcl' AS '
  spi_exec -array C "SELECT i FROM t WHERE x = [quote_literal $1]
     AND y" { set a 1 }
  spi_exec {SELECT j FROM t}
';
CREATE FUNCTION v8() RETURNS void LANGUAGE plv8 AS $$ plv8.execute(`SELECT k FROM t WHERE id = ${x}`); $$;
CREATE FUNCTION other() RETURNS void LANGUAGE plsh AS $$ psql -c "SELECT hidden FROM t" $$;
CREATE FUNCTION own() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN 'SELECT hidden FROM t'; END $$;
"""


def test_literals_in_routines_of_other_languages_with_their_lines(tmp_path: Path) -> None:
    path = written(tmp_path, "r.sql", ROUTINES)
    queries = [each.query for each in SqlReader("schema", no_resolver).file(path, "r.sql")]
    read = literals_in_routines(queries, [])
    assert [(" ".join(each.sql.split()), each.place(_first(each)).line, each.inside) for each in read] == [
        ("SELECT a FROM t WHERE id = $1", 3, "function py(a integer)"),
        ("SELECT b FROM t", 5, "function py(a integer)"),
        ("SELECT c FROM t WHERE x = $1 AND y = '%s'", 10, "function app.pe(text)"),
        ("SELECT d FROM t", 11, "function app.pe(text)"),
        ("SELECT e FROM t WHERE id = $1", 12, "function app.pe(text)"),
        ("SELECT f FROM t WHERE x = $1", 14, "function app.pe(text)"),
        ("SELECT g FROM t WHERE b = $1", 17, "function app.pe(text)"),
        ("SELECT h FROM t", 19, "DO"),
        ("SELECT i FROM t WHERE x = $1 AND y", 21, "function tc(text)"),
        ("SELECT j FROM t", 23, "function tc(text)"),
        ("SELECT k FROM t WHERE id = $1", 25, "function v8()"),
    ]


def _first(found: Query) -> int:
    return len(found.sql) - len(found.sql.lstrip())


def test_numbers_are_constants(tmp_path: Path) -> None:
    text = 'BATCH = 500\nqueue = f"""\nSELECT a FROM t LIMIT {BATCH}FOR UPDATE"""\n'
    (read,) = read_source(written(tmp_path, "a.py", text), "a.py")
    assert read.sql.split("LIMIT ")[1] == "500FOR UPDATE"


OF_CLASSES = {
    "a.ex": ('@table "x"\ndef a, do: "SELECT a FROM #{@table}"\ndef b, do: "SELECT b FROM " <> @table\n', 2),
    "a.kt": (
        'const val TABLE = "x"\nval a = "SELECT a FROM $TABLE"\nval b = "SELECT b FROM " + A.TABLE\n',
        2,
    ),
    "a.php": (
        "<?php class A { const TABLE = 'x'; function a() { return 'SELECT a FROM '.self::TABLE; }\n"
        'function b() { return "SELECT b FROM " . static::TABLE; } }',
        1,
    ),
    "A.java": (
        'class A { static final String TABLE = "x"; String a = "SELECT a FROM " + A.TABLE;\n'
        'String b = "SELECT b FROM " + this.TABLE; }',
        1,
    ),
    "a.py": (
        'class A:\n  T = "x"; a = "SELECT a FROM " + A.T\n  def f(self): return f"SELECT b FROM {self.T}"',
        2,
    ),
}
"""Constants of classes, and of modules of Elixir."""


@pytest.mark.parametrize("name", OF_CLASSES)
def test_constants_of_classes_have_their_values(tmp_path: Path, name: str) -> None:
    text, line = OF_CLASSES[name]
    read = read_source(written(tmp_path, name, text), name)
    assert [(" ".join(each.sql.split()), each.lines[0]) for each in read] == [
        ("SELECT a FROM x", line),
        ("SELECT b FROM x", line + 1),
    ]
