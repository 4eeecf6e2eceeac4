package BackupKit::Database;

use strict;
use warnings;
use DBI;

sub new {
    my ($class, $dsn) = @_;
    my $dbh = DBI->connect($dsn, undef, undef, { RaiseError => 1, AutoCommit => 1 });
    return bless { dbh => $dbh }, $class;
}

sub start_backup {
    my ($self, $label) = @_;
    my $dbh = $self->{dbh};
    if ($dbh->{pg_server_version} >= 150000) {
        return $dbh->selectrow_array('SELECT pg_backup_start(?, true)', undef, $label);
    }
    else {
        return $dbh->selectrow_array('SELECT pg_start_backup(?, true, false)', undef, $label);
    }
}

sub stop_backup {
    my ($self) = @_;
    my $dbh = $self->{dbh};
    if ($dbh->{pg_server_version} >= 150000) {
        return $dbh->selectrow_array('SELECT lsn FROM pg_backup_stop(true)');
    }
    else {
        return $dbh->selectrow_array('SELECT lsn FROM pg_stop_backup(false, true)');
    }
}

# seconds since the epoch, as stat() in Perl gives them
sub label_written {
    my ($self, $file) = @_;
    my $sql = 'SELECT (s.modification::abstime)::integer'
        . ' FROM pg_stat_file(?, true) AS s';
    my ($seconds) = $self->{dbh}->selectrow_array($sql, undef, $file);
    return $seconds;
}

sub started {
    my ($self) = @_;
    my $sql = <<'SQL';
SELECT extract(epoch FROM pg_postmaster_start_time())::bigint
SQL
    my ($seconds) = $self->{dbh}->selectrow_array($sql);
    return $seconds;
}

1;
