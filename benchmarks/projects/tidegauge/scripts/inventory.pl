#!/usr/bin/perl
# Tables, partitions and views with their sizes, for the yearly report to the agency.
use strict;
use warnings;
use DBI;

my $dbh = DBI->connect('dbi:Pg:dbname=tidegauge;connect_timeout=10', '', '',
    { RaiseError => 1, AutoCommit => 1, pg_enable_utf8 => 1 });

my $relations = $dbh->selectall_arrayref(<<'SQL', { Slice => {} });
    SELECT c.relname::text AS name,
           CASE WHEN c.relispartition THEN 'partition'::text ELSE c.relkind END AS kind,
           c.relnatts AS columns
      FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace
       AND c.relkind IN ('r', 'p', 'v', 'm')
     ORDER BY 1
SQL

# the legend of the report
my $kinds = $dbh->selectall_arrayref(<<'SQL');
    SELECT CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned' ELSE 'summary' END AS kind,
           count(*) AS relations
      FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace
       AND c.relkind IN ('r', 'p', 'm')
     GROUP BY 1
     ORDER BY 1
SQL

# constraints: the short type or a dash
my $constraints = $dbh->selectall_arrayref(<<'SQL');
    SELECT c.relname::text AS name,
           coalesce(k.contype::text, '-'::text) AS kind
      FROM pg_class c
      LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype IN ('c', 'f', 'x')
     WHERE c.oid IN ('public.stations'::regclass, 'public.clusters'::regclass)
     ORDER BY 1, 2
SQL

my $defaults = $dbh->selectall_arrayref(
    q{SELECT a.attname::text AS name, pg_get_expr(d.adbin, d.adrelid) AS adsrc
        FROM pg_attrdef d
        JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
       WHERE d.adrelid = 'public.networks'::regclass});

my ($encoding) = $dbh->selectrow_array("SELECT current_setting('server_encoding')");
my ($lc_messages) = $dbh->selectrow_array("SELECT current_setting('lc_messages')");

printf "%-30s %-12s %3d\n", @{$_}{qw(name kind columns)} for @$relations;
printf "%-12s %d\n", @$_ for @$kinds;
printf "%s: %s\n", @$_ for @$constraints, @$defaults;
print "encoding $encoding, messages $lc_messages\n";
