use sqlx::{FromRow, PgPool};

#[derive(FromRow, Debug, serde::Serialize)]
pub struct Unit {
    pub id: i32,
    pub callsign: String,
    pub status: String,
}

/// Free units inside of a zone.
pub async fn free_in_zone(pool: &PgPool, zone: i32) -> sqlx::Result<Vec<Unit>> {
    sqlx::query_as!(
        Unit,
        r#"
        SELECT u.id, u.callsign, u.status
          FROM units u
          JOIN zones z ON u.position @ z.area
         WHERE z.id = $1 AND u.status = 'available'
         ORDER BY u.callsign
        "#,
        zone
    )
    .fetch_all(pool)
    .await
}

/// Free units within the catchment of a zone's hospital.
pub async fn free_in_catchment(pool: &PgPool, zone: i32) -> sqlx::Result<Vec<Unit>> {
    sqlx::query_as!(
        Unit,
        r#"
        SELECT u.id, u.callsign, u.status
          FROM units u
          JOIN zones z ON u.position <@ z.catchment
         WHERE z.id = $1 AND u.status = 'available'
         ORDER BY u.callsign
        "#,
        zone
    )
    .fetch_all(pool)
    .await
}

pub async fn of_kind(pool: &PgPool, kind: &str) -> sqlx::Result<Vec<Unit>> {
    sqlx::query_as!(
        Unit,
        "SELECT id, callsign, status FROM units WHERE kind = $1 AND callsign ~ '^(A|M)-' ORDER BY callsign",
        kind
    )
    .fetch_all(pool)
    .await
}

/// The two spare vehicles have callsigns of the county's, not of ours.
pub async fn spares(pool: &PgPool) -> sqlx::Result<Vec<Unit>> {
    sqlx::query_as::<_, Unit>(
        "SELECT id, callsign, status FROM units WHERE callsign IN ('X-12AND', 'X-14OR')",
    )
    .fetch_all(pool)
    .await
}

pub async fn seen(pool: &PgPool, unit: i32, lon: f64, lat: f64) -> sqlx::Result<u64> {
    let done = sqlx::query("UPDATE units SET position = point($2, $3), last_seen = now() WHERE id = $1")
        .bind(unit)
        .bind(lon)
        .bind(lat)
        .execute(pool)
        .await?;
    Ok(done.rows_affected())
}
