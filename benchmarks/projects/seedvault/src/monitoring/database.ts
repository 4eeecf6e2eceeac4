import pino from 'pino'
import { rows } from '../db/pool.js'

const log = pino({ name: 'monitoring' })

export async function vacuumProgress() {
  const running = await rows<{ relation: string; phase: string; dead: string }>(`
    SELECT p.relid::regclass::text AS relation,
           p.phase,
           p.heap_blks_scanned, p.heap_blks_total,
           p.num_dead_tuples AS dead
      FROM pg_stat_progress_vacuum p
     WHERE p.datname = current_database()
  `)
  for (const { relation, phase } of running) {
    log.info(`vacuum of ${relation}: ${phase} (max_dead_tuples is not logged)`)
  }
  return running
}

export async function deadRows() {
  return rows(`
    SELECT relname, n_live_tup, n_dead_tup, last_autovacuum
      FROM pg_stat_user_tables
     WHERE n_dead_tup > 10000
     ORDER BY n_dead_tup DESC
  `)
}

/** Tables that were loaded but never analyzed: they get bad plans. */
export async function neverAnalyzed() {
  return rows<{ relname: string; pages: number }>(`
    SELECT c.relname, (pg_relation_size(c.oid) / 8192)::int AS pages
      FROM pg_class c
     WHERE c.relkind = 'r'
       AND c.relnamespace = 'public'::regnamespace
       AND c.reltuples = 0
       AND pg_relation_size(c.oid) > 0
  `)
}

export async function estimatedRows() {
  return rows(`
    SELECT c.relname, greatest(c.reltuples, 0)::bigint AS estimate
      FROM pg_class c
     WHERE c.relkind IN ('r', 'm') AND c.relnamespace = 'public'::regnamespace
     ORDER BY 2 DESC
  `)
}

export async function backgroundWriter() {
  const [row] = await rows(`
    SELECT buffers_clean, maxwritten_clean, buffers_alloc, stats_reset
      FROM pg_stat_bgwriter
  `)
  return row
}
