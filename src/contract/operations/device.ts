import { z } from 'zod';
import { type DocumentedError, forbidden, invalidField, noEncryptionKey } from '../errors.ts';
import { anyone, anySession, defineOperation } from '../operation.ts';
import { looseText, timestamp } from '../schemas/fields.ts';
import { exampleSecret, roleAbove, tokenErrors, tokenGrant, tokenName } from './tokens.ts';

const path = '/api/admin/device';
const codeRequired = 'user_code is required.';
const exampleUserCode = 'WDJB-MJHT';
const exampleDeviceCode = 'b0p1Wkq0kT3yQ7cO2nM5vX8zL1aS4dF6gH9jK0pR3tU';

export const deviceErrors = {
  noPerson: forbidden('Only a person who is signed in can let a device in. API tokens cannot.'),
  unknownCode: invalidField(
    'user_code',
    'There is no device with this code. It may be too old, or answered already. Start again on the device.',
  ),
  tooManyCodes: { code: 'rate_limited', text: 'Too many wrong codes. Try again later.' },
  tooManyDevices: { code: 'rate_limited', text: 'Too many devices ask to be let in. Try again later.' },
  // The errors of RFC 8628, section 3.5. Their texts are its codes.
  pending: { code: 'authorization_pending', text: 'authorization_pending' },
  slowDown: { code: 'slow_down', text: 'slow_down' },
  expired: { code: 'expired_token', text: 'expired_token' },
  denied: { code: 'access_denied', text: 'access_denied' },
} as const satisfies Record<string, DocumentedError>;

const userCode = z.string({ error: codeRequired }).regex(/\S/, { error: codeRequired }).meta({
  pattern: '\\S',
  description: 'The code that the device shows. Case, spaces and dashes are ignored.',
});

const { noPerson, unknownCode, tooManyCodes } = deviceErrors;
const answerErrors = [noPerson, unknownCode, tooManyCodes, noEncryptionKey];

export const deviceOperations = [
  /** Beyond the contract, like all below. */
  defineOperation('POST', path, anyone, {
    id: 'device.create',
    summary: 'Ask for access as a device (RFC 8628)',
    description:
      'For programs without a browser, such as the command line. Show the person `user_code` and `verification_uri`, then ' +
      'ask for the token with `POST /api/admin/device/token` every `interval` seconds, until `expires_in` seconds have ' +
      'passed. A network may ask 20 times in 15 minutes.',
    confidential: true,
    input: z.object({ name: tokenName }),
    output: z.strictObject({
      device_code: z.string().describe('The secret of the device.'),
      user_code: z.string().describe('What the person enters.'),
      verification_uri: z.string().describe('Where the person enters it.'),
      expires_in: z.int().describe('Seconds.'),
      interval: z.int().describe('Seconds.'),
    }),
    errors: [deviceErrors.tooManyDevices, noEncryptionKey],
    failure: 'Failed to register the device.',
    example: {
      input: { name: 'backoffice on laptop' },
      output: {
        device_code: exampleDeviceCode,
        user_code: exampleUserCode,
        verification_uri: 'https://backoffice.example.com/device',
        expires_in: 900,
        interval: 5,
      },
    },
  }),

  defineOperation('GET', path, anySession, {
    id: 'device.show',
    summary: 'Look up the device that shows a code',
    description:
      'For the person to compare with the device in front of them. Ten wrong codes in 15 minutes, and an account must wait.',
    input: z.object({ user_code: userCode }),
    output: z.strictObject({
      device: z.strictObject({
        name: z.string(),
        address: z.string().describe('The network address that it asked from.'),
        created_at: timestamp,
        expires_at: timestamp,
      }),
    }),
    errors: answerErrors,
    failure: 'Failed to look up the device.',
    example: {
      input: { user_code: exampleUserCode },
      output: {
        device: {
          name: 'backoffice on laptop',
          address: '203.0.113.7',
          created_at: '2026-01-31T09:30:00.000Z',
          expires_at: '2026-01-31T09:45:00.000Z',
        },
      },
    },
  }),

  defineOperation('POST', `${path}/approve`, anySession, {
    id: 'device.approve',
    summary: 'Let a device in',
    description:
      'The device gets an API token of yours with this role at most, under its name. If you have a token of that name, a ' +
      'number follows.',
    forbid: roleAbove,
    unkeyed: true,
    input: z.object({ user_code: userCode, ...tokenGrant }),
    errors: [...answerErrors, tokenErrors.tooMuch, tokenErrors.tooMany],
    failure: 'Failed to let the device in.',
    example: { input: { user_code: exampleUserCode, role: 'user', expires_days: 30 } },
  }),

  defineOperation('POST', `${path}/deny`, anySession, {
    id: 'device.deny',
    summary: 'Keep a device out',
    description: 'The device gets `access_denied`.',
    unkeyed: true,
    input: z.object({ user_code: userCode }),
    errors: answerErrors,
    failure: 'Failed to keep the device out.',
    example: { input: { user_code: exampleUserCode } },
  }),

  defineOperation('POST', `${path}/token`, anyone, {
    id: 'device.token',
    summary: 'Ask whether the device was let in, and take its token',
    description:
      'The token is given once. Until somebody has answered, the error is `authorization_pending`, or `slow_down` if the ' +
      'device asks more often than every `interval` seconds, which then grows by five. A code that is unknown, too old or ' +
      'was used is `expired_token`.',
    changes: ['token.created'],
    confidential: true,
    input: z.object({ device_code: looseText() }),
    output: z.strictObject({ token: z.string().describe('For `Authorization: Bearer`.') }),
    errors: [
      deviceErrors.pending,
      deviceErrors.slowDown,
      deviceErrors.expired,
      deviceErrors.denied,
      tokenErrors.tooMany,
    ],
    failure: 'Failed to create the token.',
    example: { input: { device_code: exampleDeviceCode }, output: { token: exampleSecret } },
  }),
] as const;
