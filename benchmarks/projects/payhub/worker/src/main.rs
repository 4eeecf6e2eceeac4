mod health;
mod metrics;
mod outbox;

use std::time::Duration;

use sqlx::postgres::PgPoolOptions;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let url = std::env::var("PAYHUB_DATABASE_URL")?;
    let pool = PgPoolOptions::new().max_connections(8).connect(&url).await?;

    health::check(&pool).await?;
    loop {
        let sent = outbox::send_due(&pool).await?;
        metrics::publish(&pool).await?;
        if sent == 0 {
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
    }
}
