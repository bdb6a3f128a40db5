import { z } from 'zod';
import { invalid, invalidField } from '../errors.ts';
import { roleSchema, toRole } from '../operation.ts';
import { roles } from '../vocabulary.ts';
import { atMost, plainLine, tooLong } from './bounds.ts';
import { expectedFields } from './changes/expected.ts';
import { count, optional, requiredText, rowWithExample, shownAs, timestamp } from './fields.ts';
import { storedEmail } from './stored-email.ts';

/** Contract section 8. Characters are Unicode code points. */
export const minPasswordLength = 6;
/** Enough for any passphrase, and a bound on the work of hashing (design, "Sign-in and authority"). */
const maxPasswordLength = 1024;
/** RFC 5321 allows no longer address. Much longer ones do not fit the unique index. */
const maxEmailLength = 320;
/** Longer input is cut (contract section 8). */
const maxUsernameLength = 100;

const passwordTooShort = passwordShorterThan(minPasswordLength);
const passwordTooLong = tooLong('Password', maxPasswordLength);
/** Strict mode only. */
export const passwordIsCommon = 'This password is one of the 10,000 most common. Choose another.';
export const passwordIsEmail = 'The password is the e-mail of the account or its first part. Choose another.';
/** The default of BACKOFFICE_PASSWORD_MIN_LENGTH. */
const defaultStrictMinLength = 12;

export function passwordShorterThan(minLength: number): string {
  return `Password must be at least ${minLength} characters.`;
}

/** What an operation that sets a password refuses, the last three in strict mode. */
export const passwordErrors = [
  invalid(passwordTooShort),
  invalid(passwordTooLong),
  invalidField('password', passwordShorterThan(defaultStrictMinLength)),
  invalidField('password', passwordIsCommon),
  invalidField('password', passwordIsEmail),
];

const shownEmail = {
  type: 'string',
  pattern: '\\S',
  maxLength: maxEmailLength,
  description: 'Stored trimmed, lower-cased and in NFC, with the domain in Unicode.',
};
const shownPassword = { type: 'string', format: 'password', maxLength: maxPasswordLength };

/** Requires an e-mail address. Absent, blank and a wrong type all give the one text. */
export function requiredEmail(text: string) {
  return email(text).meta(shownAs(shownEmail));
}

/** Accepts an optional e-mail address. Any other value gives the one text. */
export function optionalEmail(emptyText: string) {
  return optional(email(emptyText)).meta(shownAs({ ...shownEmail, type: ['string', 'null'] }));
}

function email(text: string) {
  const given = z.string({ error: text }).overwrite(storedEmail).min(1, { error: text });
  return plainLine(atMost(given, maxEmailLength), 'email');
}

/** Trims a name and cuts it between characters, as it is stored. */
export function toUsername(text: string): string {
  return [...text.trim()].slice(0, maxUsernameLength).join('');
}

/** Accepts an optional name. The note documents what its absence means. */
export function optionalUsername(note = '') {
  return optional(plainLine(z.string().trim(), 'username').transform(toUsername)).meta(
    shownAs({
      type: ['string', 'null'],
      description: `Stored trimmed and cut to ${maxUsernameLength} characters. ${note}`.trim(),
    }),
  );
}

/** Accepts any value, because each one maps to a role (contract 4.9). */
export const optionalRole = z
  .unknown()
  .transform(toRole)
  .meta(
    shownAs({
      type: 'string',
      description: '`superadmin` or `user`. Any other value means `admin`.',
      examples: roles,
    }),
  )
  .optional();

export function requiredPassword(text: string) {
  return requiredText(text)
    .superRefine(checkLength)
    .meta(shownAs({ ...shownPassword, minLength: minPasswordLength }));
}

const tokenAndPasswordRequired = 'token and password are required.';
/** What sets a password with a link that came by mail. */
export const passwordByLink = {
  token: requiredText(tokenAndPasswordRequired).describe('The token of the link.'),
  password: requiredPassword(tokenAndPasswordRequired),
};
export const examplePasswordByLink = {
  token: 'hG2mJ0qkT3yQ7cO2nM5vX8zL1aS4dF6gH9jK0pR3tUw',
  password: 'correct horse battery staple',
};

/** Accepts a new password, "applied only when non-empty" (contract 4.10). */
export const optionalPassword = z
  .string()
  .nullish()
  .superRefine(checkLength)
  .transform((password) => (password === null || password === '' ? undefined : password))
  .meta(
    shownAs({
      ...shownPassword,
      minLength: minPasswordLength,
      description: `At least ${minPasswordLength} characters. Null or empty leaves the password unchanged.`,
    }),
  );

/** Accepts anything, because it is ignored without strict roles. What is not a text counts as absent. */
export const currentPassword = z
  .string()
  .optional()
  .catch(undefined)
  .meta(
    shownAs({
      type: 'string',
      format: 'password',
      description:
        'Your current password. Required with strict roles, to change your own e-mail or password. Otherwise ignored.',
    }),
  );

function checkLength(password: string | null | undefined, context: z.RefinementCtx): void {
  const size = [...(password ?? '')].length;
  if (size > 0 && size < minPasswordLength) context.addIssue({ code: 'custom', message: passwordTooShort });
  if (size > maxPasswordLength) context.addIssue({ code: 'custom', message: passwordTooLong });
}

const identity = {
  id: [z.string(), 'admin_1769851800000_k3x9a2'],
  email: [z.string(), 'grace@example.com'],
  username: [z.string(), 'grace'],
  role: [roleSchema, 'superadmin'],
} as const;

/** The fields of an admin in the answers of a sign-in and a creation. */
export const { schema: adminIdentitySchema, example: exampleIdentity } = rowWithExample(
  'AdminIdentity',
  identity,
);

export const { schema: adminSchema, example: exampleAdmin } = rowWithExample('Admin', {
  ...identity,
  is_active: [z.int(), 1],
  created_at: [timestamp, '2026-01-31T09:30:00.000Z'],
});

/** An admin in the list, which may tell more. */
export const listedAdminSchema = adminSchema
  .extend({
    sign_in: z
      .strictObject({
        last_at: timestamp.nullable().describe('Null if there was no sign-in in 90 days.'),
        factors: count.describe('How many second factors the account has.'),
      })
      .optional()
      .describe('With `include=sign_in`.'),
  })
  .meta({ id: 'ListedAdmin' });

export const expectedAdmin = expectedFields(
  {
    email: z.string(),
    username: z.string(),
    role: z.string(),
    is_active: z.number(),
    created_at: z.string(),
  },
  'admin',
  'role is now user',
);
