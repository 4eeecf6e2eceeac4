import { PrismaClient } from '@prisma/client';

export const prisma = new PrismaClient({
  log: process.env.SQL_LOG ? ['query', 'warn', 'error'] : ['warn', 'error'],
});
