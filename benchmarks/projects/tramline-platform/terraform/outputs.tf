output "ticketing_endpoint" {
  value = aws_db_instance.ticketing.endpoint
}

output "journeys_connection" {
  value = google_sql_database_instance.journeys.connection_name
}
