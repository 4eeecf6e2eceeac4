use anyhow::Result;
use bigdecimal::BigDecimal;
use chrono::{DateTime, Utc};
use sqlx::PgPool;

pub struct Constituent {
    pub name: String,
    pub period: String,
    pub amplitude_m: BigDecimal,
    pub phase_deg: BigDecimal,
}

pub async fn of_station(pool: &PgPool, station: i64) -> Result<Vec<Constituent>> {
    let rows = sqlx::query_as!(
        Constituent,
        r#"
        SELECT c.name,
               c.period::text AS "period!",
               h.amplitude_m,
               h.phase_deg
          FROM harmonics h
          JOIN constituents c ON c.name = h.constituent
         WHERE h.station_id = $1
         ORDER BY h.amplitude_m DESC
        "#,
        station
    )
    .fetch_all(pool)
    .await?;
    Ok(rows)
}

/// The next tides after a time.
pub async fn next_tides(pool: &PgPool, station: i64, after: DateTime<Utc>) -> Result<Vec<(DateTime<Utc>, bool)>> {
    let rows = sqlx::query!(
        "SELECT tide_at, high
           FROM predictions
          WHERE station_id = $1 AND tide_at > $2::timestamptz
          ORDER BY tide_at
          LIMIT 4",
        station,
        after
    )
    .fetch_all(pool)
    .await?;
    Ok(rows.into_iter().map(|row| (row.tide_at, row.high)).collect())
}

/// Replaces the harmonics of a station by those of a new fit.
pub async fn store(pool: &PgPool, station: i64, constituent: &str, amplitude: BigDecimal, phase: BigDecimal) -> Result<()> {
    sqlx::query!(
        "INSERT INTO harmonics (station_id, constituent, amplitude_m, phase_deg, fitted_on)
         VALUES ($1, $2, $3, $4, current_date)
         ON CONFLICT (station_id, constituent)
         DO UPDATE SET (amplitude_m, phase_deg) = (excluded.amplitude_m, excluded.phase_deg)",
        station,
        constituent,
        amplitude,
        phase
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Year days of the annual constituent
pub async fn annual_days(pool: &PgPool) -> Result<Vec<i32>> {
    Ok(sqlx::query_scalar!(
        r#"SELECT extract(day FROM period)::int AS "days!" FROM constituents WHERE name = 'Sa'"#
    )
    .fetch_all(pool)
    .await?)
}
