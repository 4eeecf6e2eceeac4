//! What `GET /health` and the pager look at.
use sqlx::{FromRow, PgPool};
use tracing::{info, warn};

#[derive(FromRow, Debug)]
pub struct Waiting {
    pub pid: i32,
    pub state: Option<String>,
    pub wait_event: Option<String>,
}

/// Replication needs a key on each table.
pub async fn tables_without_key(pool: &PgPool) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar::<_, String>(
        r#"
        SELECT c.relname::text
          FROM pg_class c
          JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = 'public'
           AND c.relkind = 'r'
           AND NOT c.relhaspkey
         ORDER BY 1
        "#,
    )
    .fetch_all(pool)
    .await
}

/// Backends that wait for the disk that holds the log.
pub async fn waiting_for_log(pool: &PgPool) -> sqlx::Result<Vec<Waiting>> {
    sqlx::query_as::<_, Waiting>(
        r#"SELECT pid, state, wait_event
             FROM pg_stat_activity
            WHERE wait_event_type = 'LWLock'
              AND wait_event = 'WALWriteLock'"#,
    )
    .fetch_all(pool)
    .await
}

/// Sessions that hold a transaction open while their client is busy elsewhere.
pub async fn idle_in_transaction(pool: &PgPool) -> sqlx::Result<Vec<Waiting>> {
    sqlx::query_as::<_, Waiting>(
        r#"SELECT pid, state, wait_event
             FROM pg_stat_activity
            WHERE wait_event = 'ClientRead'
              AND state = 'idle in transaction'
              AND xact_start < now() - interval '5 minutes'"#,
    )
    .fetch_all(pool)
    .await
}

/// Text of the CHECK constraints, for the admin page.
/// (pg_get_constraintdef, since consrc is not kept up to date by renames.)
pub async fn checks(pool: &PgPool, table: &str) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar::<_, String>(
        "SELECT pg_get_constraintdef(oid) FROM pg_constraint \
         WHERE contype = 'c' AND conrelid = $1::regclass",
    )
    .bind(table)
    .fetch_all(pool)
    .await
}

pub async fn after_backup(pool: &PgPool) -> sqlx::Result<()> {
    let lag: Option<i64> = sqlx::query_scalar(
        "SELECT max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::bigint FROM pg_stat_replication",
    )
    .fetch_one(pool)
    .await?;
    match lag {
        Some(bytes) if bytes > 1 << 30 => warn!("standby is {} bytes behind", bytes),
        _ => info!("pg_stop_backup() was called, standby is close"),
    }
    Ok(())
}
