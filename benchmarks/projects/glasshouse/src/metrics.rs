//! Figures for the monitoring of the database.

use anyhow::Result;
use sqlx::PgPool;

/// WAL since the last reset. The card in the edge server has a limited number of writes.
const WAL: &str = r#"
    SELECT w.wal_records,
           w.wal_fpi,
           w.wal_bytes::bigint,
           w.wal_buffers_full
      FROM pg_stat_wal w
"#;

/// Rounds of the background writer, and how often it stopped because it had written too much.
const WRITER: &str = r#"
    SELECT b.buffers_clean,
           b.maxwritten_clean
      FROM pg_stat_bgwriter b
"#;

const CLIENTS: &str = r#"
    SELECT coalesce(application_name, ''), count(*)
      FROM pg_stat_activity
     WHERE backend_type = 'client backend'
       AND datname = current_database()
     GROUP BY 1
"#;

const SAMPLES: &str = r#"
    SELECT relation, bytes, wal_write
      FROM ops.storage_samples
     WHERE sampled_at > $1
     ORDER BY relation, sampled_at
"#;

/// How each partition is cut; the others show their kind.
const PARTITIONS: &str = r#"
    SELECT c.relname::text,
           coalesce(pg_get_expr(c.relpartbound, c.oid), c.relkind::text) AS bound
      FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace
       AND c.relkind IN ('r', 'p')
     ORDER BY c.relname
"#;

const ROUNDS: &str = r#"
    SELECT house_id, sum(checkpoints_timed) AS timed, sum(checkpoints_req) AS requested
      FROM inspection_rounds
     GROUP BY house_id
     ORDER BY house_id
"#;

pub async fn wal(pool: &PgPool) -> Result<Vec<(i64, i64, i64, i64)>> {
    Ok(sqlx::query_as(WAL).fetch_all(pool).await?)
}

pub async fn writer(pool: &PgPool) -> Result<Vec<(i64, i64)>> {
    Ok(sqlx::query_as(WRITER).fetch_all(pool).await?)
}

pub async fn clients(pool: &PgPool) -> Result<Vec<(String, i64)>> {
    Ok(sqlx::query_as(CLIENTS).fetch_all(pool).await?)
}

pub async fn samples(pool: &PgPool, since: chrono::DateTime<chrono::Utc>) -> Result<Vec<(String, i64, Option<i64>)>> {
    Ok(sqlx::query_as(SAMPLES).bind(since).fetch_all(pool).await?)
}

pub async fn partitions(pool: &PgPool) -> Result<Vec<(String, String)>> {
    Ok(sqlx::query_as(PARTITIONS).fetch_all(pool).await?)
}

pub async fn rounds(pool: &PgPool) -> Result<Vec<(i32, i64, i64)>> {
    Ok(sqlx::query_as(ROUNDS).fetch_all(pool).await?)
}

pub async fn sample(pool: &PgPool) -> Result<()> {
    sqlx::query!(
        r#"
        INSERT INTO ops.storage_samples (relation, bytes)
        SELECT c.relname, pg_total_relation_size(c.oid)
          FROM pg_class c
         WHERE c.relkind = 'r' AND c.relname LIKE 'sensor\_readings%'
        ON CONFLICT DO NOTHING
        "#
    )
    .execute(pool)
    .await?;
    Ok(())
}
