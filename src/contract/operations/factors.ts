import { z } from 'zod';
import { anySession } from '../access-rules.ts';
import { busy, type DocumentedError, noEncryptionKey } from '../errors.ts';
import { secondFactorModes } from '../known-settings/second-factor.ts';
import { defineOperation } from '../operation.ts';
import {
  exampleFactor,
  exampleRecoveryCodes,
  factorTypes,
  listedFactors,
  webAuthnJson,
} from '../schemas/factors.ts';
import { optional, requiredText, shownAs, success } from '../schemas/fields.ts';
import { plainLine } from '../schemas/plain-line.ts';
import { sessionErrors } from './session.ts';

const path = '/api/admin/factors';

const maxNameLength = 100;
const wrongType = `type must be one of: ${factorTypes.join(', ')}.`;
const passwordRequired = 'password is required.';
const factorIdRequired = 'Factor ID is required.';
const nameTooLong = `name must be at most ${maxNameLength} characters.`;

export const factorErrors = {
  noAccount: {
    code: 'forbidden',
    text: 'API tokens and local operators have no second factor of their own. Sign in to an account.',
  },
  tokens: {
    code: 'forbidden',
    text: 'API tokens cannot remove second factors. Sign in, or use the command on the server.',
  },
  ownAccount: {
    code: 'forbidden',
    text: 'Remove your own factors with DELETE /api/admin/factors.',
    param: 'id',
  },
  wrongPassword: { code: 'forbidden', text: 'The password is wrong.', param: 'password' },
  wrongCode: {
    code: 'invalid',
    text: 'The code is wrong. Check the clock of the device and try the next code.',
    param: 'code',
  },
  wrongCredential: {
    code: 'invalid',
    text: 'The browser did not prove a passkey of this site. Start again.',
    param: 'credential',
  },
  unknown: {
    code: 'invalid',
    text: 'There is no factor with that id to be verified, or it has expired. Start again.',
    param: 'id',
  },
  noDomain: {
    code: 'conflict',
    text: 'Passkeys need a domain name and HTTPS, or localhost. Open the service under its name.',
  },
  tooMany: {
    code: 'conflict',
    text: 'The account has as many factors of this type as it can have. Remove one.',
  },
  known: { code: 'conflict', text: 'This passkey is set up already.', param: 'credential' },
  none: { code: 'conflict', text: 'Recovery codes need a second factor. Set one up first.' },
} as const satisfies Record<string, DocumentedError>;

const password = requiredText(passwordRequired).meta(
  shownAs({ type: 'string', format: 'password', minLength: 1, description: "The caller's own password." }),
);

const passwordErrors = [
  factorErrors.noAccount,
  factorErrors.wrongPassword,
  sessionErrors.tooManyAttempts,
  busy,
];

const factorId = requiredText(factorIdRequired).meta({ description: 'The id of the factor.' });

const recoveryCodes = z.array(z.string()).meta({
  description: 'Each completes one sign-in without the factor. They are shown only once.',
});

const listed = {
  ...listedFactors,
  second_factor: z.enum(secondFactorModes).meta({
    description: 'What the setting `sign_in_second_factor` says for the role of the account.',
  }),
};

const listFactors = defineOperation({
  id: 'factors.list',
  summary: 'List your own second factors',
  description: 'Factors that were not verified are left out.',
  method: 'GET',
  path,
  allow: anySession,
  enrolment: true,
  input: z.object({}),
  output: z.strictObject(listed),
  errors: [factorErrors.noAccount],
  failure: 'Failed to load the second factors.',
  example: { output: { factors: [exampleFactor], recovery_codes_left: 10, second_factor: 'optional' } },
});

