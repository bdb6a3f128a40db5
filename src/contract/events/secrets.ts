import { z } from 'zod';
import { count } from '../schemas/fields.ts';

export const secretEvents = {
  'secrets.encrypted': z.strictObject({
    key: z.string().nullable().meta({ description: 'The id of the key that encrypts them now.' }),
    secrets: count,
  }),
} as const;
