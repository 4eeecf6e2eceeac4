//! Irrigation: which programs are due, and what they used.

use anyhow::Result;
use sqlx::PgPool;

use crate::audit;

const DUE: &str = concat!(
    "SELECT p.id FROM irrigation_programs p",
    " WHERE p.enabled AND p.zone_id = $1",
    " AND p.starts_at <= localtime",
    " AND NOT EXISTS (SELECT FROM irrigation_runs r",
    " WHERE r.program_id = p.id AND r.started_at >= current_date)",
);

/// Programs that run longer than five minutes, as printed on the sheet in the pump room.
const LONG: &str = r#"
    SELECT p.name, p.run_time::text, extract(epoch FROM p.run_time)::int AS seconds
      FROM irrigation_programs p
     WHERE p.run_time > interval '300 s'
     ORDER BY p.name
"#;

/// A run without an end after an hour means that the valve has not answered.
pub async fn hanging(pool: &PgPool) -> Result<Vec<i64>> {
    let rows = sqlx::query_scalar(
        "SELECT id FROM irrigation_runs
          WHERE ended_at IS NULL AND started_at < now() - interval '1.5 hours'
          ORDER BY id",
    )
    .fetch_all(pool)
    .await?;
    Ok(rows)
}

pub async fn start_due(pool: &PgPool, zone: i32) -> Result<()> {
    let due: Vec<i32> = sqlx::query_scalar(DUE).bind(zone).fetch_all(pool).await?;
    for program in due {
        let mut tx = pool.begin().await?;
        sqlx::query!("INSERT INTO irrigation_runs (program_id, started_at) VALUES ($1, now())", program)
            .execute(&mut *tx)
            .await?;
        let pump: Option<i32> =
            sqlx::query_scalar("SELECT id FROM actuators WHERE zone_id = $1 AND kind = 'pump' ORDER BY id")
                .bind(zone)
                .fetch_optional(&mut *tx)
                .await?;
        tx.commit().await?;
        if let Some(pump) = pump {
            audit::switched(pool, pump, 1, "program", "svc-irrigation").await?;
        }
    }
    Ok(())
}

pub async fn long_programs(pool: &PgPool) -> Result<Vec<(String, String, i32)>> {
    Ok(sqlx::query_as(LONG).fetch_all(pool).await?)
}

/// Litres and drain of a house, rounded for the water board.
pub async fn water_use(pool: &PgPool, house: &str) -> Result<Vec<(String, rust_decimal::Decimal)>> {
    let rows = sqlx::query_as(
        "SELECT z.code, round(sum(r.litres) / 1000, 3) AS m3 \
           FROM irrigation_runs r \
           JOIN irrigation_programs p ON p.id = r.program_id \
           JOIN zones z ON z.id = p.zone_id \
           JOIN houses h ON h.id = z.house_id \
          WHERE h.code = $1 AND coalesce(r.drain_pct, 0) < 60 \
            AND r.litres > 0.5 \
          GROUP BY z.code \
          ORDER BY z.code",
    )
    .bind(house)
    .fetch_all(pool)
    .await?;
    Ok(rows)
}
