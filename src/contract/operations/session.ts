import { z } from 'zod';
import { anySession } from '../access-rules.ts';
import { busy, type DocumentedError } from '../errors.ts';
import { defineOperation } from '../operation.ts';
import { adminIdentitySchema } from '../schemas/admins.ts';
import { shownAs, success } from '../schemas/fields.ts';

const path = '/api/admin/session';

export const sessionErrors = {
  invalidCredentials: { code: 'unauthenticated', text: 'Invalid email or password.' },
  tooManyAttempts: { code: 'rate_limited', text: 'Too many sign-in attempts. Try again later.' },
} as const satisfies Record<string, DocumentedError>;

const createSession = defineOperation({
  id: 'session.create',
  summary: 'Sign in',
  description:
    'Sets the session cookie and ends the previous session of the caller. A session ends after 30 ' +
    'minutes without a request, and after 12 hours in any case, unless configured otherwise. An unknown ' +
    'account and a wrong password get the same answer. Failures are limited for each account and network.',
  method: 'POST',
  path,
  allow: { to: 'anyone' },
  changes: ['session.started', 'session.ended'],
  // A credential that is missing or has a wrong type is a wrong credential. The answer reveals no more than that.
  input: z.object({
    email: z
      .string()
      .trim()
      .toLowerCase()
      .catch('')
      .meta(shownAs({ type: 'string', description: 'Case and surrounding spaces are ignored.' })),
    password: z
      .string()
      .catch('')
      .meta(shownAs({ type: 'string', format: 'password' })),
  }),
  output: z.strictObject({ success: z.literal(true), admin: adminIdentitySchema }),
  errors: [sessionErrors.invalidCredentials, sessionErrors.tooManyAttempts, busy],
  failure: 'Failed to sign in.',
  example: {
    input: { email: 'grace@example.com', password: 'correct horse battery staple' },
    output: {
      success: true,
      admin: {
        id: 'admin_1769851800000_k3x9a2',
        email: 'grace@example.com',
        username: 'grace',
        role: 'superadmin',
      },
    },
  },
});

const showSession = defineOperation({
  id: 'session.show',
  summary: 'Show who is signed in',
  description: '`admin` is null for an API token, which has no account.',
  method: 'GET',
  path,
  allow: anySession,
  input: z.object({}),
  output: z.strictObject({ success: z.literal(true), admin: adminIdentitySchema.nullable() }),
  failure: 'Failed to load the session.',
  example: {
    output: {
      success: true,
      admin: {
        id: 'admin_1769851800000_k3x9a2',
        email: 'grace@example.com',
        username: 'grace',
        role: 'superadmin',
      },
    },
  },
});

const deleteSession = defineOperation({
  id: 'session.delete',
  summary: 'Sign out',
  description: 'The session ends on every instance at once. With an API token, nothing changes.',
  method: 'DELETE',
  path,
  allow: anySession,
  changes: ['session.ended'],
  input: z.object({}),
  output: success,
  failure: 'Failed to sign out.',
  example: { output: { success: true } },
});

export const sessionOperations = [createSession, showSession, deleteSession] as const;
