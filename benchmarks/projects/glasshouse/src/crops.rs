//! Batches on the benches, pests, harvest forecasts.

use anyhow::Result;
use chrono::NaiveDate;
use sqlx::PgPool;

/// Each pest once, whatever the number of observations.
pub async fn pests_of_batches(pool: &PgPool) -> Result<Vec<(i64, Vec<String>)>> {
    let rows = sqlx::query_as(
        r#"
        SELECT o.batch_id,
               array_sort(array_agg(o.pest)) AS pests
          FROM pest_observations o
         GROUP BY o.batch_id
         ORDER BY o.batch_id
        "#,
    )
    .fetch_all(pool)
    .await?;
    Ok(rows)
}

pub async fn leaves_of_batches(pool: &PgPool) -> Result<Vec<(i64, Vec<i32>)>> {
    let rows = sqlx::query_as(
        r#"
        SELECT o.id, public.array_sort(o.leaves) AS leaves
          FROM pest_observations o
         ORDER BY o.id
        "#,
    )
    .fetch_all(pool)
    .await?;
    Ok(rows)
}

/// Readers of the seed company scan our codes from right to left.
pub async fn seed_labels(pool: &PgPool) -> Result<Vec<(String, Option<i64>)>> {
    let rows = sqlx::query_as("SELECT reverse(seed_code), crc32 FROM cultivars ORDER BY seed_code")
        .fetch_all(pool)
        .await?;
    Ok(rows)
}

pub const FORECAST: &str = "
    SELECT b.id, c.name,
           b.sown_on + c.days_to_harvest AS first_pick,
           (b.sown_on + interval '1.5 days')::date AS check_germination,
           (b.sown_on + interval '18 months')::date AS keep_records_until
      FROM batches b
      JOIN cultivars c ON c.id = b.cultivar_id
     WHERE b.cleared_on IS NULL
     ORDER BY first_pick, b.id";

pub async fn forecast(pool: &PgPool) -> Result<Vec<(i64, String, NaiveDate, NaiveDate, NaiveDate)>> {
    Ok(sqlx::query_as(FORECAST).fetch_all(pool).await?)
}

pub async fn find_by_label(pool: &PgPool, house: &str, label: &str) -> Result<Option<i32>> {
    let id = sqlx::query_scalar("SELECT id FROM benches WHERE house_code = $1 AND label = $2 ORDER BY id")
        .bind(house)
        .bind(label)
        .fetch_optional(pool)
        .await?;
    Ok(id)
}

pub async fn clear(pool: &PgPool, batch: i64, day: NaiveDate) -> Result<()> {
    sqlx::query!("UPDATE batches SET cleared_on = $2, plants = 0 WHERE id = $1", batch, day)
        .execute(pool)
        .await?;
    Ok(())
}
