use std::time::Duration;

use anyhow::{bail, Result};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{PgPool, Row};

/// What a fresh connection gets. The dashboards read with the same settings.
pub const SESSION: &str = "SET statement_timeout = '20s'";

pub async fn connect(url: &str) -> Result<PgPool> {
    let options: PgConnectOptions = url.parse::<PgConnectOptions>()?.application_name("glasshoused");
    let pool = PgPoolOptions::new()
        .max_connections(12)
        .acquire_timeout(Duration::from_secs(5))
        .after_connect(|connection, _| {
            Box::pin(async move {
                sqlx::query(SESSION).execute(&mut *connection).await?;
                Ok(())
            })
        })
        .connect_with(options)
        .await?;
    check_locale(&pool).await?;
    Ok(pool)
}

pub async fn server_version(pool: &PgPool) -> Result<String> {
    let row = sqlx::query("SHOW server_version").fetch_one(pool).await?;
    Ok(row.try_get(0)?)
}

/// Labels must sort as on the printer, so the database has to be UTF-8.
async fn check_locale(pool: &PgPool) -> Result<()> {
    let encoding: String = sqlx::query_scalar("SHOW server_encoding").fetch_one(pool).await?;
    let collate: String = sqlx::query_scalar(
        "SELECT datcollate FROM pg_database WHERE datname = current_database()",
    )
    .fetch_one(pool)
    .await?;
    if encoding != "UTF8" || !collate.to_uppercase().contains("UTF") {
        bail!("the database has encoding {encoding} and collation {collate}");
    }
    Ok(())
}
