# Parameter groups of the billing and ledger instances.

locals {
  # Same for all PostgreSQL instances.
  postgresql_common = [
    { name = "log_min_duration_statement", value = "500", apply_method = "immediate" },
    { name = "checkpoint_completion_target", value = "0.9", apply_method = "immediate" },
    { name = "password_encryption", value = "scram-sha-256", apply_method = "immediate" },
    { name = "idle_in_transaction_session_timeout", value = "600000", apply_method = "immediate" },
  ]
}

resource "aws_db_parameter_group" "billing" {
  name   = "billing-postgres12"
  family = "postgres12"

  parameter {
    name  = "work_mem"
    value = "32768"
  }

  parameter {
    name  = "effective_io_concurrency"
    value = "1"
  }

  # append-only tables: don't walk the whole index for each vacuum
  parameter {
    name  = "vacuum_cleanup_index_scale_factor"
    value = "0.25"
  }

  parameter {
    name  = "log_autovacuum_min_duration"
    value = "10000"
  }

  dynamic "parameter" {
    for_each = local.postgresql_common
    content {
      name         = parameter.value.name
      value        = parameter.value.value
      apply_method = parameter.value.apply_method
    }
  }

  tags = {
    Team = "dbplatform"
    Note = "vacuum_defer_cleanup_age taken out, see docs/decisions.md"
  }
}

resource "aws_db_parameter_group" "ledger" {
  name   = "ledger-postgres12"
  family = "postgres12"

  parameter {
    name         = "max_connections"
    value        = "400"
    apply_method = "pending-reboot"
  }

  parameter {
    name  = "autovacuum_vacuum_scale_factor"
    value = "0.05"
  }

  parameter {
    name         = "shared_preload_libraries"
    value        = "pg_stat_statements"
    apply_method = "pending-reboot"
  }
}
