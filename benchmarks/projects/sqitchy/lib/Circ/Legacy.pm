package Circ::Legacy;

use strict;
use warnings;
use DBI;

my $mysql = DBI->connect('dbi:mysql:database=oldcat', 'reader', $ENV{OLDCAT_PASSWORD},
    { RaiseError => 1 });

sub fines {
    return $mysql->selectall_arrayref('SELECT card, consrc, adsrc FROM fines');
}

1;
