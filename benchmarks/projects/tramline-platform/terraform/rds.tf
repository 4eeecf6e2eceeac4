resource "aws_db_parameter_group" "ticketing" {
  name        = "ticketing-postgres-${var.environment}"
  family      = var.postgres_family
  description = "ticketing database (PostgreSQL)"

  parameter {
    name         = "shared_preload_libraries"
    value        = "pg_stat_statements"
    apply_method = "pending-reboot"
  }

  parameter {
    name  = "work_mem"
    value = "32768"
  }

  # the reporting replica runs queries of half an hour
  parameter {
    name  = "vacuum_defer_cleanup_age"
    value = "50000"
  }

  parameter {
    name  = "hot_standby_feedback"
    value = "1"
  }

  parameter {
    name  = "vacuum_cost_page_miss"
    value = "5"
  }

  parameter {
    name  = "password_encryption"
    value = "scram-sha-256"
  }

  parameter {
    name  = "autovacuum_max_workers"
    value = "6"
    apply_method = "pending-reboot"
  }
}

resource "aws_db_parameter_group" "timetable" {
  name   = "timetable-mysql-${var.environment}"
  family = "mysql8.0"

  parameter {
    name  = "lc_time_names"
    value = "en_IE"
  }
}

resource "aws_db_instance" "ticketing" {
  identifier           = "ticketing-${var.environment}"
  engine               = "postgres"
  instance_class       = var.instance_class
  allocated_storage    = 500
  parameter_group_name = aws_db_parameter_group.ticketing.name
}
