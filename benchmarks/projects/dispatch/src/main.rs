mod api;
mod config;
mod db;
mod health;
mod repo;
mod reports;

use tracing::info;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = config::Settings::from_env()?;
    let pool = db::connect(&settings).await?;
    sqlx::migrate!("./migrations").run(&pool).await?;
    info!("listening on {}", settings.listen);
    axum::Server::bind(&settings.listen.parse()?)
        .serve(api::router(pool).into_make_service())
        .await?;
    Ok(())
}
