package Members;
use strict; use DBI;

my $PG = DBI->connect("dbi:Pg:dbname=club", "", "");
my $LITE = DBI->connect("dbi:SQLite:dbname=cache.db", "", "");

sub fees {
    my ($self, $id) = @_;
    return $PG->selectall_arrayref(<<'SQL', undef, $id);
SELECT m.id, to_char(m.fee, '999D99') AS fee,
       to_number('1,234', '9G999') AS amount
  FROM members m
 WHERE m.id = ?
SQL
}

sub oids {
    my $sth = $PG->prepare("SELECT m.oid, m.id FROM old_members m");
    my $sth2 = $PG->prepare("SELECT c.oid, c.relname FROM pg_class c");
    my $sth3 = $PG->prepare(q{SELECT relhaspkey FROM pg_class WHERE relname = 'members'});
    my $sth4 = $PG->prepare(q{SELECT 'relhaspkey' AS label, relhasindex FROM pg_class});
    $LITE->do("SELECT relhaspkey FROM pg_class");
    return $sth;
}

sub power { my $PG = shift; return $PG->selectrow_array("SELECT power('NaN'::float8, 0)"); }
sub power2 { my $PG = shift; return $PG->selectrow_array("SELECT power(2, 0)"); }

sub regex {
    $PG->do(q{UPDATE members SET name = substring(name from '%#"o_b#"%' for '#')});
    $PG->do(q{UPDATE members SET name = substring(name from 'o.b')});
    $PG->do(q{DROP FUNCTION IF EXISTS greet(text)});
    warn "DROP FUNCTION IF EXISTS greet failed";
    $PG->do(q{SELECT setseed(0.3)});
    $PG->do(q{SELECT adsrc FROM pg_attrdef});
    $PG->do(q{SELECT pg_get_expr(adbin, adrelid) AS adsrc FROM pg_attrdef});
}
1;
