import { knex } from '../db/knex';

/** Scans per weekday (1 is Monday) in the hub's time. */
export function scansByWeekday(hubId: number) {
  return knex('scan_events as s')
    .select(knex.raw("extract(isodow FROM s.scanned_at AT TIME ZONE 'UTC')::int AS weekday"))
    .count('* as scans')
    .where('s.hub_id', hubId)
    .groupByRaw('1')
    .orderByRaw('1');
}

export function scansByHour(hubId: number) {
  return knex('scan_events as s')
    .select(knex.raw("date_part('hour', s.scanned_at AT TIME ZONE 'UTC') AS hour"))
    .count('* as scans')
    .where('s.hub_id', hubId)
    .groupByRaw('1')
    .orderByRaw('1');
}

export function deliveryTimes() {
  return knex('parcels as p')
    .select('p.id', knex.raw('p.delivered_at - p.accepted_at AS took'))
    .whereNotNull('p.delivered_at')
    .orderBy('p.id');
}

export function rules() {
  return knex('sla_rules as r')
    .select('r.id', 'r.service', knex.raw("r.max_transit::text || ' + ' || r.grace::text AS printed"))
    .orderBy('r.id');
}

export function openClaims() {
  return knex('open_claims').select('id', 'tracking_no', 'amount', 'answer_by').orderBy('id');
}

export function volumeByCity() {
  return knex('parcels as p')
    .join('addresses as a', 'a.id', 'p.address_id')
    .select('a.city')
    .sum('p.volume_ccm as volume')
    .groupBy('a.city')
    .orderBy('a.city');
}

export function claimsByMonth() {
  return knex('claims as c')
    .select(knex.raw("to_char(c.opened_on, 'YYYY-MM') AS month"))
    .sum('c.amount as amount')
    .groupByRaw('1')
    .orderByRaw('1');
}
