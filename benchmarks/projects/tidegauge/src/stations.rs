use anyhow::Result;
use sqlx::PgPool;

#[derive(Debug, serde::Serialize)]
pub struct Station {
    pub code: String,
    pub name: String,
    pub network: String,
}

const IN_BOX: &str = "
    SELECT s.code, s.name
      FROM stations s
     WHERE s.location <@ box(point($1, $2), point($3, $4))
     ORDER BY s.code";

/// Contacts that are addresses of electronic mail
const MAIL_CONTACTS: &str = r"
    SELECT n.name, n.contact
      FROM networks n
     WHERE n.contact ~ '^[\w.-]+@[\w.-]+$'
     ORDER BY n.priority";

pub async fn in_box(pool: &PgPool, corners: [f64; 4]) -> Result<Vec<(String, String)>> {
    Ok(sqlx::query_as(IN_BOX)
        .bind(corners[0])
        .bind(corners[1])
        .bind(corners[2])
        .bind(corners[3])
        .fetch_all(pool)
        .await?)
}

pub async fn mail_contacts(pool: &PgPool) -> Result<Vec<(String, String)>> {
    Ok(sqlx::query_as(MAIL_CONTACTS).fetch_all(pool).await?)
}

pub async fn list(
    axum::extract::State(pool): axum::extract::State<PgPool>,
) -> Result<axum::Json<Vec<Station>>, String> {
    sqlx::query_as!(
        Station,
        "SELECT s.code, s.name, n.name AS network
           FROM stations s
           JOIN networks n ON n.id = s.network_id
          WHERE s.closed_on IS NULL
          ORDER BY n.priority, s.code"
    )
    .fetch_all(&pool)
    .await
    .map(axum::Json)
    .map_err(|error| error.to_string())
}

/// Attributes of a station as an object of text values, for the exchange format.
pub async fn card(pool: &PgPool, code: &str) -> Result<serde_json::Value> {
    let card = sqlx::query_scalar!(
        r#"
        SELECT json_object(ARRAY['station', s.code, 'name', s.name]) AS "card!"
          FROM stations s
         WHERE s.code = $1
        "#,
        code
    )
    .fetch_one(pool)
    .await?;
    Ok(card)
}

/// Stations of a code range: the lock has a digit
pub async fn main_gauges(pool: &PgPool) -> Result<Vec<String>> {
    Ok(sqlx::query_scalar!("SELECT code FROM stations WHERE code !~ '[0-9]$' ORDER BY code")
        .fetch_all(pool)
        .await?)
}

pub async fn rename(pool: &PgPool, code: &str, name: &str) -> Result<u64> {
    let done = sqlx::query!("UPDATE stations SET name = $2 WHERE code = $1", code, name)
        .execute(pool)
        .await?;
    Ok(done.rows_affected())
}

/// Sensors that measure more seldom than a limit
pub async fn slow_sensors(pool: &PgPool) -> Result<Vec<(String, String)>> {
    let rows = sqlx::query!(
        r#"
        SELECT serial_no, every::text AS "every!"
          FROM sensors
         WHERE every > interval '1.5 minutes'
           AND removed IS NULL
         ORDER BY serial_no
        "#
    )
    .fetch_all(pool)
    .await?;
    Ok(rows.into_iter().map(|row| (row.serial_no, row.every)).collect())
}
