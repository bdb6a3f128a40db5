import { z } from 'zod';
import { busy, conflict, type DocumentedError, forbidden, invalidField, noEncryptionKey } from '../errors.ts';
import { secondFactorModes } from '../known-settings/second-factor.ts';
import { anySession, defineOperation, superadmins } from '../operation.ts';
import { exampleAdmin } from '../schemas/admins.ts';
import { plainLine } from '../schemas/bounds.ts';
import {
  exampleFactor,
  exampleRecoveryCodes,
  factorTypes,
  listedFactors,
  passkeyCredential,
  webAuthnJson,
} from '../schemas/factors.ts';
import { count, looseText, optional, requiredText, shownAs, success } from '../schemas/fields.ts';
import { adminId } from './admins.ts';
import { sessionErrors } from './session.ts';

const path = '/api/admin/factors';

const maxNameLength = 100;
const nameTooLong = `name must be at most ${maxNameLength} characters.`;

export const factorErrors = {
  noAccount: forbidden(
    'API tokens and local operators have no second factor of their own. Sign in to an account.',
  ),
  tokens: forbidden('API tokens cannot remove second factors. Sign in, or use the command on the server.'),
  ownAccount: forbidden('Remove your own factors with DELETE /api/admin/factors.', 'id'),
  wrongPassword: forbidden('The password is wrong.', 'password'),
  wrongCode: invalidField('code', 'The code is wrong. Check the clock of the device and try the next code.'),
  wrongCredential: invalidField(
    'credential',
    'The browser did not prove a passkey of this site. Start again.',
  ),
  unknown: invalidField(
    'id',
    'There is no factor with that id to be verified, or it has expired. Start again.',
  ),
  noDomain: conflict('Passkeys need a domain name and HTTPS, or localhost. Open the service under its name.'),
  tooMany: conflict('The account has as many factors of this type as it can have. Remove one.'),
  known: conflict('This passkey is set up already.', 'credential'),
  none: conflict('Recovery codes need a second factor. Set one up first.'),
} as const satisfies Record<string, DocumentedError>;

const password = requiredText('password is required.').meta(
  shownAs({ type: 'string', format: 'password', minLength: 1, description: "The caller's own password." }),
);

const passwordErrors = [factorErrors.wrongPassword, sessionErrors.tooManyAttempts, busy];
const ownPasswordErrors = [factorErrors.noAccount, ...passwordErrors];

const factorId = requiredText('Factor ID is required.').describe('The id of the factor.');

const recoveryCodes = z
  .array(z.string())
  .describe('Each completes one sign-in without the factor. They are shown only once.');

const listed = {
  ...listedFactors,
  second_factor: z
    .enum(secondFactorModes)
    .describe('What the setting `sign_in_second_factor` says for the role of the account.'),
};

