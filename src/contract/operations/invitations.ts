import { z } from 'zod';
import { groupDigits } from '../../shared/text.ts';
import { busy, conflict, type DocumentedError, forbidden, invalidField, noEncryptionKey } from '../errors.ts';
import { anyone, defineOperation, managers, roleSchema } from '../operation.ts';
import {
  adminIdentitySchema,
  exampleIdentity,
  examplePasswordByLink,
  optionalUsername,
  passwordByLink,
  passwordErrors,
} from '../schemas/admins.ts';
import { rowWithExample, success, timestamp } from '../schemas/fields.ts';
import { mailAddress } from '../schemas/mail-address.ts';
import { rowId } from '../schemas/row-ids.ts';
import { roles } from '../vocabulary.ts';
import { adminErrors } from './admins.ts';
import { limitedTo } from './session.ts';

export const { schema: invitationSchema, example: exampleInvitation } = rowWithExample('Invitation', {
  id: [z.int(), 3],
  email: [z.string(), 'grace@example.com'],
  role: [roleSchema, 'admin'],
  invited_by: [z.string().describe('Who sent it.'), 'ada@example.com'],
  created_at: [timestamp, '2026-01-31T09:30:00.000Z'],
  expires_at: [timestamp, '2026-02-07T09:30:00.000Z'],
});

const path = '/api/admin/invitations';
/** A list for people to check, which is answered whole. */
export const maxInvitations = 1_000;

export const invitationErrors = {
  unknown: invalidField(
    'token',
    'This invitation is not valid: it was used, revoked or replaced, or is too old. Ask for a new one.',
  ),
  strictSuperadmin: forbidden('Only superadmin can replace or revoke the invitation of a superadmin.'),
  tooMany: conflict(`There are ${groupDigits(maxInvitations)} open invitations already. Revoke one first.`),
} as const satisfies Record<string, DocumentedError>;

export const invitationOperations = [
  /** Beyond the contract, like all below. */
  defineOperation('GET', path, managers, {
    id: 'invitations.list',
    summary: 'List open invitations, newest first',
    description: 'Invitations that were accepted or have expired are left out.',
    input: z.object({}),
    output: z.strictObject({ invitations: z.array(invitationSchema) }),
    failure: 'Failed to load the invitations.',
    example: { output: { invitations: [exampleInvitation] } },
  }),

  defineOperation('POST', path, managers, {
    id: 'invitations.create',
    summary: 'Invite someone to create an account',
    description:
      'Sends a link by mail that works once, for 7 days. Without a mail server the answer has the link, for you to pass ' +
      'on. It leads to the public URL of the service, or where none is set to the address that the sender uses in a browser. ' +
      'An invitation to the same address replaces the one before. It ends if its sender loses the right to ' +
      'invite. With strict roles, only a superadmin may invite a superadmin.',
    changes: ['invitation.created'],
    confidential: true,
    input: z.object({
      email: mailAddress('email is required.'),
      role: z.enum(roles, { error: `role must be one of: ${roles.join(', ')}.` }),
    }),
    output: success.extend({
      invitation: invitationSchema,
      link: z.string().nullable().describe('The link, or null if it was sent by mail.'),
    }),
    errors: [
      adminErrors.strictCreate,
      adminErrors.strictTokenCreate,
      invitationErrors.strictSuperadmin,
      adminErrors.emailTaken,
      invitationErrors.tooMany,
      noEncryptionKey,
    ],
    failure: 'Failed to create the invitation.',
    example: {
      input: { email: 'grace@example.com', role: 'admin' },
      output: { success: true, invitation: exampleInvitation, link: null },
    },
  }),

  defineOperation('DELETE', path, managers, {
    id: 'invitations.revoke',
    summary: 'Revoke an invitation',
    description:
      'Its link stops working. An unknown id succeeds. With strict roles, only a superadmin may revoke the invitation ' +
      'of a superadmin.',
    changes: ['invitation.revoked'],
    input: z.object({ id: rowId('Invitation ID is required.') }),
    errors: [invitationErrors.strictSuperadmin],
    failure: 'Failed to revoke the invitation.',
    example: { input: { id: 3 } },
  }),

  defineOperation('POST', `${path}/accept`, anyone, {
    id: 'invitations.accept',
    summary: 'Accept an invitation: create the account',
    description:
      'Takes the token of the link. The account has the e-mail and the role of the invitation. Signs in to it, and ends the ' +
      'previous session of the caller. Only if a sign-in needs a code that is sent by e-mail, sign in afterwards.',
    changes: ['invitation.accepted', 'admin.created', 'session.started', 'session.ended'],
    load: 'outside',
    input: z.object({
      ...passwordByLink,
      username: optionalUsername('The default is the part of the e-mail before the `@`.'),
    }),
    output: success.extend({
      admin: adminIdentitySchema,
      signed_in: z.boolean().describe('Whether a session was started, and its cookie set.'),
      limited_to: limitedTo,
    }),
    errors: [...passwordErrors, invitationErrors.unknown, adminErrors.emailTaken, busy],
    failure: 'Failed to accept the invitation.',
    example: {
      input: { ...examplePasswordByLink, username: 'grace' },
      output: { success: true, admin: { ...exampleIdentity, role: 'admin' }, signed_in: true },
    },
  }),
] as const;
