#!/usr/bin/perl
# takes a file system snapshot between the start and the stop of a backup
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use BackupKit::Database;

my ($volume) = @ARGV or die "usage: bk-snapshot.pl VOLUME\n";
my $database = BackupKit::Database->new($ENV{PRIMARY} // 'dbi:Pg:host=db1;dbname=postgres');

my $label = 'snapshot-' . time;
$database->start_backup($label);
my $status = system('lvcreate', '--snapshot', '--size', '20G', '--name', $label, $volume);
my $lsn = $database->stop_backup;
die "lvcreate failed: $status\n" if $status;

my $started = $database->started;
my $written = $database->label_written('postgresql.conf');
print "$label: stopped at $lsn, server since $started, configuration of $written\n";
