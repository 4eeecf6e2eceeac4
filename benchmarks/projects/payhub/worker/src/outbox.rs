use serde_json::Value;
use sqlx::{PgPool, Row};

const DUE: &str = r#"
    SELECT o.id, o.topic, o.body, m.code
      FROM outbox o
      JOIN payments p ON p.id = o.payment_id
      JOIN merchants m ON m.id = p.merchant_id
     WHERE o.sent_at IS NULL
       AND o.next_try_at <= now()
     ORDER BY o.next_try_at
     LIMIT 100
       FOR UPDATE OF o SKIP LOCKED
"#;

/// Sends what is due, and returns how many were sent.
pub async fn send_due(pool: &PgPool) -> anyhow::Result<usize> {
    let mut tx = pool.begin().await?;
    let rows = sqlx::query(DUE).fetch_all(&mut *tx).await?;
    let client = reqwest::Client::new();
    for row in &rows {
        let id: i64 = row.get("id");
        let body: Value = row.get("body");
        let code: String = row.get("code");
        let sent = client.post(format!("http://webhooks.internal/{code}")).json(&body).send().await;
        if sent.is_ok() {
            sqlx::query("UPDATE outbox SET sent_at = now() WHERE id = $1")
                .bind(id)
                .execute(&mut *tx)
                .await?;
        } else {
            sqlx::query(
                "UPDATE outbox SET attempts = attempts + 1, \
                 next_try_at = now() + (attempts + 1) * interval '30 seconds' WHERE id = $1",
            )
            .bind(id)
            .execute(&mut *tx)
            .await?;
        }
    }
    tx.commit().await?;
    Ok(rows.len())
}

/// Age of the oldest webhook that was not sent, in seconds.
pub async fn lag(pool: &PgPool) -> anyhow::Result<f64> {
    let row = sqlx::query(
        "SELECT extract(epoch FROM now() - min(next_try_at)) AS lag \
         FROM outbox WHERE sent_at IS NULL AND attempts > $1",
    )
    .bind(0)
    .fetch_one(pool)
    .await?;
    Ok(row.try_get::<Option<f64>, _>("lag")?.unwrap_or(0.0))
}

/// Seconds from the payment to its capture, the mean of the last day.
pub async fn capture_time(pool: &PgPool) -> anyhow::Result<f64> {
    let seconds: Option<f64> = sqlx::query_scalar(
        "SELECT avg(extract(epoch FROM captured_at - created_at)::float8) \
         FROM payments WHERE captured_at > now() - interval '1 day'",
    )
    .fetch_one(pool)
    .await?;
    Ok(seconds.unwrap_or(0.0))
}
