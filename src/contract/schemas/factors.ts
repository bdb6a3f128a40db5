import { z } from 'zod';
import { count, rowWithExample, timestamp } from './fields.ts';

/** What an account can set up as its second factor. */
export const factorTypes = ['totp', 'passkey'] as const;

export type FactorType = (typeof factorTypes)[number];

/** How a sign-in can be completed: with a factor of the account, a code that was sent to it, or one of its recovery codes. */
export const signInMethods = ['totp', 'passkey', 'email', 'recovery'] as const;

export type SignInMethod = (typeof signInMethods)[number];

export const { schema: factorSchema, example: exampleFactor } = rowWithExample('Factor', {
  id: [z.string(), 'factor_1769851800000_k3x9a2b'],
  type: [z.enum(factorTypes).describe('`totp` is an authenticator app.'), 'totp'],
  name: [z.string(), 'Phone'],
  created_at: [timestamp, '2026-01-31T09:30:00.000Z'],
  last_used_at: [timestamp.nullable(), null],
});

/** The fields of an answer that lists the factors of an account. */
export const listedFactors = {
  factors: z.array(factorSchema),
  recovery_codes_left: count.describe('How many recovery codes have not been used.'),
};

export const exampleRecoveryCodes: readonly string[] = [
  '7gk2d-m9x4q',
  'w3h8t-c5nzr',
  'p6vbe-2yk7j',
  '9qs4f-x8dmh',
  't5c3w-n7grk',
  'k2z9y-b6ehv',
  'd8m4x-q3stp',
  'h7rjf-5w2cn',
  'y9e6g-v4kbz',
  'n3t8q-d7xhm',
];

/** What the Web Authentication API of a browser takes or returns, as JSON. */
export function webAuthnJson(description: string, example: object) {
  return z.record(z.string(), z.unknown()).meta({ description, example });
}

/** What proves a passkey to a sign-in, or when it is set up. */
export const passkeyCredential = webAuthnJson(
  'For `passkey`: the credential as JSON, from `credential.toJSON()`.',
  {},
).optional();
