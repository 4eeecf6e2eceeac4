package Desk::Tickets;
use strict;
use warnings;

# UPDATE tickets SET (subject) = ('x') was accepted.

sub rename {
    my ($dbh, $id, $subject) = @_;
    $dbh->do("UPDATE tickets SET (subject) = (?) WHERE id = ?", undef, $subject, $id);
    $dbh->do("UPDATE tickets SET (subject, queue) = (?, ?) WHERE id = ?", undef, $subject, 'q', $id);
    $dbh->do("UPDATE tickets SET subject = unnest(tags) WHERE id = ?", undef, $id);
    $dbh->do("UPDATE tickets SET tags = (SELECT array_agg(t) FROM unnest(tags) t) WHERE id = ?", undef, $id);
}

sub lists {
    my ($dbh) = @_;
    $dbh->selectall_arrayref("SELECT CASE WHEN id > 1 THEN unnest(tags) ELSE '' END FROM tickets");
    $dbh->selectall_arrayref("SELECT unnest(tags) FROM tickets");
    $dbh->selectall_arrayref("SELECT id FROM tickets WHERE starts_with(subject, ?)", {}, 'Re');
    $dbh->selectall_arrayref("SELECT id FROM tickets WHERE public.starts_with(subject, ?)", {}, 'Re');
    $dbh->selectall_arrayref("SELECT log10(id) FROM tickets");
    $dbh->selectall_arrayref("SELECT length(subject) FROM tickets");
    $dbh->selectall_arrayref(qq{
        SELECT id
          FROM tickets
         WHERE opened > ?::abstime
    }, {}, '2020-01-01');
}

sub functions {
    my ($dbh) = @_;
    $dbh->do(q{CREATE FUNCTION twice(integer) RETURNS integer LANGUAGE sql AS 'SELECT $1 * 2' WITH (isStrict)});
    $dbh->do(q{CREATE FUNCTION thrice(integer) RETURNS integer LANGUAGE sql STRICT AS 'SELECT $1 * 3'});
    $dbh->do(q{CREATE TABLE closed (id integer) WITH ("FillFactor" = 70)});
    $dbh->do(q{CREATE TABLE reopened (id integer) WITH (FillFactor = 70)});
    $dbh->do(q{CREATE TABLE archived (id integer) WITH OIDS});
}

1;
