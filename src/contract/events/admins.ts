import { z } from 'zod';
import { roleSchema } from '../roles.ts';

const admin = z.strictObject({
  email: z.string(),
  username: z.string(),
  role: roleSchema,
  is_active: z.int(),
});

export const adminEvents = {
  'admin.created': admin,
  'admin.updated': admin.partial().extend({
    password: z.literal('changed').optional().meta({ description: 'Present if it was changed.' }),
  }),
  'admin.deleted': admin,
} as const;
