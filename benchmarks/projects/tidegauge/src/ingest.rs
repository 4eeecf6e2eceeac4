use anyhow::Result;
use bigdecimal::BigDecimal;
use chrono::{DateTime, Utc};
use sqlx::PgPool;

/// Stores a reading; a later one for the same minute wins if its quality is better.
pub async fn store(pool: &PgPool, station: i64, at: DateTime<Utc>, level: BigDecimal, quality: i16) -> Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO readings (station_id, measured_at, level_m, quality)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT (station_id, measured_at)
         DO UPDATE SET level_m = excluded.level_m, quality = excluded.quality
          WHERE excluded.quality < readings.quality",
        station,
        at,
        level,
        quality
    )
    .execute(pool)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn start_run(pool: &PgPool, at: DateTime<Utc>) -> Result<i64> {
    Ok(sqlx::query_scalar!("INSERT INTO runs (started_at) VALUES ($1) RETURNING id", at)
        .fetch_one(pool)
        .await?)
}

pub async fn end_run(pool: &PgPool, id: i64, imported: i32, failed: i32) -> Result<()> {
    sqlx::query!(
        "UPDATE runs
            SET imported = $2, failed = $3, mean_time = total_time / nullif($2, 0)
          WHERE id = $1",
        id,
        imported,
        failed
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Runs that took longest
pub async fn slowest(pool: &PgPool) -> Result<Vec<(i64, Option<BigDecimal>)>> {
    let rows = sqlx::query!(
        "SELECT id, total_time, mean_time
           FROM runs
          ORDER BY total_time DESC NULLS LAST, id
          LIMIT 10"
    )
    .fetch_all(pool)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.total_time)).collect())
}

pub async fn open_gaps(pool: &PgPool) -> Result<Vec<(i64, String)>> {
    let rows = sqlx::query!(
        r#"SELECT g.station_id, g."system_user" AS entered_by FROM gaps g WHERE g.reason IS NULL ORDER BY g.id"#
    )
    .fetch_all(pool)
    .await?;
    Ok(rows.into_iter().map(|row| (row.station_id, row.entered_by)).collect())
}
