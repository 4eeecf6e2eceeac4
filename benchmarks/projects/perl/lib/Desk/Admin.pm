package Desk::Admin;
use strict;
use warnings;

=pod

Calls pg_switch_xlog() at night.

=cut

my $usage = "sql_inheritance is off in our configuration";

sub switch_xlog {
    my ($dbh) = @_;
    return $dbh->selectrow_array("SELECT pg_switch_xlog()");
}

sub is_in_recovery {
    my ($dbh) = @_;
    return $dbh->selectrow_array("SELECT pg_is_in_recovery()");
}

sub lag {
    my ($dbh) = @_;
    my $rows = $dbh->selectall_arrayref(<<'SQL');
SELECT application_name,
       sent_location,
       state
  FROM pg_stat_replication
SQL
    return $rows;
}

sub states {
    my ($dbh) = @_;
    return $dbh->selectall_arrayref("SELECT application_name, sync_state FROM pg_stat_replication");
}

sub locations {
    my ($dbh) = @_;
    return $dbh->selectall_arrayref(q{SELECT l.name FROM sent_location l});
}

sub sequence {
    my ($dbh) = @_;
    return $dbh->selectrow_array(q{SELECT increment_by FROM ticket_seq});
}

sub sequence_value {
    my ($dbh) = @_;
    return $dbh->selectrow_array(q{SELECT last_value FROM ticket_seq});
}

sub steps {
    my ($dbh) = @_;
    return $dbh->selectrow_array(q{SELECT increment_by, adsrc FROM tickets});
}

sub setup {
    my ($dbh) = @_;
    $dbh->do("SET sql_inheritance = off");
    $dbh->do("SET constraint_exclusion = off");
    $dbh->do("SET replacement_sort_tuples = 1000");
    $dbh->do("SET sort_mem = '4MB'");
    $dbh->do("SET min_parallel_relation_size = '16MB'");
    $dbh->do("CREATE ROLE agent LOGIN UNENCRYPTED PASSWORD 'x'");
    $dbh->do("CREATE ROLE boss LOGIN ENCRYPTED PASSWORD 'y'");
    $dbh->do("SET default_with_oids = on");
    $dbh->do("SET default_with_oids = off");
}

sub catalog {
    my ($dbh) = @_;
    $dbh->selectall_arrayref("SELECT relname FROM pg_class WHERE relhaspkey");
    $dbh->selectall_arrayref("SELECT relname FROM pg_class WHERE relhasrules");
    $dbh->selectall_arrayref("SELECT proname FROM pg_proc WHERE NOT proisagg");
    $dbh->selectall_arrayref("SELECT proname FROM pg_proc WHERE proisstrict");
    $dbh->selectall_arrayref("SELECT table_name FROM information_schema.tables WHERE table_type = 'FOREIGN TABLE'");
    $dbh->selectall_arrayref("SELECT count(*) FROM information_schema.tables WHERE table_type = 'VIEW'");
    $dbh->selectall_arrayref("SELECT adnum, adsrc FROM pg_attrdef");
    $dbh->selectall_arrayref("SELECT relname FROM pg_class WHERE relhasoids");
}

1;