export const factorOperations = [
  defineOperation('GET', path, anySession, {
    id: 'factors.list',
    summary: 'List your own second factors',
    description: 'Factors that were not verified are left out.',
    enrolment: true,
    input: z.object({}),
    output: z.strictObject(listed),
    errors: [factorErrors.noAccount],
    failure: 'Failed to load the second factors.',
    example: { output: { factors: [exampleFactor], recovery_codes_left: 10, second_factor: 'optional' } },
  }),

  defineOperation('POST', path, anySession, {
    id: 'factors.create',
    summary: 'Start to set up a second factor of your own',
    description:
      'Takes your password again. For `totp`, show `uri` as a QR code, or `secret`, to the authenticator ' +
      'app; for `passkey`, give `options` to `navigator.credentials.create`. Then prove the factor within ' +
      '15 minutes with `POST /api/admin/factors/verify`; before that, no sign-in asks for it, and starting ' +
      'again replaces it. An account has at most 3 authenticator apps and 10 passkeys.',
    enrolment: true,
    unkeyed: true,
    confidential: true,
    input: z.object({
      type: z.enum(factorTypes, { error: `type must be one of: ${factorTypes.join(', ')}.` }),
      password,
      name: optional(plainLine(z.string().trim().max(maxNameLength, { error: nameTooLong }), 'name')).meta(
        shownAs({
          type: ['string', 'null'],
          maxLength: maxNameLength,
          description: 'What you call it, such as the name of the device.',
        }),
      ),
    }),
    output: success.extend({
      id: z.string(),
      secret: z.string().optional().describe('For `totp`: the secret, in Base32. It is shown only once.'),
      uri: z.string().optional().describe('For `totp`: the secret as an `otpauth:` URI.'),
      options: webAuthnJson('For `passkey`: for `navigator.credentials.create`.', {
        challenge: 'b0p1Wkq0kT3yQ7cO2nM5vX8zL1aS4dF6gH9jK0pR3tU',
      }).optional(),
    }),
    errors: [...ownPasswordErrors, factorErrors.noDomain, factorErrors.tooMany, noEncryptionKey],
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
  }),

  defineOperation('DELETE', path, anySession, {
    id: 'factors.delete',
    summary: 'Remove a second factor of your own',
    description:
      'The input is a JSON body, because a URL must not have a password; `id` may be in the query. With the last ' +
      'factor go the recovery codes. An unknown id succeeds.',
    inBody: true,
    changes: ['factor.removed'],
    input: z.object({ id: factorId, password }),
    errors: ownPasswordErrors,
    failure: 'Failed to remove the second factor.',
    example: { input: { id: exampleFactor.id, password: 'correct horse battery staple' } },
  }),

  defineOperation('POST', `${path}/verify`, anySession, {
    id: 'factors.verify',
    summary: 'Finish setting up a second factor of your own',
    description:
      'Takes a `code` of the authenticator app, or the `credential` that the browser made. From now on sign-ins ask ' +
      'for the factor, unless the setting `sign_in_second_factor` is `off`. With the first factor come ten ' +
      'recovery codes. A session that was limited to setting up a factor is limited no more.',
    enrolment: true,
    changes: ['factor.added', 'recovery_codes.created', 'session.ended'],
    confidential: true,
    input: z.object({
      id: factorId,
      code: looseText({ description: 'For `totp`: the code that the app shows.' }).optional(),
      credential: passkeyCredential,
    }),
    output: success.extend({ recovery_codes: recoveryCodes.optional() }),
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
  }),

  defineOperation('POST', `${path}/recovery-codes`, anySession, {
    id: 'factors.createRecoveryCodes',
    summary: 'Replace your own recovery codes',
    description: 'Takes your password again. The recovery codes that the account had no longer work.',
    changes: ['recovery_codes.created'],
    unkeyed: true,
    confidential: true,
    input: z.object({ password }),
    output: success.extend({ recovery_codes: recoveryCodes }),
    errors: [...ownPasswordErrors, factorErrors.none, noEncryptionKey],
    failure: 'Failed to create recovery codes.',
    example: {
      input: { password: 'correct horse battery staple' },
      output: { success: true, recovery_codes: [...exampleRecoveryCodes] },
    },
  }),
] as const;

const pathOfAdmin = '/api/admin/admins/factors';

export const factorsOfAdminOperations = [
  defineOperation('GET', pathOfAdmin, superadmins, {
    id: 'factors.listOfAdmin',
    summary: 'List the second factors of an admin',
    description: 'An unknown id has none.',
    input: z.object({ id: adminId }),
    output: z.strictObject(listedFactors),
    failure: 'Failed to load the second factors.',
    example: {
      input: { id: exampleAdmin.id },
      output: { factors: [exampleFactor], recovery_codes_left: 10 },
    },
  }),

  defineOperation('DELETE', pathOfAdmin, superadmins, {
    id: 'factors.reset',
    summary: 'Remove all second factors of an admin who has lost them',
    description:
      "Also removes the recovery codes and ends the admin's sessions. Takes your own password. The input is a JSON " +
      'body, because a URL must not have a password; `id` may be in the query. An unknown id succeeds. API tokens ' +
      'and your own account are refused.',
    inBody: true,
    changes: ['factor.removed', 'session.ended'],
    input: z.object({
      id: adminId,
      password: looseText({
        format: 'password',
        description: "The caller's own password. The command on the server needs none.",
      }).optional(),
    }),
    output: success.extend({ removed: count }),
    errors: [factorErrors.tokens, factorErrors.ownAccount, ...passwordErrors],
    failure: 'Failed to remove the second factors.',
    example: {
      input: { id: exampleAdmin.id, password: 'correct horse battery staple' },
      output: { success: true, removed: 1 },
    },
  }),
] as const;
