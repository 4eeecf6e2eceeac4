package Circ::Report;

use strict;
use warnings;
use DBI;

sub new {
    my ($class, %args) = @_;
    my $dbh = DBI->connect($args{dsn} || 'dbi:Pg:dbname=circulation', undef, undef,
        { RaiseError => 1, AutoCommit => 1 });
    return bless { dbh => $dbh }, $class;
}

sub tags {
    my ($self) = @_;
    return $self->{dbh}->selectall_arrayref(q{
        SELECT barcode,
               CASE WHEN shelf IS NULL THEN 'unshelved' ELSE unnest(tags) END AS tag
          FROM circ.items
         ORDER BY barcode
    });
}

sub shelves {
    my ($self) = @_;
    return $self->{dbh}->selectall_arrayref(q{
        SELECT shelf, unnest(tags) AS tag
          FROM circ.items
         WHERE shelf IS NOT NULL
    });
}

sub feed {
    my ($self, $since) = @_;
    my $sql = 'SELECT item_id, loaned_at::abstime::int4 AS loaned'
        . ' FROM circ.loans'
        . ' WHERE loaned_at > ?';
    return $self->{dbh}->selectall_arrayref($sql, { Slice => {} }, $since);
}

sub overdue {
    my ($self) = @_;
    return $self->{dbh}->selectall_arrayref(q{
        SELECT item_id, member_id, date_part('epoch', loaned_at) AS loaned
          FROM circ.loans
         WHERE returned_at IS NULL AND due_on < current_date
    }, { Slice => {} });
}

sub transfers {
    my ($self) = @_;
    return $self->{dbh}->selectall_arrayref(
        'SELECT sent_location, count(*) FROM circ.transfers GROUP BY sent_location');
}

1;
