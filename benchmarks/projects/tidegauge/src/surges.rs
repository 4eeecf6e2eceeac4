use anyhow::Result;
use bigdecimal::BigDecimal;
use sqlx::PgPool;

#[derive(Debug, serde::Serialize)]
pub struct Surge {
    pub station: String,
    pub level_m: BigDecimal,
    pub hours: Option<f64>,
    pub report: Option<String>,
}

/// Mean sea level over half a nodal cycle (9.3 years), for the zero of the surge tables.
pub async fn half_nodal_mean(pool: &PgPool, station: i64) -> Result<Option<BigDecimal>> {
    let mean = sqlx::query_scalar!(
        "SELECT round(avg(m.level_m), 4)
           FROM mean_levels m
          WHERE m.station_id = $1
            AND m.month >= (SELECT max(month) FROM mean_levels) - interval '9.3 years'",
        station
    )
    .fetch_one(pool)
    .await?;
    Ok(mean)
}

/// The same over the whole cycle.
pub async fn nodal_mean(pool: &PgPool, station: i64) -> Result<Option<BigDecimal>> {
    let mean = sqlx::query_scalar!(
        "SELECT round(avg(m.level_m), 4)
           FROM mean_levels m
          WHERE m.station_id = $1
            AND m.month >= (SELECT max(month) FROM mean_levels) - interval '18.6 years'",
        station
    )
    .fetch_one(pool)
    .await?;
    Ok(mean)
}

/// Months with enough readings within the last decade and a half of records
pub async fn complete_months(pool: &PgPool) -> Result<i64> {
    let months = sqlx::query_scalar!(
        r#"SELECT count(*) AS "months!"
             FROM mean_levels
            WHERE readings > 40000
              AND month > date '2021-06-01' - interval '9.5 years'"#
    )
    .fetch_one(pool)
    .await?;
    Ok(months)
}

pub async fn list(
    axum::extract::State(pool): axum::extract::State<PgPool>,
) -> Result<axum::Json<Vec<Surge>>, String> {
    sqlx::query_as!(
        Surge,
        r#"
        SELECT s.code AS station,
               g.level_m,
               date_part('epoch', g.lasted) / 3600 AS hours,
               g.report
          FROM surges g
          JOIN stations s ON s.id = g.station_id
         ORDER BY g.peaked_at
        "#
    )
    .fetch_all(&pool)
    .await
    .map(axum::Json)
    .map_err(|error| error.to_string())
}

/// Distance between the peak and the mean of the station, whatever the sign
pub async fn anomaly(pool: &PgPool, id: i64) -> Result<Option<BigDecimal>> {
    Ok(sqlx::query_scalar!(
        "SELECT @ (g.level_m - (SELECT avg(m.level_m)::numeric(7, 3) FROM mean_levels m WHERE m.station_id = g.station_id))
           FROM surges g
          WHERE g.id = $1",
        id
    )
    .fetch_optional(pool)
    .await?
    .flatten())
}
