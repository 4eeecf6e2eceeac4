import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('users')
export class User {
  @PrimaryGeneratedColumn()
  id: number;

  @Column()
  email: string;

  @Column({ name: 'system_user' })
  systemUser: boolean;

  @CreateDateColumn({ name: 'created_at' })
  createdAt: Date;
}
