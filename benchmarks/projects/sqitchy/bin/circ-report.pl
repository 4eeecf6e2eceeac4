#!/usr/bin/env perl

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Circ::Report;

my $command = shift @ARGV or die "usage: circ-report.pl tags|feed|overdue\n";
my $report  = Circ::Report->new;

die "the feed needs a date; its times are abstime, in seconds\n"
    if $command eq 'feed' && !@ARGV;

my $rows = $report->$command(@ARGV);
for my $row (@$rows) {
    print join("\t", ref $row eq 'HASH' ? map { $_ // '' } values %$row : @$row), "\n";
}
