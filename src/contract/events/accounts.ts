import { z } from 'zod';
import { roleSchema } from '../access-rules.ts';
import { factorTypes, signInMethods } from '../schemas/factors.ts';
import { count, timestamp } from '../schemas/fields.ts';

/** Something of an account. */
const session = z.strictObject({ admin_id: z.string() });
const token = z.strictObject({ name: z.string(), role: roleSchema });

const invitation = z.strictObject({ email: z.string(), role: roleSchema });

const admin = z.strictObject({
  email: z.string(),
  username: z.string(),
  role: roleSchema,
  is_active: z.int(),
});

const factor = z.strictObject({ admin_id: z.string(), type: z.enum(factorTypes), name: z.string() });
const codes = z.strictObject({
  admin_id: z.string(),
  left: count.meta({ description: 'How many recovery codes the account has now.' }),
});

/** The events of accounts and of what gives access to them. They contain no secret. */
export const accountEvents = {
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
  'admin.created': admin,
  'admin.updated': admin.partial().extend({
    password: z.literal('changed').optional().meta({ description: 'Present if it was changed.' }),
  }),
  'admin.deleted': admin,
  'factor.added': factor,
  'factor.removed': factor,
  'recovery_codes.created': codes,
  'recovery_code.used': codes,
} as const;
