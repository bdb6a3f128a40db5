import { z } from 'zod';
import { roleSchema } from '../roles.ts';
import { signInMethods } from '../schemas/factors.ts';
import { timestamp } from '../schemas/fields.ts';

/** Something of an account. */
const session = z.strictObject({ admin_id: z.string() });
const token = z.strictObject({ name: z.string(), role: roleSchema });

const invitation = z.strictObject({ email: z.string(), role: roleSchema });

/** The events of what gives access. They contain no secret. */
export const accessEvents = {
  'invitation.created': invitation.extend({ expires_at: timestamp }),
  'invitation.revoked': invitation,
  'invitation.accepted': invitation.extend({ admin_id: z.string() }),
  'password_reset.requested': session,
  'session.started': session.extend({
    /** Present if the account has not signed in with that browser and system, or from that network, in 90 days. */
    new_device: z.literal(true).optional(),
    new_network: z.literal(true).optional(),
    /** Present if the sign-in needed one. */
    second_factor: z.enum(signInMethods).optional(),
  }),
  'session.ended': session,
  'token.created': token.extend({
    expires_at: timestamp.nullable(),
    /** The admin that it acts as. */
    owner_id: z.string().optional(),
    read_only: z.literal(true).optional(),
  }),
  'token.revoked': token,
} as const;
