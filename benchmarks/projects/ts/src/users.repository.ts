import { Knex } from "knex";

export class UsersRepository {
  constructor(private readonly knex: Knex) {}

  page(offset: number) {
    return this.knex.raw("SELECT id FROM \"User\" ORDER BY id LIMIT 20OFFSET ?", [offset]);
  }

  pageSpaced(offset: number) {
    return this.knex.raw("SELECT id FROM \"User\" ORDER BY id LIMIT 20 OFFSET ?", [offset]);
  }

  paths() {
    return this.knex.raw("SELECT id FROM \"User\" WHERE jsonb_path_match(meta, '3.type() == $.kind')");
  }

  recent() {
    return this.knex.raw(`SELECT id FROM "User" WHERE "createdAt" > now() + interval '1 hour ago 5 minutes'`);
  }

  recentWell() {
    return this.knex.raw(`SELECT id FROM "User" WHERE "createdAt" > now() + interval '1 hour 5 minutes ago'`);
  }

  targets() {
    return this.knex.raw("SELECT attname FROM pg_attribute WHERE attstattarget = -1 AND attrelid = 'fruits'::regclass");
  }

  contexts() {
    return this.knex.raw("SELECT name, parent FROM pg_backend_memory_contexts");
  }

  ident() {
    return this.knex.raw("SELECT name, ident FROM pg_backend_memory_contexts");
  }
}
