resource "google_sql_database_instance" "journeys" {
  name             = "journeys-${var.environment}"
  region           = "europe-west1"
  database_version = upper(replace(var.postgres_family, "postgres", "POSTGRES_"))

  settings {
    tier = "db-custom-8-32768"

    database_flags {
      name  = "max_connections"
      value = "400"
    }

    database_flags {
      name  = "old_snapshot_threshold"
      value = "360"
    }

    # vacuum_defer_cleanup_age isn't needed here, there is no replica
    database_flags {
      name  = "log_min_duration_statement"
      value = "500"
    }

    database_flags {
      name  = "idle_in_transaction_session_timeout"
      value = "600000"
    }

    database_flags {
      name  = "lc_messages"
      value = "C"
    }

    dynamic "database_flags" {
      for_each = var.extra_flags
      content {
        name  = database_flags.key
        value = database_flags.value
      }
    }
  }
}
