import { Column, Entity, PrimaryGeneratedColumn } from "typeorm";

@Entity("dishes")
export class Dish {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ name: "section_id" })
  sectionId!: number;

  @Column("text")
  name!: string;

  @Column("text", { default: "" })
  description!: string;

  @Column("numeric", { precision: 8, scale: 2 })
  price!: string;

  // minutes, as the restaurant writes them
  @Column("text", { name: "prep_time", default: "15" })
  prepTime!: string;

  @Column("integer", { name: "pack_minutes", default: 2 })
  packMinutes!: number;

  @Column("text", { array: true, default: () => "'{}'" })
  allergens!: string[];

  @Column("boolean", { default: true })
  active!: boolean;
}
