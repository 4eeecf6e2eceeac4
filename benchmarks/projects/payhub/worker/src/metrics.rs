use sqlx::{PgPool, Row};

use crate::outbox;

const SLRU: &str = r#"
    SELECT name, blks_hit, blks_read
      FROM pg_stat_slru
     WHERE name IN ('Subtrans', 'MultiXactMember')
"#;

const SLRU_TOTAL: &str = "SELECT sum(blks_read)::bigint FROM pg_stat_slru";

/// Time that the server waited for blocks, in milliseconds.
async fn block_wait(pool: &PgPool) -> anyhow::Result<f64> {
    let server_version_num: i32 =
        sqlx::query_scalar("SELECT current_setting('server_version_num')::int").fetch_one(pool).await?;
    let sql = if server_version_num >= 170000 {
        "SELECT sum(shared_blk_read_time + shared_blk_write_time) FROM pg_stat_statements"
    } else {
        "SELECT sum(blk_read_time + blk_write_time) FROM pg_stat_statements"
    };
    Ok(sqlx::query_scalar::<_, Option<f64>>(sql).fetch_one(pool).await?.unwrap_or(0.0))
}

pub async fn publish(pool: &PgPool) -> anyhow::Result<()> {
    let lag = outbox::lag(pool).await?;
    let capture = outbox::capture_time(pool).await?;
    let waited = block_wait(pool).await?;
    for row in sqlx::query(SLRU).fetch_all(pool).await? {
        let name: String = row.get("name");
        let hit: i64 = row.get("blks_hit");
        let read: i64 = row.get("blks_read");
        tracing::info!(name, hit, read, "slru");
    }
    let read: Option<i64> = sqlx::query_scalar(SLRU_TOTAL).fetch_one(pool).await?;
    tracing::info!(lag, capture, waited, read, "published");
    Ok(())
}
