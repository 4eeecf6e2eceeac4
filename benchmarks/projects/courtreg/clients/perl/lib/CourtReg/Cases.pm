package CourtReg::Cases;

use strict;
use warnings;

sub new {
    my ($class, $dbh) = @_;
    return bless { dbh => $dbh }, $class;
}

sub file_case {
    my ($self, $court, $type, $amount) = @_;
    my ($id, $number) = $self->{dbh}->selectrow_array(
        "INSERT INTO registry.court_case (court_code, type_code, amount) VALUES (?, ?, ?) RETURNING case_id, case_no",
        undef, $court, $type, $amount
    );
    return ($id, $number);
}

sub find_party {
    my ($self, $name) = @_;
    return $self->{dbh}->selectall_arrayref(
        q{
            SELECT party_id, full_name
              FROM registry.party
             WHERE registry.sort_name(full_name) LIKE registry.sort_name(?) || '%'
             ORDER BY full_name
        },
        { Slice => {} }, $name
    );
}

sub close_case {
    my ($self, $id, $reason) = @_;
    $self->{dbh}->do("SELECT registry.close_case(?, ?)", undef, $id, $reason);
    return;
}


1;
