use anyhow::Result;
use sqlx::PgPool;

/// Connections of the application; the pool has a limit of its own.
const CONNECTIONS: &str = "SELECT count(*)
      FROM pg_stat_activity
     WHERE backend_type = 'client backend'
       AND datname = current_database()";

pub async fn health(axum::extract::State(pool): axum::extract::State<PgPool>) -> Result<String, String> {
    let connections: i64 = sqlx::query_scalar(CONNECTIONS)
        .fetch_one(&pool)
        .await
        .map_err(|error| error.to_string())?;
    let partitions = sqlx::query_scalar!(
        r#"SELECT count(*) AS "partitions!" FROM pg_inherits WHERE inhparent = to_regclass('public.readings')"#
    )
    .fetch_one(&pool)
    .await
    .map_err(|error| error.to_string())?;
    Ok(format!("{connections} connections, {partitions} partitions"))
}

/// Collation of the cluster as it was registered, and of this database
pub async fn collation(pool: &PgPool) -> Result<(Option<String>, String)> {
    let registered = sqlx::query_scalar!("SELECT lc_collate FROM clusters WHERE host = 'db1'")
        .fetch_optional(pool)
        .await?;
    let here: String = sqlx::query_scalar("SELECT datcollate::text FROM pg_database WHERE datname = current_database()")
        .fetch_one(pool)
        .await?;
    Ok((registered, here))
}
