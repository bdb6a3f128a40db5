import { z } from 'zod';
import { factorTypes } from '../schemas/factors.ts';
import { count } from '../schemas/fields.ts';

const factor = z.strictObject({ admin_id: z.string(), type: z.enum(factorTypes), name: z.string() });
const codes = z.strictObject({
  admin_id: z.string(),
  left: count.meta({ description: 'How many recovery codes the account has now.' }),
});

/** The events of second factors. They are about accounts and never contain a secret. */
export const factorEvents = {
  'factor.added': factor,
  'factor.removed': factor,
  'recovery_codes.created': codes,
  'recovery_code.used': codes,
} as const;
