use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::{Executor, Postgres, Transaction};

use crate::config::Settings;

pub async fn connect(settings: &Settings) -> sqlx::Result<PgPool> {
    PgPoolOptions::new()
        .max_connections(20)
        .after_connect(|conn, _| {
            Box::pin(async move {
                conn.execute("SET application_name = 'dispatch'; SET timezone = 'UTC'").await?;
                Ok(())
            })
        })
        .connect(&settings.database_url)
        .await
}

/// Tells triggers and row policies who works at which desk.
pub async fn begin_as<'c>(
    pool: &PgPool,
    operator: &str,
    desk: &str,
) -> sqlx::Result<Transaction<'c, Postgres>> {
    let mut tx = pool.begin().await?;
    sqlx::query("SELECT set_config('dispatch.operator_id', $1, true)")
        .bind(operator)
        .execute(&mut tx)
        .await?;
    sqlx::query("SELECT set_config('dispatch-desk.name', $1, true)")
        .bind(desk)
        .execute(&mut tx)
        .await?;
    Ok(tx)
}
