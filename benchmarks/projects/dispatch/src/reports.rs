//! Figures for the county's monthly report.
use chrono::NaiveDate;
use sqlx::{FromRow, PgPool};

#[derive(FromRow, Debug, serde::Serialize)]
pub struct ByHour {
    pub hour: i32,
    pub calls: i64,
}

/// Mean time from dispatch to arrival, seconds.
pub async fn response_time(pool: &PgPool, from: NaiveDate, until: NaiveDate) -> sqlx::Result<Option<f64>> {
    let (seconds,): (Option<f64>,) = sqlx::query_as(
        r#"
        SELECT avg(extract(epoch FROM (a.arrived_at - a.dispatched_at)))
          FROM assignments a
         WHERE a.dispatched_at >= $1 AND a.dispatched_at < $2
           AND a.arrived_at IS NOT NULL
        "#,
    )
    .bind(from)
    .bind(until)
    .fetch_one(pool)
    .await?;
    Ok(seconds)
}

/// Mean time on scene, seconds.
pub async fn scene_time(pool: &PgPool) -> sqlx::Result<Option<f64>> {
    sqlx::query_scalar::<_, Option<f64>>(
        "SELECT avg(date_part('epoch', cleared_at - arrived_at)) FROM assignments WHERE cleared_at IS NOT NULL",
    )
    .fetch_one(pool)
    .await
}

pub async fn calls_by_hour(pool: &PgPool, from: NaiveDate) -> sqlx::Result<Vec<ByHour>> {
    sqlx::query_as::<_, ByHour>(
        r#"
        SELECT extract(hour FROM called_at)::int AS hour, count(*) AS calls
          FROM incidents
         WHERE called_at >= $1
         GROUP BY 1
         ORDER BY 1
        "#,
    )
    .bind(from)
    .fetch_all(pool)
    .await
}

/// Calls of the last year and a half, for the trend line.
pub async fn trend(pool: &PgPool) -> sqlx::Result<Vec<(NaiveDate, i64)>> {
    sqlx::query_as::<_, (NaiveDate, i64)>(
        r#"
        SELECT date_trunc('month', called_at)::date, count(*)
          FROM incidents
         WHERE called_at > now() - interval '1.5 years'
         GROUP BY 1
         ORDER BY 1
        "#,
    )
    .fetch_all(pool)
    .await
}
