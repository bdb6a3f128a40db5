import { z } from 'zod';
import { anySession, defineOperation, managers, roleSchema } from '../operation.ts';
import { exampleAdmin } from '../schemas/admins.ts';
import { rowWithExample, timestamp } from '../schemas/fields.ts';
import { filterWords, searchParameter } from '../schemas/filters.ts';
import { adminErrors } from './admins.ts';

const path = '/api/admin/sessions';

const id = [
  z.string().describe('Identifies the session. It gives no access to it.'),
  'vX0cZ2nJ1m9o3Q5t7w9y1A3C5E7G9I1K3M5O7Q9S1U3',
] as const;
const times = {
  created_at: [timestamp, '2026-01-31T09:30:00.000Z'],
  last_seen_at: [timestamp, '2026-01-31T10:05:00.000Z'],
  expires_at: [timestamp, '2026-01-31T21:30:00.000Z'],
} as const;
const device = z.string().describe('The browser and the system of the sign-in. Empty if unknown.');
const address = z.string().describe('The network address of the sign-in. Empty if unknown.');
const isCurrent = z.boolean().describe('Whether this request uses the session.');

export const { schema: sessionSchema, example: exampleSession } = rowWithExample('Session', {
  id,
  admin_id: [z.string(), exampleAdmin.id],
  email: [z.string(), exampleAdmin.email],
  role: [roleSchema, exampleAdmin.role],
  ...times,
  device: [device.optional(), undefined],
  address: [address.optional(), undefined],
  is_current: [isCurrent.optional(), undefined],
});

export const { schema: ownSessionSchema, example: exampleOwnSession } = rowWithExample('OwnSession', {
  id,
  device: [device, 'Firefox on Windows'],
  address: [address, '203.0.113.7'],
  is_current: [isCurrent, true],
  ...times,
});

const ownSessionRequired = 'id or others=1 is required.';

/* Everything here is beyond the contract. */

export const sessionsOperations = [
  defineOperation('GET', path, managers, {
    id: 'sessions.list',
    summary: 'List active sign-in sessions, last seen first',
    description: 'Sessions that have expired are left out, and so are API tokens.',
    input: z.object({
      q: searchParameter('the id of the session, and the id, the e-mail and the role of its admin'),
      include: filterWords(
        'include',
        ['origin'],
        'Fields to add to each session. `origin` adds `device`, `address` and `is_current`.',
      ),
    }),
    output: z.strictObject({ sessions: z.array(sessionSchema) }),
    failure: 'Failed to load sessions.',
    example: { output: { sessions: [exampleSession] } },
  }),

  defineOperation('DELETE', path, managers, {
    id: 'sessions.revoke',
    summary: 'End a sign-in session, or all sessions of an admin',
    description:
      'Takes the `id` of a session, the `admin_id` of an admin, or both. The sessions end on every ' +
      'instance at once. An unknown id succeeds. With strict roles, the sessions of admins with a higher ' +
      'role are protected.',
    changes: ['session.ended'],
    input: z
      .object({
        id: z.string().optional().describe('The id of a session.'),
        admin_id: z.string().optional().describe('The id of an admin, to end all of its sessions.'),
      })
      .refine(({ id, admin_id }) => Boolean(id) || Boolean(admin_id), { error: 'Session ID is required.' }),
    errors: [adminErrors.strictTarget],
    failure: 'Failed to end the session.',
    example: { input: { id: exampleSession.id } },
  }),

  defineOperation('GET', `${path}/own`, anySession, {
    id: 'sessions.listOwn',
    summary: 'List your own sign-in sessions, last used first',
    description: 'An API token has no session of its own: the list has those of its owner, or none.',
    input: z.object({}),
    output: z.strictObject({ sessions: z.array(ownSessionSchema) }),
    failure: 'Failed to load sessions.',
    example: { output: { sessions: [exampleOwnSession] } },
  }),

  defineOperation('DELETE', `${path}/own`, anySession, {
    id: 'sessions.revokeOwn',
    summary: 'End one of your own sessions, or all others',
    description:
      'They end on every instance at once. An unknown id, or that of another admin, succeeds and ends none.',
    changes: ['session.ended'],
    input: z
      .object({
        id: z.string().optional().describe('The id of a session.'),
        others: z
          .literal('1', { error: ownSessionRequired })
          .optional()
          .describe('1 ends all sessions but the one of this request.'),
      })
      .refine(({ id, others }) => Boolean(id) !== (others === '1'), { error: ownSessionRequired }),
    failure: 'Failed to end the session.',
    example: { input: { others: '1' } },
  }),
] as const;
