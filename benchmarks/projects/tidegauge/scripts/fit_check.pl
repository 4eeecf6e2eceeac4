#!/usr/bin/perl
# Compares the calibrations with the readings of the sensors.
use strict;
use warnings;
use DBI;

my $dbh = DBI->connect('dbi:Pg:dbname=tidegauge', '', '', { RaiseError => 1, AutoCommit => 0 });

my $labels = $dbh->selectall_arrayref(
    'SELECT id, true_cm, round(deviation, 3) FROM calibration_labels ORDER BY id');

# rounded before it becomes text
my $rounded = $dbh->selectall_arrayref(<<'SQL');
    SELECT c.id, round((c.raw_value * 100)::numeric, 2)::text AS raw_cm
      FROM calibrations c
     ORDER BY c.id
SQL

my $factors = $dbh->selectall_arrayref(
    'SELECT id, factor::text FROM sensors WHERE removed IS NULL ORDER BY id');

my $month = $dbh->selectall_arrayref(<<'SQL', undef, 'norh');
    SELECT m.month, m.highest - m.lowest AS range
      FROM station_months m
      JOIN stations s ON s.id = m.station_id
     WHERE s.code = ?
     ORDER BY m.month
SQL

$dbh->do('UPDATE runs SET failed = failed + 1 WHERE id = ?', undef, 1);
$dbh->rollback;

print join(' ', map { $_ // '' } @$_), "\n" for @$labels, @$rounded, @$factors, @$month;
