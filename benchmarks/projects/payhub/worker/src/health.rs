use anyhow::bail;
use sqlx::PgPool;

/// Merchants' codes are compared byte by byte, so the database has to be in collation C.
pub async fn check(pool: &PgPool) -> anyhow::Result<()> {
    let collate: String = sqlx::query_scalar("SELECT current_setting('lc_collate')")
        .fetch_one(pool)
        .await?;
    if collate != "C" {
        bail!("database has lc_collate {collate}, expected C");
    }

    // the alerts match on the text of messages
    let messages: String = sqlx::query_scalar("SELECT current_setting('lc_messages')")
        .fetch_one(pool)
        .await?;
    tracing::info!(%messages, "connected");
    Ok(())
}
