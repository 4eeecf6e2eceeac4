import { MigrationInterface, QueryRunner } from 'typeorm';

export class LegacySyncRole1712000000000 implements MigrationInterface {
  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE ROLE legacy_sync NOLOGIN`);
    await queryRunner.query(`GRANT SELECT, INSERT ON bookings, vehicles TO legacy_sync`);
    await queryRunner.query(`ALTER ROLE legacy_sync SET standard_conforming_strings = off`);
    await queryRunner.query(`ALTER ROLE legacy_sync SET lock_timeout = '5s'`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP OWNED BY legacy_sync`);
    await queryRunner.query(`DROP ROLE legacy_sync`);
  }
}
