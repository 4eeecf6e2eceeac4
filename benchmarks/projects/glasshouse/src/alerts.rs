//! Raising, listing and acknowledging alerts.

use anyhow::Result;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::PgPool;

#[derive(Debug, Serialize, sqlx::FromRow)]
pub struct Alert {
    pub id: i64,
    pub zone_id: i32,
    pub severity: i16,
    pub raised_at: DateTime<Utc>,
}

/// Alerts that nobody has looked at, the worst first.
pub async fn open(pool: &PgPool, zone: i32) -> Result<Vec<Alert>> {
    let alerts = sqlx::query_as::<_, Alert>(
        "SELECT id, zone_id, severity, raised_at FROM alerts \
          WHERE severity >= 2 \
            AND acknowledged_at IS NULL \
            AND zone_id = $1 \
          ORDER BY severity DESC, raised_at",
    )
    .bind(zone)
    .fetch_all(pool)
    .await?;
    Ok(alerts)
}

/// What goes to the pager: everything of severity 4 and 5.
pub async fn urgent(pool: &PgPool) -> Result<Vec<Alert>> {
    let alerts = sqlx::query_as::<_, Alert>(
        "SELECT id, zone_id, severity, raised_at FROM alerts \
          WHERE severity >= 4\
            AND acknowledged_at IS NULL \
          ORDER BY severity DESC, raised_at",
    )
    .fetch_all(pool)
    .await?;
    Ok(alerts)
}

/// The last alerts of a house for the log book.
pub async fn latest(pool: &PgPool, house: &str) -> Result<Vec<Alert>> {
    let alerts = sqlx::query_as::<_, Alert>(
        "SELECT a.id, a.zone_id, a.severity, a.raised_at FROM alerts a \
           JOIN zones z ON z.id = a.zone_id JOIN houses h ON h.id = z.house_id \
          WHERE (a.severity > 1)\
            AND h.code = $1 \
          ORDER BY a.raised_at DESC \
          LIMIT 50",
    )
    .bind(house)
    .fetch_all(pool)
    .await?;
    Ok(alerts)
}

pub async fn acknowledge(pool: &PgPool, alert: i64, login: &str) -> Result<bool> {
    let done = sqlx::query!(
        r#"
        UPDATE alerts
           SET acknowledged_at = now(),
               acknowledged_by = (SELECT id FROM operators WHERE login_key(login) = login_key($2) AND active)
         WHERE id = $1
           AND acknowledged_at IS NULL
        "#,
        alert,
        login
    )
    .execute(pool)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn evaluate(pool: &PgPool, zone: i32) -> Result<()> {
    sqlx::query!(
        r#"
        INSERT INTO alerts (rule_id, zone_id, severity, detail)
        SELECT r.id, c.zone_id, r.severity, jsonb_build_object('value', c.value)
          FROM zone_climate c
          JOIN alert_rules r ON r.quantity = c.quantity AND (c.value < r.low OR c.value > r.high)
         WHERE c.zone_id = $1
           AND c.taken_at > now() - r.hold * 2
           AND NOT EXISTS (SELECT FROM alerts a
                            WHERE a.rule_id = r.id AND a.zone_id = c.zone_id AND a.acknowledged_at IS NULL)
        "#,
        zone
    )
    .execute(pool)
    .await?;
    Ok(())
}
