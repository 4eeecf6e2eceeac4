#!/usr/bin/perl
# Writes the files for the exchange with IOC: stations, and readings of the last hour.
use strict;
use warnings;
use DBI;

my $dbh = DBI->connect('dbi:Pg:dbname=tidegauge', '', '', { RaiseError => 1 });
my $network = shift // 2;

# stations of the harbours
my $sql = 'SELECT code, name FROM stations WHERE network_id = 2' . 'ORDER BY code';
my $stations = $dbh->selectall_arrayref($sql);

# stations that were closed
my $closed_sql = 'SELECT code, closed_on FROM stations WHERE network_id <> 2 AND closed_on IS NOT NULL' . ' ORDER BY code';
my $closed = $dbh->selectall_arrayref($closed_sql);

# good readings
my $good_sql = 'SELECT station_id, measured_at, level_m FROM readings WHERE quality <= 2 '
    . 'ORDER BY measured_at, station_id LIMIT 50';
my $good = $dbh->selectall_arrayref($good_sql);

# storm levels: 2e0 is the limit of the agency
my $storm = $dbh->selectall_arrayref(
    'SELECT station_id, level_m FROM readings WHERE level_m > 2e0 ORDER BY station_id, measured_at');

my $bins = $dbh->prepare(<<'SQL');
    SELECT public.date_bin(interval '15 minutes', r.measured_at, timestamptz '2000-01-01 00:00+00') AS date_bin,
           max(r.level_m) AS level
      FROM readings r
      JOIN stations s ON s.id = r.station_id
     WHERE s.code = ?
     GROUP BY 1
     ORDER BY 1
SQL

my $areas = $dbh->selectall_arrayref(q{
    SELECT a.code, count(s.id)
      FROM sea_areas a
      LEFT JOIN stations s ON a.extent @> s.location
     GROUP BY a.code
     ORDER BY a.code
});

my $payloads = $dbh->selectall_arrayref(
    q{SELECT id, payload->>'station' FROM exports WHERE sent_at IS NULL ORDER BY id});

for my $station (@$stations) {
    $bins->execute($station->[0]);
    print join(';', $station->[0], @$_), "\n" while $_ = $bins->fetchrow_arrayref;
}
print join(';', @$_), "\n" for @$closed, @$good, @$storm, @$areas, @$payloads;
