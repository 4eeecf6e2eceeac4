use sqlx::PgPool;

const STATS: &str = "SELECT buffers_backend, buffers_backend_fsync FROM pg_stat_bgwriter";
const STATS_IO: &str = "SELECT buffers_alloc, buffers_clean FROM pg_stat_bgwriter";

async fn run(pool: &PgPool) -> anyhow::Result<()> {
    let spans = sqlx::query!("SELECT id, seen FROM hosts WHERE seen > interval '1.5 years 3.7 months'")
        .fetch_all(pool).await?;
    let days = sqlx::query("SELECT interval '1.5 days', interval '2.5 hours'")
        .fetch_all(pool).await?;
    let page = sqlx::query(concat!("SELECT id FROM hosts ", "WHERE id > 5AND id < 9")).fetch_all(pool).await?;
    sqlx::query(r#"
        SELECT t.table_name, e.domain_default
          FROM information_schema.element_types e
          JOIN information_schema.tables t ON t.table_name = e.object_name
    "#).fetch_all(pool).await?;
    sqlx::query(r#"
        SELECT d.domain_default AS domain_default
          FROM information_schema.domains d
    "#).fetch_all(pool).await?;
    sqlx::query("SELECT pg_walfile_name(pg_current_wal_lsn())").fetch_one(pool).await?;
    sqlx::query("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')").fetch_one(pool).await?;
    sqlx::query("CREATE OR REPLACE VIEW names AS SELECT kind COLLATE \"C\" AS kind FROM hosts").execute(pool).await?;
    sqlx::query("SELECT shared_blk_read_time FROM (SELECT 1 AS shared_blk_read_time) s").fetch_all(pool).await?;
    sqlx::query("SELECT attname FROM pg_attribute WHERE attstattarget >= 0").fetch_all(pool).await?;
    sqlx::query("ALTER TABLE hosts ALTER COLUMN kind SET STATISTICS 500").execute(pool).await?;
    tracing::warn!("SELECT buffers_backend FROM pg_stat_bgwriter failed");
    eprintln!("pg_walfile_name at {}", 1);
    Ok(())
}