const createFactor = defineOperation({
  id: 'factors.create',
  summary: 'Start to set up a second factor of your own',
  description:
    'Takes your password again. For `totp`, show `uri` as a QR code, or `secret`, to the authenticator app; ' +
    'for `passkey`, give `options` to `navigator.credentials.create`. Then prove the factor within ' +
    '15 minutes with `POST /api/admin/factors/verify`; before that, no sign-in asks for it, and starting again ' +
    'replaces it. An account has at ' +
    'most 3 authenticator apps and 10 passkeys.',
  method: 'POST',
  path,
  allow: anySession,
  enrolment: true,
  unkeyed: true,
  confidential: true,
  input: z.object({
    type: z.enum(factorTypes, { error: wrongType }),
    password,
    name: optional(plainLine(z.string().trim().max(maxNameLength, { error: nameTooLong }), 'name')).meta(
      shownAs({
        type: ['string', 'null'],
        maxLength: maxNameLength,
        description: 'What you call it, such as the name of the device.',
      }),
    ),
  }),
  output: z.strictObject({
    success: z.literal(true),
    id: z.string(),
    secret: z
      .string()
      .optional()
      .meta({ description: 'For `totp`: the secret, in Base32. It is shown only once.' }),
    uri: z.string().optional().meta({ description: 'For `totp`: the secret as an `otpauth:` URI.' }),
    options: webAuthnJson('For `passkey`: for `navigator.credentials.create`.', {
      challenge: 'b0p1Wkq0kT3yQ7cO2nM5vX8zL1aS4dF6gH9jK0pR3tU',
    }).optional(),
  }),
  errors: [...passwordErrors, factorErrors.noDomain, factorErrors.tooMany, noEncryptionKey],
  failure: 'Failed to set up the second factor.',
  example: {
    input: { type: 'totp', password: 'correct horse battery staple', name: 'Phone' },
    output: {
      success: true,
      id: exampleFactor.id,
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      uri: 'otpauth://totp/Backoffice:grace%40example.com?issuer=Backoffice&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
    },
  },
});

const verifyFactor = defineOperation({
  id: 'factors.verify',
  summary: 'Finish setting up a second factor of your own',
  description:
    'Takes a `code` of the authenticator app, or the `credential` that the browser made. From now on sign-ins ask ' +
    'for the factor, unless the setting `sign_in_second_factor` is `off`. With the first factor come ten ' +
    'recovery codes. A session that was limited to setting up a factor is limited no more.',
  method: 'POST',
  path: `${path}/verify`,
  allow: anySession,
  enrolment: true,
  changes: ['factor.added', 'recovery_codes.created', 'session.ended'],
  confidential: true,
  input: z.object({
    id: factorId,
    code: z
      .string()
      .catch('')
      .optional()
      .meta(shownAs({ type: 'string', description: 'For `totp`: the code that the app shows.' })),
    credential: webAuthnJson(
      'For `passkey`: the credential as JSON, from `credential.toJSON()`.',
      {},
    ).optional(),
  }),
  output: z.strictObject({
    success: z.literal(true),
    recovery_codes: recoveryCodes.optional(),
  }),
  errors: [
    factorErrors.noAccount,
    factorErrors.unknown,
    factorErrors.wrongCode,
    factorErrors.wrongCredential,
    factorErrors.tooMany,
    factorErrors.known,
    noEncryptionKey,
  ],
  failure: 'Failed to set up the second factor.',
  example: {
    input: { id: exampleFactor.id, code: '755224' },
    output: { success: true, recovery_codes: [...exampleRecoveryCodes] },
  },
});

const deleteFactor = defineOperation({
  id: 'factors.delete',
  summary: 'Remove a second factor of your own',
  description:
    'The input is a JSON body, because a URL must not have a password; `id` may be in the query. With the last ' +
    'factor go the recovery codes. An unknown id succeeds.',
  method: 'DELETE',
  path,
  allow: anySession,
  inBody: true,
  changes: ['factor.removed'],
  input: z.object({ id: factorId, password }),
  output: success,
  errors: passwordErrors,
  failure: 'Failed to remove the second factor.',
  example: {
    input: { id: exampleFactor.id, password: 'correct horse battery staple' },
    output: { success: true },
  },
});

const createRecoveryCodes = defineOperation({
  id: 'factors.createRecoveryCodes',
  summary: 'Replace your own recovery codes',
  description: 'Takes your password again. The recovery codes that the account had no longer work.',
  method: 'POST',
  path: `${path}/recovery-codes`,
  allow: anySession,
  changes: ['recovery_codes.created'],
  unkeyed: true,
  confidential: true,
  input: z.object({ password }),
  output: z.strictObject({ success: z.literal(true), recovery_codes: recoveryCodes }),
  errors: [...passwordErrors, factorErrors.none, noEncryptionKey],
  failure: 'Failed to create recovery codes.',
  example: {
    input: { password: 'correct horse battery staple' },
    output: { success: true, recovery_codes: [...exampleRecoveryCodes] },
  },
});

export const factorOperations = [
  listFactors,
  createFactor,
  deleteFactor,
  verifyFactor,
  createRecoveryCodes,
] as const;
