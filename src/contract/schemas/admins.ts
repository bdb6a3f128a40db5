import { z } from 'zod';
import { roleSchema, toRole } from '../roles.ts';
import { roles } from '../vocabulary.ts';
import { optional, requiredText, shownAs, timestamp } from './fields.ts';

/** Contract section 8. Characters are Unicode code points. */
const minimumPasswordLength = 6;
/** Design, "Sign-in and authority": enough for any passphrase, and a bound on the work of hashing one. */
const maximumPasswordLength = 1024;
/** RFC 5321 takes no longer one. Much longer ones do not fit the index that keeps them unique. */
const maximumEmailLength = 320;
/** Contract section 8: longer input is cut. */
const maximumUsernameLength = 100;

export const passwordTooShort = `Password must be at least ${minimumPasswordLength} characters.`;
export const passwordTooLong = `Password must be at most ${maximumPasswordLength.toLocaleString('en')} characters.`;
export const emailTooLong = `email must be at most ${maximumEmailLength} characters.`;

const shownEmail = {
  type: 'string',
  pattern: '\\S',
  maxLength: maximumEmailLength,
  description: 'Stored trimmed and lower-cased.',
};
const shownUsername = {
  type: ['string', 'null'],
  description: `Stored trimmed and cut to ${maximumUsernameLength} characters.`,
};
const shownPassword = { type: 'string', format: 'password', maxLength: maximumPasswordLength };

/** An e-mail that must be there: absent, blank and of a wrong type all answer the one text. */
export function requiredEmail(text: string) {
  return email(text).meta(shownAs(shownEmail));
}

/** An e-mail to change to, where there is one; any other value answers the one text. */
export function optionalEmail(emptyText: string) {
  return optional(email(emptyText)).meta(shownAs({ ...shownEmail, type: ['string', 'null'] }));
}

function email(text: string) {
  return z
    .string({ error: text })
    .trim()
    .toLowerCase()
    .min(1, { error: text })
    .max(maximumEmailLength, { error: emailTooLong });
}

/** A name as it is stored: trimmed, and cut between characters. */
export function toUsername(text: string): string {
  return [...text.trim()].slice(0, maximumUsernameLength).join('');
}

/** A name, where there is one; `note` says what its absence means. */
export function optionalUsername(note = '') {
  return optional(z.string().transform(toUsername)).meta(
    shownAs({ ...shownUsername, description: `${shownUsername.description} ${note}`.trim() }),
  );
}

/** Any value, since each one gives a role (contract 4.9). */
export const optionalRole = z
  .unknown()
  .transform(toRole)
  .meta(
    shownAs({
      type: 'string',
      description: '`superadmin` and `user` give themselves, anything else gives `admin`.',
      examples: roles,
    }),
  )
  .optional();

/** A new account's password. */
export function requiredPassword(text: string) {
  return requiredText(text)
    .superRefine(checkLength)
    .meta(shownAs({ ...shownPassword, minLength: minimumPasswordLength }));
}

/** A password to change to: "applied only when non-empty" (contract 4.10). */
export const optionalPassword = z
  .string()
  .nullish()
  .superRefine(checkLength)
  .transform((password) => (password === null || password === '' ? undefined : password))
  .meta(
    shownAs({
      ...shownPassword,
      type: ['string', 'null'],
      pattern: `^([\\s\\S]{${minimumPasswordLength},})?$`,
      description: `At least ${minimumPasswordLength} characters. Null or empty: it stays as it is.`,
    }),
  );

function checkLength(password: string | null | undefined, context: z.RefinementCtx): void {
  const size = [...(password ?? '')].length;
  if (size > 0 && size < minimumPasswordLength)
    context.addIssue({ code: 'custom', message: passwordTooShort });
  if (size > maximumPasswordLength) context.addIssue({ code: 'custom', message: passwordTooLong });
}

export const adminSchema = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    username: z.string(),
    role: roleSchema,
    is_active: z.int(),
    created_at: timestamp,
  })
  .meta({ id: 'Admin' });

/** What a sign-in and a creation say of an admin. */
export const adminIdentitySchema = adminSchema
  .pick({ id: true, email: true, username: true, role: true })
  .meta({ id: 'AdminIdentity' });
