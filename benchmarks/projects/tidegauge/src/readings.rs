use anyhow::Result;
use bigdecimal::BigDecimal;
use chrono::{DateTime, Utc};
use sqlx::{PgPool, Postgres, QueryBuilder};

/// A bin of ten minutes, see `date_bin` in the migrations.
#[derive(Debug, serde::Serialize)]
pub struct Bin {
    pub bin: DateTime<Utc>,
    pub level: Option<BigDecimal>,
    pub readings: i64,
}

pub struct LastSeen {
    pub code: String,
    pub epoch: f64,
    pub minutes: i32,
}

pub struct Reading {
    pub station_id: i64,
    pub measured_at: DateTime<Utc>,
    pub level_m: BigDecimal,
    pub quality: i16,
}

/// Mean level of each bin; manual readings don't count.
pub async fn bins(pool: &PgPool, station: i64) -> Result<Vec<Bin>> {
    let bins = sqlx::query_as!(
        Bin,
        r#"
        SELECT date_bin(interval '10 minutes', r.measured_at, timestamptz '2000-01-01 00:00+00') AS "bin!",
               round(avg(r.level_m), 3) AS level,
               count(*) AS "readings!"
          FROM readings r
         WHERE r.station_id = $1
           AND r.source <> 'manual'
         GROUP BY 1
         ORDER BY 1
        "#,
        station
    )
    .fetch_all(pool)
    .await?;
    Ok(bins)
}

/// The hour of each surge, in centred bins.
pub async fn surge_hours(pool: &PgPool) -> Result<Vec<(i64, DateTime<Utc>)>> {
    let rows = sqlx::query!(
        r#"
        SELECT s.id,
               public.date_bin(interval '1 hour', s.peaked_at, timestamptz '2000-01-01 00:00+00') AS "hour!"
          FROM surges s
         ORDER BY s.id
        "#
    )
    .fetch_all(pool)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.hour)).collect())
}

/// When each station was last heard of.
pub async fn last_seen(pool: &PgPool) -> Result<Vec<LastSeen>> {
    let rows = sqlx::query_as!(
        LastSeen,
        r#"
        SELECT s.code,
               extract(epoch FROM l.measured_at) AS "epoch!",
               (date_part('epoch', timestamptz '2021-06-01 01:00+00' - l.measured_at) / 60)::int AS "minutes!"
          FROM last_readings l
          JOIN stations s ON s.id = l.station_id
         ORDER BY s.code
        "#
    )
    .fetch_all(pool)
    .await?;
    Ok(rows)
}

/// Age of a station's last reading in seconds.
pub async fn age(pool: &PgPool, station: i64) -> Result<Option<f64>> {
    let age = sqlx::query_scalar!(
        "SELECT extract(epoch FROM timestamptz '2021-06-01 01:00+00' - measured_at)::float8 AS age
           FROM last_readings
          WHERE station_id = $1",
        station
    )
    .fetch_optional(pool)
    .await?;
    Ok(age.flatten())
}

/// Readings for the table of the map, with the filters of the form.
pub async fn search(
    pool: &PgPool,
    station: i64,
    quality: Option<i16>,
    newest_first: bool,
) -> Result<Vec<Reading>> {
    let mut query: QueryBuilder<Postgres> = QueryBuilder::new(
        "SELECT station_id, measured_at, level_m, quality FROM readings WHERE station_id = ",
    );
    query.push_bind(station);
    if let Some(quality) = quality {
        query.push(" AND quality <= ").push_bind(quality);
    }
    query.push(if newest_first { " ORDER BY measured_at DESC" } else { " ORDER BY measured_at" });
    query.push(" LIMIT 500");
    Ok(query
        .build_query_as::<(i64, DateTime<Utc>, BigDecimal, i16)>()
        .fetch_all(pool)
        .await?
        .into_iter()
        .map(|(station_id, measured_at, level_m, quality)| Reading { station_id, measured_at, level_m, quality })
        .collect())
}

/// Daily figures; the day is the one of UTC.
pub async fn days(pool: &PgPool, station: i64) -> Result<Vec<(String, i64)>> {
    let rows = sqlx::query!(
        r#"
        SELECT to_char(r.measured_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "day!",
               count(*) FILTER (WHERE r.quality <= 2) AS "good!"
          FROM readings r
         WHERE r.station_id = $1
         GROUP BY 1
         ORDER BY 1
        "#,
        station
    )
    .fetch_all(pool)
    .await?;
    Ok(rows.into_iter().map(|row| (row.day, row.good)).collect())
}

pub async fn bins_of(
    axum::extract::State(pool): axum::extract::State<PgPool>,
    axum::extract::Path(code): axum::extract::Path<String>,
) -> Result<axum::Json<Vec<Bin>>, String> {
    let station = sqlx::query_scalar!("SELECT id FROM stations WHERE code = $1", code)
        .fetch_one(&pool)
        .await
        .map_err(|error| error.to_string())?;
    bins(&pool, station).await.map(axum::Json).map_err(|error| error.to_string())
}
