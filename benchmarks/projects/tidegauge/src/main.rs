mod harmonics;
mod health;
mod ingest;
mod readings;
mod stations;
mod surges;

use std::net::SocketAddr;

use axum::{routing::get, Router};
use sqlx::postgres::PgPoolOptions;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let url = std::env::var("DATABASE_URL")?;
    let pool = PgPoolOptions::new()
        .max_connections(12)
        .after_connect(|connection, _| {
            Box::pin(async move {
                sqlx::query("SET statement_timeout = '30s'").execute(&mut *connection).await?;
                sqlx::query("SET TimeZone = 'UTC'").execute(connection).await?;
                Ok(())
            })
        })
        .connect(&url)
        .await?;
    sqlx::migrate!().run(&pool).await?;

    let app = Router::new()
        .route("/stations", get(stations::list))
        .route("/stations/:code/bins", get(readings::bins_of))
        .route("/surges", get(surges::list))
        .route("/health", get(health::health))
        .with_state(pool);
    let address: SocketAddr = "0.0.0.0:8080".parse()?;
    axum::Server::bind(&address).serve(app.into_make_service()).await?;
    Ok(())
}
