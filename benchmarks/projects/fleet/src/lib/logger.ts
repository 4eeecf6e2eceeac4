import pino from 'pino';

export const logger = pino({ name: 'fleet', level: process.env.LOG_LEVEL ?? 'info' });
