import { dataSource } from "../data-source";

/** For the dashboard: how the database does. */
export async function health() {
  const [writer] = await dataSource.query("SELECT buffers_clean, maxwritten_clean, buffers_alloc FROM pg_stat_bgwriter");
  const [wal] = await dataSource.query("SELECT wal_records, wal_bytes FROM pg_stat_wal");
  const [clients] = await dataSource.query(
    "SELECT count(*) AS clients FROM pg_stat_activity WHERE backend_type = 'client backend'",
  );
  const [locale] = await dataSource.query("SELECT datcollate AS lc_collate FROM pg_database WHERE datname = current_database()");
  return { writer, wal, clients, locale };
}
