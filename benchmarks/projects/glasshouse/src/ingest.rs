//! The bulk writer: from the inbox of the gateways to the readings.

use anyhow::Result;
use tokio_postgres::{Client, NoTls};
use tracing::warn;

pub struct Writer {
    client: Client,
}

const LOST: &str = "
    SELECT topic, payload ->> 'q' AS quality, (payload ->> 'v')::numeric AS raw
      FROM sensor_inbox
     WHERE payload ->> 'q' <> 'ok'
     ORDER BY id";

const MOVE: &str = r#"
    WITH taken AS (
        DELETE FROM sensor_inbox
         WHERE id IN (SELECT id FROM sensor_inbox ORDER BY id LIMIT $1)
        RETURNING topic, payload, arrived_at
    )
    INSERT INTO sensor_readings (sensor_id, taken_at, value, raw)
    SELECT s.id, t.arrived_at, s.slope * (t.payload ->> 'v')::float8 + s.intercept, (t.payload ->> 'v')::int
      FROM taken t
      JOIN sensors s ON s.topic = t.topic AND s.removed_on IS NULL
     WHERE t.payload ->> 'v' IS NOT NULL
    ON CONFLICT (sensor_id, taken_at) DO NOTHING
"#;

impl Writer {
    pub async fn connect(url: &str) -> Result<Self> {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
        tokio::spawn(async move {
            if let Err(e) = connection.await {
                warn!("bulk connection closed: {e}");
            }
        });
        client.batch_execute("SET synchronous_commit = off; SET lock_timeout = '2s'").await?;
        Ok(Self { client })
    }

    pub async fn drain_inbox(&self, limit: i64) -> Result<u64> {
        Ok(self.client.execute(MOVE, &[&limit]).await?)
    }

    pub async fn lost(&self) -> Result<Vec<String>> {
        let rows = self.client.query(LOST, &[]).await?;
        Ok(rows.iter().map(|row| row.get("topic")).collect())
    }

    /// Moves a sensor's readings of a day to another sensor, after a cable was plugged in wrongly.
    pub async fn reassign(&self, from: i32, to: i32, day: chrono::NaiveDate) -> Result<u64> {
        let moved = self
            .client
            .execute(
                "UPDATE sensor_readings SET sensor_id = $2
                  WHERE sensor_id = $1 AND taken_at >= $3::date AND taken_at < $3::date + 1",
                &[&from, &to, &day],
            )
            .await?;
        Ok(moved)
    }
}
