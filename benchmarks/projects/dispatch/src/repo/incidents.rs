use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgPool, Postgres, Transaction};

#[derive(FromRow, Debug, serde::Serialize)]
pub struct Incident {
    pub id: i64,
    pub called_at: DateTime<Utc>,
    pub priority: i16,
    pub address: Option<String>,
    pub status: String,
}

const COLUMNS: &str = "id, called_at, priority, address, status";

pub async fn open_calls(pool: &PgPool, limit: i64, skip: i64) -> sqlx::Result<Vec<Incident>> {
    sqlx::query_as::<_, Incident>(
        "SELECT id, called_at, priority, address, status \
           FROM incidents \
          WHERE status = 'open' \
          ORDER BY priority, called_at \
          LIMIT $1\
          OFFSET $2",
    )
    .bind(limit)
    .bind(skip)
    .fetch_all(pool)
    .await
}

pub async fn closed_calls(pool: &PgPool, limit: i64, skip: i64) -> sqlx::Result<Vec<Incident>> {
    sqlx::query_as::<_, Incident>(
        "SELECT id, called_at, priority, address, status \
           FROM incidents \
          WHERE status = 'closed' \
          ORDER BY closed_at DESC \
          LIMIT $1 \
          OFFSET $2",
    )
    .bind(limit)
    .bind(skip)
    .fetch_all(pool)
    .await
}

pub async fn find(pool: &PgPool, id: i64) -> sqlx::Result<Option<Incident>> {
    let sql = format!("SELECT {} FROM incidents WHERE id = $1", COLUMNS);
    sqlx::query_as::<_, Incident>(&sql).bind(id).fetch_optional(pool).await
}

/// Two calls for the same accident have the same place and quarter of an hour.
pub async fn fingerprint(tx: &mut Transaction<'_, Postgres>, id: i64) -> sqlx::Result<()> {
    sqlx::query(
        r#"
        UPDATE incidents
           SET fingerprint = md5(lat::text || '/' || lon::text || '/' || (called_at AT TIME ZONE 'UTC')::date::text)
         WHERE id = $1
        "#,
    )
    .bind(id)
    .execute(tx)
    .await?;
    Ok(())
}

/// What the county's exchange uses for the same purpose.
pub async fn county_key(pool: &PgPool, id: i64) -> sqlx::Result<String> {
    sqlx::query_scalar::<_, String>(
        "SELECT md5(lat::numeric(9,4)::text || ',' || lon::numeric(9,4)::text) FROM incidents WHERE id = $1",
    )
    .bind(id)
    .fetch_one(pool)
    .await
}

pub async fn consent(pool: &PgPool, id: i64) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar::<_, String>("SELECT consrc FROM consents WHERE incident_id = $1")
        .bind(id)
        .fetch_optional(pool)
        .await
}

pub async fn create(
    tx: &mut Transaction<'_, Postgres>,
    priority: i16,
    lat: f64,
    lon: f64,
    address: Option<&str>,
    phone: Option<&str>,
) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"
        INSERT INTO incidents (priority, lat, lon, address, phone)
        VALUES ($1, $2, $3, $4, $5)
        RETURNING id
        "#,
        priority,
        lat,
        lon,
        address,
        phone
    )
    .fetch_one(tx)
    .await
}
