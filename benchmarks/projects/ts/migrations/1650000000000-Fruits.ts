import { MigrationInterface, QueryRunner } from "typeorm";

export class Fruits1650000000000 implements MigrationInterface {
  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE apples ALTER COLUMN name DROP NOT NULL`);
    await queryRunner.query(`ALTER TABLE fruits ALTER COLUMN id SET NOT NULL`);
    await queryRunner.query(`CREATE UNLOGGED TABLE harvest (day date) PARTITION BY RANGE (day)`);
    await queryRunner.query(`CREATE TABLE yields (day date) PARTITION BY RANGE (day)`);
    await queryRunner.query(`CREATE ROLE migrator PASSWORD 'md50123456789abcdef0123456789abcdef'`);
    await queryRunner.query(`REVOKE RULE ON fruits FROM web`);
    await queryRunner.query(`REVOKE TRIGGER ON fruits FROM web`);
    await queryRunner.query(`VACUUM fruits`);
    await queryRunner.query(`VACUUM "User"`);
    await queryRunner.query(`CREATE CAST (integer AS bytea) WITH FUNCTION int4send(integer)`);
    await queryRunner.query(`CREATE CAST (float8 AS bytea) WITH FUNCTION float8send(float8)`);
  }
}
