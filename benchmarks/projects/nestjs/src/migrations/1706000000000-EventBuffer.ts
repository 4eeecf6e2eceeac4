import { MigrationInterface, QueryRunner } from 'typeorm';

export class EventBuffer1706000000000 implements MigrationInterface {
  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE UNLOGGED TABLE event_dedup (
        fingerprint bytea PRIMARY KEY,
        seen_at timestamptz NOT NULL DEFAULT now()
      )
    `);
    await queryRunner.query(`
      CREATE UNLOGGED TABLE event_buffer (
        vehicle_id integer NOT NULL,
        received_at timestamptz NOT NULL,
        body jsonb NOT NULL
      ) PARTITION BY RANGE (received_at)
    `);
    await queryRunner.query(`CREATE INDEX event_dedup_seen ON event_dedup (seen_at)`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE event_buffer`);
    await queryRunner.query(`DROP TABLE event_dedup`);
  }
}
