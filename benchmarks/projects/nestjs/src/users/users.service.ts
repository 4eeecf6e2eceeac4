import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { User } from './user.entity';

@Injectable()
export class UsersService {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  async countPeople(since: Date): Promise<number> {
    const [row] = await this.users.query(
      `SELECT count(*) AS people
         FROM users
        WHERE created_at >= $1
          AND NOT system_user`,
      [since],
    );
    return Number(row.people);
  }

  robots(): Promise<User[]> {
    return this.users.query(
      'SELECT u.id, u.email FROM users u WHERE u.system_user ORDER BY u.email',
    );
  }

  async settings(userId: number): Promise<Record<string, string>> {
    const [row] = await this.users.query(
      `SELECT json_object(array_agg(s.key), array_agg(s.value)) AS settings
         FROM user_settings s
        WHERE s.user_id = $1`,
      [userId],
    );
    return row.settings ?? {};
  }
}
