import { z } from 'zod';
import { roleSchema } from '../roles.ts';
import { timestamp } from '../schemas/fields.ts';

const session = z.strictObject({ admin_id: z.string() });
const token = z.strictObject({ name: z.string(), role: roleSchema });

/** The events of sessions and API tokens. */
export const accessEvents = {
  'session.started': session,
  'session.ended': session,
  'token.created': token.extend({ expires_at: timestamp.nullable() }),
  'token.revoked': token,
} as const;
