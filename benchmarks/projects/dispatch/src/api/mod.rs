use axum::{extract::{Path, State}, http::StatusCode, routing::get, Json, Router};
use sqlx::PgPool;

use crate::{health, repo};

pub fn router(pool: PgPool) -> Router {
    Router::new()
        .route("/health", get(health_page))
        .route("/calls", get(calls))
        .route("/zones/:id/units", get(units))
        .with_state(pool)
}

async fn health_page(State(pool): State<PgPool>) -> StatusCode {
    match health::waiting_for_log(&pool).await {
        Ok(waiting) if waiting.len() < 10 => StatusCode::OK,
        _ => StatusCode::SERVICE_UNAVAILABLE,
    }
}

async fn calls(State(pool): State<PgPool>) -> Result<Json<Vec<repo::incidents::Incident>>, StatusCode> {
    repo::incidents::open_calls(&pool, 50, 0)
        .await
        .map(Json)
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
}

async fn units(
    State(pool): State<PgPool>,
    Path(zone): Path<i32>,
) -> Result<Json<Vec<repo::units::Unit>>, StatusCode> {
    repo::units::free_in_zone(&pool, zone)
        .await
        .map(Json)
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
}
