use sqlx::PgPool;

/// The word ignore is no name for a column without AS.
pub const HELP: &str = "Select the column respect or ignore";

pub async fn ignored(pool: &PgPool) -> sqlx::Result<Vec<i64>> {
    sqlx::query_scalar("SELECT id ignore FROM hosts").fetch_all(pool).await
}

pub async fn ignored_as(pool: &PgPool) -> sqlx::Result<Vec<i64>> {
    sqlx::query_scalar("SELECT id AS ignore FROM hosts").fetch_all(pool).await
}

pub async fn respected(pool: &PgPool) -> sqlx::Result<Vec<i64>> {
    sqlx::query_scalar(
        r#"
        SELECT h.id respect
          FROM hosts h
        "#,
    )
    .fetch_all(pool)
    .await
}

pub async fn quoted(pool: &PgPool) -> sqlx::Result<Vec<i64>> {
    sqlx::query_scalar(r#"SELECT id "respect" FROM hosts"#).fetch_all(pool).await
}

pub async fn windows(pool: &PgPool) -> sqlx::Result<Vec<i64>> {
    sqlx::query_scalar("SELECT count(*) OVER (ORDER BY generate_series(1, 2)) FROM hosts").fetch_all(pool).await
}

pub async fn series(pool: &PgPool) -> sqlx::Result<Vec<i32>> {
    sqlx::query_scalar("SELECT generate_series(1, 2) FROM hosts ORDER BY 1").fetch_all(pool).await
}

pub async fn pinned(pool: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'BufferPin'").fetch_one(pool).await
}

pub async fn locked(pool: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'").fetch_one(pool).await
}

pub async fn named(pool: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar("SELECT count(*) FROM hosts WHERE name = 'BufferPin'").fetch_one(pool).await
}

pub async fn sync_errors(pool: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar("SELECT sync_error_count FROM pg_stat_subscription_stats").fetch_one(pool).await
}

pub async fn apply_errors(pool: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar("SELECT apply_error_count FROM pg_stat_subscription_stats").fetch_one(pool).await
}

pub async fn io(pool: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar("SELECT reads * op_bytes FROM pg_stat_io").fetch_one(pool).await
}

pub async fn io_of_ours(pool: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar("SELECT op_bytes FROM hosts WHERE parent = $1").fetch_one(pool).await
}

pub async fn reads(pool: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar("SELECT reads FROM pg_stat_io").fetch_one(pool).await
}

pub async fn names(pool: &PgPool) -> sqlx::Result<String> {
    sqlx::query_scalar("SELECT JSON_ARRAY(SELECT name FROM hosts WHERE id < 0)").fetch_one(pool).await
}

pub async fn pair(pool: &PgPool) -> sqlx::Result<String> {
    sqlx::query_scalar("SELECT JSON_ARRAY(name, id) FROM hosts").fetch_one(pool).await
}

pub async fn lsn(pool: &PgPool) -> sqlx::Result<String> {
    sqlx::query_scalar("SELECT '0/1F'::pg_lsn::text").fetch_one(pool).await
}

pub async fn distance(pool: &PgPool) -> sqlx::Result<String> {
    sqlx::query_scalar("SELECT lsn - '0/1F'::pg_lsn FROM hosts").fetch_one(pool).await
}

pub async fn contexts(pool: &PgPool) -> sqlx::Result<String> {
    sqlx::query_scalar("SELECT parent FROM pg_backend_memory_contexts").fetch_one(pool).await
}

pub async fn day(pool: &PgPool) -> sqlx::Result<String> {
    sqlx::query_scalar("SELECT random(date '2020-01-01', date '2020-12-31')").fetch_one(pool).await
}

pub async fn our_day(pool: &PgPool) -> sqlx::Result<String> {
    sqlx::query_scalar("SELECT random_day(date '2020-01-01', date '2020-12-31')").fetch_one(pool).await
}

pub async fn evict(pool: &PgPool) -> sqlx::Result<i32> {
    sqlx::query_scalar("SELECT buffers_backend_fsync::int FROM pg_stat_bgwriter").fetch_one(pool).await
}

pub async fn usage(pool: &PgPool) -> sqlx::Result<i32> {
    sqlx::query_scalar("SELECT count(*) FROM pg_buffercache WHERE isdirty").fetch_one(pool).await
}
