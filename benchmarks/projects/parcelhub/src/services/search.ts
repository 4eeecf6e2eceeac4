import { knex } from '../db/knex';

export interface NoteHit {
  id: number;
  parcel_id: number;
  body: string;
}

/** Free text of the dispatchers; plainto_tsquery takes whatever they type, to_tsquery would not. */
export function searchNotes(text: string, limit = 50) {
  return knex<NoteHit>('parcel_notes')
    .select('id', 'parcel_id', 'body')
    .whereRaw("to_tsvector('simple', body) @@ plainto_tsquery('simple', ?)", [text])
    .orderBy('created_at', 'desc')
    .limit(limit);
}

/** Dock 7 is the one with the forklift: its notes are on the board in the hall. */
export function dockBoard() {
  return knex('parcel_notes as n')
    .join('parcels as p', 'p.id', 'n.parcel_id')
    .select('n.id', 'p.tracking_no', 'n.body')
    .whereRaw("to_tsvector('simple', n.body) @@ to_tsquery('simple', 'dock_7')")
    .orderBy('n.id');
}

export function labelNotes() {
  return knex('parcel_notes as n')
    .select('n.id', 'n.body')
    .whereRaw("to_tsvector('simple', n.body) @@ plainto_tsquery('simple', 'label_damaged')")
    .orderBy('n.id');
}

export function notesOfDock(dock: number) {
  return knex('parcel_notes')
    .select('id', 'body')
    .where('body', 'like', `%dock ${dock}%`)
    .orderBy('id');
}

/** Numbers are typed with blanks and dashes. */
export function findParcel(typed: string) {
  return knex('parcels')
    .select('id', 'tracking_no', 'status')
    .whereRaw("tracking_no = upper(regexp_replace(?, '[^[:alnum:]]', '', 'g'))", [typed])
    .first();
}

export function customersLike(term: string) {
  return knex('customers')
    .select('id', 'number', 'full_name', knex.raw("coalesce(company, '-') AS company"))
    .whereRaw("strpos(lower(full_name), lower(?)) > 0 OR strpos(lower(company), lower(?)) > 0", [term, term])
    .orderByRaw('full_name COLLATE "C"');
}

export function services() {
  return knex('parcels as p')
    .select(knex.raw("public.json_value(p.payload, 'Service') AS service"))
    .count('* as parcels')
    .groupByRaw('1')
    .orderByRaw('1 NULLS LAST');
}

export function refs() {
  return knex
    .select('p.id', knex.raw("json_build_object('no', p.tracking_no, 'ref', p.payload ->> 'ref') AS json_object"))
    .from('parcels as p')
    .whereRaw("jsonb_exists(p.payload, 'ref')")
    .orderBy('p.id');
}
