package Circ::Replication;

use strict;
use warnings;

sub standbys {
    my ($dbh) = @_;
    return $dbh->selectall_arrayref(<<'SQL', { Slice => {} });
        SELECT application_name, state,
               replay_location
          FROM pg_stat_replication
         ORDER BY application_name
SQL
}

sub replayed {
    my ($dbh) = @_;
    if ($dbh->{pg_server_version} < 100000) {
        return $dbh->selectrow_array('SELECT pg_last_xlog_replay_location()');
    }
    return $dbh->selectrow_array('SELECT pg_last_wal_replay_lsn()');
}

sub defaults {
    my ($dbh, $table) = @_;
    return $dbh->selectall_arrayref(<<'SQL', {}, $table);
        SELECT a.attname, d.adsrc
          FROM pg_attrdef d
          JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
         WHERE d.adrelid = ?::regclass
SQL
}

sub expressions {
    my ($dbh, $table) = @_;
    return $dbh->selectall_arrayref(
        'SELECT adnum, pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = ?::regclass',
        {}, $table);
}

1;
