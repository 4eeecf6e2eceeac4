package CourtReg::DB;

use strict;
use warnings;
use DBI;

# One connection for each process of the clerks' terminal.
sub connect {
    my ($class, %option) = @_;
    my $host = $option{host} // 'registry-db';
    my $dbh  = DBI->connect(
        "dbi:Pg:dbname=registry;host=$host", $option{user}, $option{password},
        { RaiseError => 1, PrintError => 0, AutoCommit => 1, pg_enable_utf8 => 1 }
    );
    $dbh->do("SET search_path = registry, public");
    $dbh->do("SET statement_timeout = '30s'");
    return $dbh;
}

1;
