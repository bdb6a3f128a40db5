import { z } from 'zod';
import { count } from '../schemas/fields.ts';

export const visitorEvents = {
  'visitor.erased': z.strictObject({
    digest: z
      .string()
      .nullable()
      .meta({ description: 'A digest of the address under the key of the service; null if it has none.' }),
    conversations: count,
    messages: count,
    redacted: count.meta({ description: 'Other rows that named the visitor.' }),
  }),
} as const;
