import { invalidField } from '../../contract/errors.ts';
import { adminErrors } from '../../contract/operations/admins.ts';
import { passwordIsCommon, passwordIsEmail, passwordShorterThan } from '../../contract/schemas/admins.ts';
import type { Database } from '../../db/connection/database.ts';
import { selectCredentials } from '../../db/tables/accounts/passwords.ts';
import type { Actor } from '../call/actor.ts';
import type { Log } from '../call/log.ts';
import { refuse } from '../call/refuse.ts';
import type { Rules } from '../call/rules.ts';
import type { SignInLimits } from './attempt-limits.ts';
import type { PasswordHasher } from './password-hasher.ts';

/** Returns what makes a password easy to guess for somebody who knows the account, as a sentence. */
export async function weaknessOf(password: string, email: string): Promise<string | undefined> {
  const text = password.normalize('NFKC').toLowerCase();
  const [local] = email.split('@', 1);
  if (text === email || text === local) return passwordIsEmail;
  // Loaded on demand: few calls set a password, and the list would slow every start. No common one is longer.
  if (!/^\S{1,16}$/.test(text)) return undefined;
  const { commonPasswords } = await import('./common-password-list.ts');
  return commonPasswords.has(text) ? passwordIsCommon : undefined;
}

/**
 * Checks a new password of the account with that e-mail. Logs a weak one, or refuses it in strict mode.
 *
 * @throws BackofficeError
 */
export async function checkNewPassword(
  { rules, log }: { readonly rules: Rules; readonly log: Log },
  password: string,
  email: string,
): Promise<void> {
  const { strictRoles: isStrict, passwordMinLength } = rules;
  const isShort = isStrict && [...password].length < passwordMinLength;
  const weakness = isShort ? passwordShorterThan(passwordMinLength) : await weaknessOf(password, email);
  if (weakness === undefined) return;
  if (isStrict) refuse(invalidField('password', weakness));
  log.warn({ email }, `weak password: ${weakness}`);
}

/** What the check of a password needs. The context of a call has it. */
export interface PasswordContext {
  readonly db: Database;
  /** The network address of the caller, or empty. */
  readonly address: string;
  readonly passwords: PasswordHasher;
  readonly signInLimits: SignInLimits;
}

/** The account of a caller. */
export type OwnAccount = NonNullable<Actor['admin']>;

/**
 * Reports whether the caller knows the password of its own account. Wrong passwords count as failed sign-ins, so that a
 * stolen session cannot guess it.
 *
 * @throws BackofficeError after too many tries
 */
export async function isOwnPassword(
  { db, passwords, signInLimits, address }: PasswordContext,
  { email }: OwnAccount,
  password: string,
): Promise<boolean> {
  const isRight = await signInLimits.attempt(email, address, async () => {
    const found = await selectCredentials(db, email);
    return (await passwords.verify(password, found?.password_hash)) ? true : null;
  });
  return isRight !== null;
}

/** @throws BackofficeError if the password is absent or wrong, or after too many tries */
export async function checkCurrentPassword(
  context: PasswordContext,
  account: OwnAccount,
  password: string | undefined,
): Promise<void> {
  if (password === undefined || password === '') refuse(adminErrors.currentPasswordRequired);
  if (!(await isOwnPassword(context, account, password))) refuse(adminErrors.currentPasswordWrong);
}
