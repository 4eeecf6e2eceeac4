"""Texts of a program that it gives to another database system, or only shows to people, are none of ours."""

from __future__ import annotations

import re
from pathlib import PurePath

import pytest

from pytest_pgfeatures.readiness.guards import Guards
from pytest_pgfeatures.readiness.inputs.program_texts import texts_of
from pytest_pgfeatures.readiness.inputs.texts import is_of_others
from pytest_pgfeatures.readiness.model import Place
from pytest_pgfeatures.version import PgVersion

PROGRAMS = {
    "python": """import sqlite3, psycopg
Q = "SELECT ours 1"
def load():
    source = MySqlHook(mysql_conn_id="shop")
    rows = source.get_records('''SELECT theirs 0''', parameters=())
    PostgresHook(postgres_conn_id="dwh").run("SELECT ours 0")
L = "SELECT theirs 1"
def _cache():
    conn = sqlite3.connect("x.db")
    return conn
class A:
    def __init__(self, dsn):
        self.db = sqlite3.connect(dsn)
        self.pg = psycopg.connect(dsn)
    def f(self, conn, other: sqlite3.Connection):
        conn.execute("SELECT ours 2"); self.db.execute("SELECT theirs 2"); self.pg.execute("SELECT ours 3")
        with sqlite3.connect(p) as c:
            c.execute("SELECT theirs 3" % x)
            cur = c.cursor()
            rows = cur.execute("SELECT theirs 4").fetchall()
            self.pg.execute("SELECT ours 4", rows)
        with _cache() as d: d.execute(L); d.execute(text("SELECT theirs 5"))
        other.execute("SELECT theirs 6")
        print("SELECT shown 1"); print("SELECT ours 5", file=f)
        raise ValueError("SELECT shown 2")
        conn.execute(Q)
        sql = "SELECT shown 3"
        print(sql)
        print(conn.execute("SELECT ours 6"))
        logger.info("SELECT shown 4 %s", x)
        engine = create_engine(os.environ.get("URL", "sqlite://"))
        engine.execute("SELECT ours 7")
        pd.read_sql("SELECT theirs 7", con=c)
        lite = create_engine("sqlite:///x.db")
        lite.connect().execute("SELECT theirs 8")
""",
    "go": """package a
import _ "github.com/mattn/go-sqlite3"
const hint = "SELECT shown 1"
func f(db *sql.DB) error {
  fmt.Println("SELECT shown 2"); fmt.Println(hint); fmt.Fprintln(os.Stderr, "SELECT shown 3")
  lite, err := sql.Open("sqlite3", p); lite.Exec("SELECT theirs 1"); db.Exec("SELECT ours 1")
  fmt.Fprintf(&sb, "SELECT ours 2"); q := fmt.Sprintf("SELECT ours 3 %s", t); db.Query(q)
  log.Printf("SELECT shown 4 %s", x); return fmt.Errorf("SELECT shown 5 %w", e) }
""",
    "java": """class A { void f(Connection d) { System.out.println("SELECT shown 1");
  try (Connection c = DriverManager.getConnection("jdbc:mysql://x/y"); Statement s = c.createStatement()) {
    c.prepareStatement("SELECT theirs 1").executeQuery(); s.execute("SELECT theirs 2"); }
  d.prepareStatement("SELECT ours 1"); log.info("SELECT shown 2"); throw new E("SELECT shown 3"); } }""",
    "kotlin": """fun f(d: Db) { println("SELECT shown 1"); logger.info { "SELECT shown 2" }
  val c = DriverManager.getConnection("jdbc:mysql:x"); c.exec("SELECT theirs 1"); d.exec("SELECT ours 1")
  throw E("SELECT shown 3") }""",
    "scala": """object A { def f(d: Db) = { println("SELECT shown 1")
  val c = DriverManager.getConnection("jdbc:h2:x"); c.execute("SELECT theirs 1"); d.execute("SELECT ours 1") } }""",
    "php": """<?php function f(PDO $d) { echo "SELECT shown 1"; print "SELECT shown 2"; Log::info("SELECT shown 3");
  DB::connection("mysql")->select("SELECT theirs 1"); DB::select("SELECT ours 1"); $this->a->query("SELECT ours 2");
  $m = new PDO("mysql:host=x"); $m->query("SELECT theirs 2"); $this->l = new PDO('sqlite:x');
  $this->l->exec("SELECT theirs 3"); DB::table("x")->where("source", "mysql")->whereRaw("SELECT ours 3");
  throw new E("SELECT shown 4"); }""",
    "c#": """class A { private readonly SqlConnection _c; void G() {
  _c.Execute("SELECT theirs 0"); this._c.Query("SELECT theirs 9"); }
  void F(SqliteConnection d) { Console.WriteLine("SELECT shown 1");
  using var c = new SqlConnection("x"); c.Query<int>("SELECT theirs 1"); d.Execute("SELECT theirs 2");
  using (var p = new NpgsqlConnection(x)) { p.Query("SELECT ours 1"); }
  _logger.LogInformation("SELECT shown 2"); throw new E("SELECT shown 3"); } }""",
    "rust": """fn f(d: &Db) { println!("SELECT shown 1 {}", x); let c = SqlitePool::connect("x");
  sqlx::query("SELECT theirs 1").execute(&c); sqlx::query("SELECT ours 1").execute(d); log::info!("SELECT shown 2");
  anyhow::bail!("SELECT shown 3"); sqlx::query!("SELECT ours 2") }""",
    "ruby": """def f(d)
  puts "SELECT shown 1"
  raise E, "SELECT shown 2"
  Rails.logger.info("SELECT shown 3")
  c = SQLite3::Database.new("x")
  c.execute("SELECT theirs 1")
  execute "SELECT ours 1"
  @my = Mysql2::Client.new(x)
  @my.query("SELECT theirs 2")
end""",
    "elixir": """def f(d) do
  IO.puts("SELECT shown 1")
  raise "SELECT shown 2"
  Repo.query("SELECT ours 1")
  MyXQL.query(c, "SELECT theirs 1")
end""",
    "perl": """print "SELECT shown 1"; print STDERR "SELECT shown 2"; print $fh "SELECT ours 1";
  print {$fh} "SELECT ours 2";
  my $d = DBI->connect("dbi:SQLite:x"); $d->do("SELECT theirs 1"); die "SELECT shown 3";
  my $p = DBI->connect("dbi:Pg:x"); $p->do("SELECT ours 3");""",
    "typescript": """import Database from "better-sqlite3"; import {createPool} from "mysql2/promise";
  const my = createPool({host: x}); const db = new Database("x"); const k = knex({client: "mysql2"});
  const own = knex({ client: 'pg' }); console.log("SELECT shown 1"); throw new Error(`SELECT shown 2 ${x}`);
  db.prepare("SELECT theirs 1").all(); await my.query("SELECT theirs 2"); k.raw("SELECT theirs 3");
  own.raw("SELECT ours 1"); class C { private d = new Database("y");
  f(p: Pool) { this.d.exec("SELECT theirs 4"); p.query("SELECT ours 2"); this.logger.warn("SELECT shown 3"); } }""",
}


