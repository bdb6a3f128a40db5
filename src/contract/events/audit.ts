import { z } from 'zod';
import { count, timestamp } from '../schemas/fields.ts';

export const auditEvents = {
  'audit.purged': z.strictObject({
    records: count,
    before: timestamp.nullable().meta({ description: 'The records were older than this time.' }),
  }),
} as const;
