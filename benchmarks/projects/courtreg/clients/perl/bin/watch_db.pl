#!/usr/bin/perl
# Prints what the monitoring of the data centre wants to know, one "name value" a line.
use strict;
use warnings;
use lib '/opt/courtreg/perl/lib';
use CourtReg::DB;

my $dbh = CourtReg::DB->connect(user => 'watch', password => $ENV{WATCH_PASSWORD});

my ($requested) = $dbh->selectrow_array("SELECT checkpoints_req FROM pg_stat_bgwriter");
print "checkpoints.requested $requested\n";

my $timed;
if ($dbh->{pg_server_version} >= 170000) {
    ($timed) = $dbh->selectrow_array("SELECT num_timed FROM pg_stat_checkpointer");
}
else {
    ($timed) = $dbh->selectrow_array("SELECT checkpoints_timed FROM pg_stat_bgwriter");
}
print "checkpoints.timed $timed\n";

my ($cleaned) = $dbh->selectrow_array("SELECT buffers_clean FROM pg_stat_bgwriter");
print "bgwriter.cleaned $cleaned\n";

my ($errors) = $dbh->selectrow_array("SELECT sum(sync_error_count) FROM registry.sync_source WHERE NOT is_muted");
print "sync.errors $errors\n";

my ($waiting) = $dbh->selectrow_array(
    "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND wait_event_type = 'Lock'"
);
print "sessions.waiting $waiting\n";
