import { z } from 'zod';
import { busy, type DocumentedError, noEncryptionKey } from '../errors.ts';
import { visitorMailModes } from '../known-settings/visitor-mail.ts';
import { anyone, anySession, defineOperation, roleSchema } from '../operation.ts';
import { adminIdentitySchema, exampleIdentity } from '../schemas/admins.ts';
import { passkeyCredential, signInMethods, webAuthnJson } from '../schemas/factors.ts';
import { count, looseText, shownAs, success, timestamp } from '../schemas/fields.ts';
import { filterWords } from '../schemas/filters.ts';

const path = '/api/admin/session';

export const sessionErrors = {
  invalidCredentials: { code: 'unauthenticated', text: 'Invalid email or password.' },
  wrongCode: { code: 'unauthenticated', text: 'The code is wrong, or was used before.' },
  challengeEnded: {
    code: 'unauthenticated',
    text: 'This sign-in has expired or had too many tries. Start again with your password.',
  },
  tooManyCodes: { code: 'rate_limited', text: 'Too many codes were sent. Try again later.' },
  tooManyAttempts: { code: 'rate_limited', text: 'Too many sign-in attempts. Try again later.' },
} as const satisfies Record<string, DocumentedError>;

export const limitedTo = z
  .literal('enrolment')
  .optional()
  .describe(
    'Present if the session may only set up a second factor, which the account needs. Any other request gets 403.',
  );

const exampleChallenge = 'b0p1Wkq0kT3yQ7cO2nM5vX8zL1aS4dF6gH9jK0pR3tU';

const rules = z
  .strictObject({
    strict_roles: z.boolean().describe('Whether `BACKOFFICE_STRICT_ROLES` is set.'),
    password_min_length: count.describe('How many characters a new password needs.'),
    sends_mail: z.boolean().describe('Whether the service sends mails, such as invitations.'),
  })
  .meta({ id: 'Rules', description: 'With `include=rules`: what the service was configured to allow.' });

const ownToken = z
  .strictObject({
    id: z.int().describe('For `DELETE /api/admin/tokens`.'),
    role: roleSchema.describe("What it may do now: never more than its owner's role."),
    read_only: z.boolean(),
  })
  .meta({
    id: 'OwnToken',
    description: 'With `include=token`: the API token of the call. Null for a session.',
  });

