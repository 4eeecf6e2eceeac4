//! Who switched what, and why.

use anyhow::Result;
use chrono::{DateTime, Utc};
use sqlx::PgPool;

#[derive(Debug, sqlx::FromRow)]
pub struct Switched {
    pub actuator_id: i32,
    pub step: i32,
    pub by: String,
    pub switched_at: DateTime<Utc>,
}

const RECENT: &str = r#"
    SELECT l.actuator_id, l.step, l.system_user AS by, l.switched_at
      FROM actuator_log l
     ORDER BY l.switched_at DESC
     LIMIT 200
"#;

/// Switchings per service account, for the weekly mail.
const BY_ACCOUNT: &str = r#"
    SELECT system_user AS account, count(*) AS switchings
      FROM actuator_log
     GROUP BY 1
     ORDER BY 1
"#;

const BY_REASON: &str = r#"
    SELECT reason, "system_user", count(*) AS switchings
      FROM actuator_log
     GROUP BY reason, "system_user"
     ORDER BY reason, "system_user"
"#;

const HANDLED: &str = r#"
    SELECT o.login AS system_user, count(a.id) AS alerts
      FROM operators o
      LEFT JOIN alerts a ON a.acknowledged_by = o.id
     GROUP BY o.login
     ORDER BY o.login
"#;

pub async fn recent(pool: &PgPool) -> Result<Vec<Switched>> {
    Ok(sqlx::query_as::<_, Switched>(RECENT).fetch_all(pool).await?)
}

pub async fn by_account(pool: &PgPool) -> Result<Vec<(Option<String>, i64)>> {
    Ok(sqlx::query_as(BY_ACCOUNT).fetch_all(pool).await?)
}

pub async fn by_reason(pool: &PgPool) -> Result<Vec<(String, String, i64)>> {
    Ok(sqlx::query_as(BY_REASON).fetch_all(pool).await?)
}

pub async fn handled(pool: &PgPool) -> Result<Vec<(String, i64)>> {
    Ok(sqlx::query_as(HANDLED).fetch_all(pool).await?)
}

pub async fn switched(pool: &PgPool, actuator: i32, step: i32, reason: &str, account: &str) -> Result<i64> {
    let row = sqlx::query!(
        r#"INSERT INTO actuator_log (actuator_id, step, reason, "system_user")
           VALUES ($1, $2, $3, $4)
           RETURNING id"#,
        actuator,
        step,
        reason,
        account
    )
    .fetch_one(pool)
    .await?;
    Ok(row.id)
}
