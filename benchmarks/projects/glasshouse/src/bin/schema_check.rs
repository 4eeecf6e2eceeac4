//! Compares a database with what the migrations should have left: run before each deployment.

use anyhow::{ensure, Result};
use tokio_postgres::NoTls;

const PRIMARY_KEYS: i64 = 18;

const WITHOUT_KEY: &str = "
    SELECT c.relname::text
      FROM pg_class c
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
       AND c.relname <> '_sqlx_migrations'
       AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'p')
     ORDER BY 1";

/// Constraints per table; the numbers are compared with those in schema.lock.
const PER_TABLE: &str = "
    SELECT conrelid::regclass::text AS table_name, count(*) AS constraints FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace AND conrelid <> 0
     GROUP BY 1
     ORDER BY 1";

const FOREIGN_KEYS: &str = "
    SELECT conrelid::regclass::text AS table_name, count(*) AS keys
      FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace AND contype = 'f'
     GROUP BY 1
     ORDER BY 1";

const TARGETS: &str = "
    SELECT a.attname::text
      FROM pg_attribute a
     WHERE a.attrelid = 'batches'::regclass AND a.attnum > 0
       AND coalesce(a.attstattarget, -1) <> -1";

#[tokio::main]
async fn main() -> Result<()> {
    let (client, connection) = tokio_postgres::connect(&std::env::var("DATABASE_URL")?, NoTls).await?;
    tokio::spawn(connection);

    let missing = client.query(WITHOUT_KEY, &[]).await?;
    ensure!(missing.is_empty(), "{} tables have no primary key", missing.len());

    for row in client.query(PER_TABLE, &[]).await? {
        println!("{} {}", row.get::<_, String>(0), row.get::<_, i64>(1));
    }
    for row in client.query(FOREIGN_KEYS, &[]).await? {
        println!("fk {} {}", row.get::<_, String>(0), row.get::<_, i64>(1));
    }
    let targets = client.query(TARGETS, &[]).await?;
    ensure!(targets.is_empty(), "statistics targets were set by hand");

    let keys: i64 = client
        .query_one(
            "SELECT count(*) FROM information_schema.table_constraints
              WHERE constraint_schema = 'public' AND constraint_type = 'PRIMARY KEY'",
            &[],
        )
        .await?
        .get(0);
    ensure!(keys >= PRIMARY_KEYS, "{keys} primary keys instead of {PRIMARY_KEYS}");
    Ok(())
}