export const sessionOperations = [
  defineOperation('POST', path, anyone, {
    id: 'session.create',
    summary: 'Sign in',
    description:
      'Sets the session cookie and ends the previous session of the caller. A session ends after 30 ' +
      'minutes without a request, and after 12 hours in any case, unless configured otherwise. An unknown ' +
      'account and a wrong password get the same answer. Failures are limited for each account and network. ' +
      'If the account has a second factor, or the setting `sign_in_second_factor` requires one, the answer is 202 with a ' +
      '`challenge` and no cookie: complete the sign-in with `POST /api/admin/session/verify`.',
    changes: ['session.started', 'session.ended'],
    repeatable: true,
    // A credential that is missing or has a wrong type is a wrong credential. The answer reveals no more than that.
    input: z.object({
      email: z
        .string()
        .trim()
        .toLowerCase()
        .catch('')
        .meta(shownAs({ type: 'string', description: 'Case and surrounding spaces are ignored.' })),
      password: looseText({ format: 'password' }),
    }),
    output: success.extend({ admin: adminIdentitySchema, limited_to: limitedTo }),
    pending: z
      .strictObject({
        challenge: z.string().describe('For `POST /api/admin/session/verify`. It allows five tries.'),
        methods: z
          .array(z.enum(signInMethods))
          .describe(
            '`totp`: a code of an authenticator app. `passkey`: a passkey of this site. `email`: a code that was ' +
              'just sent by e-mail. `recovery`: a recovery code.',
          ),
        expires_at: timestamp,
        passkey: webAuthnJson('For `navigator.credentials.get`, if `passkey` is one of the methods.', {
          challenge: exampleChallenge,
          rpId: 'backoffice.example.com',
        }).optional(),
      })
      .meta({ id: 'SignInChallenge' }),
    errors: [
      sessionErrors.invalidCredentials,
      sessionErrors.tooManyAttempts,
      sessionErrors.tooManyCodes,
      noEncryptionKey,
      busy,
    ],
    failure: 'Failed to sign in.',
    example: {
      input: { email: 'grace@example.com', password: 'correct horse battery staple' },
      output: { success: true, admin: exampleIdentity },
    },
  }),

  defineOperation('GET', path, anySession, {
    id: 'session.show',
    summary: 'Show who is signed in',
    description:
      '`admin` is null for an API token without an owner. Its `role` is what the caller may do now.',
    enrolment: true,
    input: z.object({
      include: filterWords(
        'include',
        ['rules', 'token', 'password', 'events', 'visitor_mail', 'examples'],
        'What to add.',
      ),
    }),
    output: success.extend({
      admin: adminIdentitySchema.nullable(),
      expires_at: timestamp.nullable().describe('When the session ends in any case. Null without one.'),
      idle_expires_at: timestamp
        .nullable()
        .describe('When the session ends without another request, give or take a minute.'),
      limited_to: limitedTo,
      rules: rules.optional(),
      token: ownToken.nullable().optional(),
      generated_password: z
        .boolean()
        .optional()
        .describe(
          'With `include=password`: whether the account still has the password that the service generated at its first start.',
        ),
      visitor_mail: z
        .enum(visitorMailModes)
        .optional()
        .describe(
          'With `include=visitor_mail`: whether replies are sent to visitors by mail. `off`: the setting `visitor_mail` is not ' +
            '`on`. `no_server`: the service has no `SMTP_URL`.',
        ),
      has_examples: z
        .boolean()
        .optional()
        .describe('With `include=examples`: whether there is example data of `backoffice seed`.'),
      latest_event: count
        .optional()
        .describe(
          'With `include=events`: the id of the latest event. A client that follows the events after it misses no change of ' +
            'what it loads in the meantime.',
        ),
    }),
    failure: 'Failed to load the session.',
    example: {
      output: {
        success: true,
        admin: exampleIdentity,
        expires_at: '2026-01-31T21:30:00.000Z',
        idle_expires_at: '2026-01-31T10:35:00.000Z',
      },
    },
  }),

  defineOperation('DELETE', path, anySession, {
    id: 'session.delete',
    summary: 'Sign out',
    description: 'The session ends on every instance at once. With an API token, nothing changes.',
    enrolment: true,
    changes: ['session.ended'],
    input: z.object({}),
    failure: 'Failed to sign out.',
    example: { output: { success: true } },
  }),

  defineOperation('POST', `${path}/verify`, anyone, {
    id: 'session.verify',
    summary: 'Complete a sign-in with a second factor',
    description:
      'Takes the `challenge` that the sign-in answered, one of its `methods`, and a `code`, or for a passkey the ' +
      '`credential` that the browser returned. Answers as the sign-in does, with the cookie. A challenge lasts ' +
      'five minutes and five tries, and ends when the password, the role or the e-mail of the account changes. ' +
      'Every code works once. Wrong codes are limited for each account too.',
    changes: ['session.started', 'session.ended', 'recovery_code.used'],
    input: z.object({
      challenge: looseText(),
      method: z.enum(signInMethods, { error: `method must be one of: ${signInMethods.join(', ')}.` }),
      code: looseText({
        description: 'For every method but `passkey`. Spaces and dashes are ignored.',
      }).optional(),
      credential: passkeyCredential,
    }),
    output: success.extend({ admin: adminIdentitySchema }),
    errors: [
      sessionErrors.wrongCode,
      sessionErrors.challengeEnded,
      sessionErrors.tooManyAttempts,
      noEncryptionKey,
    ],
    failure: 'Failed to sign in.',
    example: {
      input: { challenge: exampleChallenge, method: 'totp', code: '755224' },
      output: { success: true, admin: exampleIdentity },
    },
  }),
] as const;