@pytest.mark.parametrize("language", PROGRAMS)
def test_only_texts_for_postgresql_are_read(language: str) -> None:
    program = PROGRAMS[language]
    read = {text.text[:13].strip() for text in texts_of(program, language) if "SELECT" in text.text}
    assert read == set(re.findall(r"SELECT ours \d", program))


@pytest.mark.parametrize(
    ("condition", "guarded"),
    [
        ("connection.vendor == 'sqlite'", {2}),
        ('bind.dialect.name != "postgresql"', {2}),
        ("dialect == 'pg'", {4}),
        ("engine not in ('mysql', 'mariadb')", {4}),
        ("driver == 'mysql' or driver == 'sqlite'", {2}),
        ("driver == 'mysql' and busy", {2}),
        ("driver == 'mysql' or busy", set()),
        ("driver == 'postgresql' and busy", set()),
        ("engine == 'fast'", set()),
        ("os.path.exists('/var/lib/mysql')", set()),
    ],
)
def test_branches_for_other_systems(tmp_path, condition: str, guarded: set[int]) -> None:
    (tmp_path / "a.py").write_text(f"if {condition}:\n    a()\nelse:\n    b()\n# mysql\n")
    guards = Guards(PgVersion("14.1"), PgVersion("18.1"))
    assert {line for line in (2, 4) if guards.at(Place(str(tmp_path / "a.py"), line, 5))} == guarded


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("mysql/a.sql", True),
        ("sql/sqlite3/a.sql", True),
        ("store_mysql.go", True),
        ("a.oracle.sql", True),
        ("mysql_import/a.sql", False),
        ("mysqlstore.go", False),
        ("postgres/from_mysql.sql", False),
    ],
)
def test_files_of_other_systems_by_their_paths(path: str, expected: bool) -> None:
    assert is_of_others(PurePath(path)) == expected
