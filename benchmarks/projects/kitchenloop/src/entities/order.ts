import { Column, Entity, PrimaryGeneratedColumn } from "typeorm";

export type OrderState = "cart" | "placed" | "cooking" | "on_the_way" | "delivered" | "cancelled";

@Entity("orders")
export class Order {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ name: "customer_id" })
  customerId!: number;

  @Column({ name: "restaurant_id" })
  restaurantId!: number;

  @Column("text")
  state!: OrderState;

  @Column("timestamptz", { name: "placed_at", nullable: true })
  placedAt!: Date | null;

  @Column("numeric", { precision: 9, scale: 2 })
  subtotal!: string;

  @Column("numeric", { precision: 9, scale: 2, insert: false, update: false })
  total!: string;

  @Column("jsonb", { default: {} })
  meta!: Record<string, unknown>;
}
