import { z } from 'zod';
import { count, timestamp } from '../schemas/fields.ts';

export const auditEvents = {
  'audit.purged': z.strictObject({
    records: count,
    before: timestamp.nullable().meta({ description: 'The records were older than this time.' }),
  }),
  'audit.redacted': z.strictObject({
    records: count,
    ids: z.array(z.int()).meta({ description: 'The records whose fields before and after were erased.' }),
  }),
} as const;
