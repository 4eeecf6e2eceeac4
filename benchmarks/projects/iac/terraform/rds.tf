resource "aws_db_parameter_group" "postgres" {
  name   = "shop"
  family = "postgres13"

  parameter {
    name  = "vacuum_cleanup_index_scale_factor"
    value = "0.2"
  }

  parameter {
    name  = "log_min_duration_statement"
    value = "250"
  }

  # name = "old_snapshot_threshold"

  parameter {
    name  = "old_snapshot_threshold"
    value = "60"
  }

  parameter {
    name         = "max_parallel_workers"
    value        = "8"
    apply_method = "pending-reboot"
  }
}

resource "aws_db_parameter_group" "mysql" {
  name   = "legacy"
  family = "mysql8.0"

  parameter {
    name  = "stats_temp_directory"
    value = "/tmp"
  }
}
