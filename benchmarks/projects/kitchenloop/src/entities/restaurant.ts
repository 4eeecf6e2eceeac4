import { Column, Entity, PrimaryGeneratedColumn } from "typeorm";

@Entity("restaurants")
export class Restaurant {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column("text")
  name!: string;

  @Column("text", { unique: true, nullable: true })
  slug!: string | null;

  @Column("text")
  city!: string;

  @Column("text", { default: "english" })
  lang!: string;
}
