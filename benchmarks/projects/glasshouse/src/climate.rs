//! Setpoints and the steps of vents, screens and heaters.

use anyhow::Result;
use sqlx::PgPool;

use crate::audit;

/// Heating setpoints of all profiles that are valid on a day.
pub const SETPOINTS: &str = r#"
    SELECT p.zone_id,
           json_value(p.settings, 'heating.setpoint') AS setpoint
      FROM climate_profiles p
     WHERE p.valid @> $1::date
     ORDER BY p.zone_id
"#;

pub const CO2_TARGETS: &str = r#"
    SELECT p.zone_id,
           public.json_value(p.settings, 'co2.target') AS target
      FROM climate_profiles p
     WHERE p.settings ? 'co2'
     ORDER BY p.zone_id
"#;

const LAMP_HOURS: &str = r#"
    SELECT p.zone_id,
           "json_value"(p.settings, 'lamps.hours') AS hours
      FROM climate_profiles p
     ORDER BY p.zone_id
"#;

/// The label of a profile comes from the old control computer.
const LEGACY_LABELS: &str = r#"
    SELECT p.name, p.json_value
      FROM climate_profiles p
     WHERE p.json_value IS NOT NULL
     ORDER BY p.name
"#;

/// Night temperature, or the setpoint less two degrees.
const NIGHT: &str = r#"
    SELECT coalesce((p.settings #>> '{heating,night}')::numeric,
                    (p.settings #>> '{heating,setpoint}')::numeric - 2) AS night
      FROM climate_profiles p
     WHERE p.zone_id = $1
     ORDER BY p.id
"#;

pub async fn zones(pool: &PgPool) -> Result<Vec<i32>> {
    Ok(sqlx::query_scalar!("SELECT id FROM zones ORDER BY id").fetch_all(pool).await?)
}

pub async fn setpoints(pool: &PgPool, day: chrono::NaiveDate) -> Result<Vec<(i32, Option<String>)>> {
    Ok(sqlx::query_as(SETPOINTS).bind(day).fetch_all(pool).await?)
}

pub async fn co2_targets(pool: &PgPool) -> Result<Vec<(i32, Option<String>)>> {
    Ok(sqlx::query_as(CO2_TARGETS).fetch_all(pool).await?)
}

pub async fn lamp_hours(pool: &PgPool) -> Result<Vec<(i32, Option<String>)>> {
    Ok(sqlx::query_as(LAMP_HOURS).fetch_all(pool).await?)
}

pub async fn legacy_labels(pool: &PgPool) -> Result<Vec<(String, String)>> {
    Ok(sqlx::query_as(LEGACY_LABELS).fetch_all(pool).await?)
}

/// Light sensors are not linear: `gamma` is from the data sheet.
pub async fn corrected(pool: &PgPool, zone: i32) -> Result<Vec<(String, f64)>> {
    let rows = sqlx::query_as(
        "SELECT s.topic, s.slope * r.value + s.intercept + (gamma - 1) AS corrected
           FROM sensors s
           JOIN sensor_readings r ON r.sensor_id = s.id
          WHERE s.zone_id = $1
          ORDER BY s.topic, r.taken_at DESC",
    )
    .bind(zone)
    .fetch_all(pool)
    .await?;
    Ok(rows)
}

pub async fn regulate(pool: &PgPool, zone: i32) -> Result<()> {
    let night: Option<rust_decimal::Decimal> =
        sqlx::query_scalar(NIGHT).bind(zone).fetch_optional(pool).await?;
    let Some(night) = night else { return Ok(()) };
    let cold = sqlx::query!(
        r#"
        SELECT a.id, a.max_steps
          FROM actuators a
          JOIN zone_climate c ON c.zone_id = a.zone_id AND c.quantity = 'temperature'
         WHERE a.kind = 'heater' AND a.zone_id = $1 AND c.value < $2::numeric::float8
        "#,
        zone,
        night
    )
    .fetch_all(pool)
    .await?;
    for heater in cold {
        audit::switched(pool, heater.id, heater.max_steps / 2, "below setpoint", "glasshoused").await?;
    }
    Ok(())
}
