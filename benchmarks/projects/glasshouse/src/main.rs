mod alerts;
mod audit;
mod climate;
mod crops;
mod db;
mod ingest;
mod irrigation;
mod metrics;

use std::time::Duration;

use anyhow::Result;
use tracing::{error, info};

#[tokio::main]
async fn main() -> Result<()> {
    let url = std::env::var("DATABASE_URL")?;
    let pool = db::connect(&url).await?;
    sqlx::migrate!("./migrations").run(&pool).await?;
    info!(version = %db::server_version(&pool).await?, "connected");

    let bulk = ingest::Writer::connect(&url).await?;
    let mut tick = tokio::time::interval(Duration::from_secs(30));
    loop {
        tick.tick().await;
        if let Err(e) = step(&pool, &bulk).await {
            error!("control step failed: {e:#}");
        }
    }
}

async fn step(pool: &sqlx::PgPool, bulk: &ingest::Writer) -> Result<()> {
    bulk.drain_inbox(500).await?;
    for zone in climate::zones(pool).await? {
        climate::regulate(pool, zone).await?;
        irrigation::start_due(pool, zone).await?;
        alerts::evaluate(pool, zone).await?;
    }
    metrics::sample(pool).await
}
