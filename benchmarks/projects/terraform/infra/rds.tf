variable "pg_family" { default = "postgres13" }

resource "aws_db_parameter_group" "pg" {
  name   = "app-pg13"
  family = var.pg_family

  parameter {
    name  = "vacuum_defer_cleanup_age"
    value = "1000"
  }
  parameter {
    name  = "log_min_duration_statement"
    value = "500"
  }
  parameter {
    name         = "force_parallel_mode"
    value        = "off"
    apply_method = "pending-reboot"
  }
  parameter {
    name  = "hash_mem_multiplier"
    value = "1.5"
  }
}

resource "aws_db_parameter_group" "mysql" {
  name   = "shop"
  family = "mysql8.0"
  parameter {
    name  = "old_snapshot_threshold"
    value = "1"
  }
}

resource "google_sql_database_instance" "pg" {
  database_version = "POSTGRES_13"
  settings {
    tier = "db-f1-micro"
    database_flags {
      name  = "operator_precedence_warning"
      value = "on"
    }
    database_flags {
      name  = "checkpoint_completion_target"
      value = "0.5"
    }
  }
}

resource "null_resource" "init" {
  provisioner "local-exec" {
    command = "psql -h ${google_sql_database_instance.pg.ip} -c 'SELECT 1'"
  }
}
