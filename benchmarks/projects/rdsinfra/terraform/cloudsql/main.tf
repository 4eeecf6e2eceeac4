resource "google_sql_database_instance" "analytics" {
  name             = "analytics-pg"
  database_version = "POSTGRES_12"
  region           = "europe-west3"

  settings {
    tier              = "db-custom-8-32768"
    availability_type = "REGIONAL"
    disk_autoresize   = true

    database_flags {
      name  = "log_min_duration_statement"
      value = "1000"
    }

    # the BI tool keeps snapshots open over lunch
    database_flags {
      name  = "old_snapshot_threshold"
      value = "180"
    }

    database_flags {
      name  = "log_checkpoints"
      value = "on"
    }

    database_flags {
      name  = "random_page_cost"
      value = "1.1"
    }

    maintenance_window {
      day  = 7
      hour = 3
    }
  }
}
