import { adminErrors } from '../../contract/operations/admins.ts';
import type { Database } from '../../db/connection/pool.ts';
import { selectCredentials } from '../../db/tables/accounts/admins.ts';
import type { Actor } from '../call/actor.ts';
import { refuse } from '../call/refuse.ts';
import type { SignInLimits } from './attempt-limits.ts';
import type { PasswordHasher } from './password-hasher.ts';

/** What the check of a password needs. The context of a call has it. */
interface PasswordContext {
  readonly db: Database;
  /** The network address of the caller, or empty. */
  readonly address: string;
  readonly passwords: PasswordHasher;
  readonly signInLimits: SignInLimits;
}

/**
 * Checks that the caller knows the password of its own account. Wrong passwords count as failed sign-ins, so that a stolen
 * session cannot guess it.
 *
 * @throws BackofficeError if the password is absent or wrong, or after too many tries
 */
export async function checkCurrentPassword(
  { db, passwords, signInLimits, address }: PasswordContext,
  { email }: NonNullable<Actor['admin']>,
  password: string | undefined,
): Promise<void> {
  if (password === undefined || password === '') refuse(adminErrors.currentPasswordRequired);
  const isRight = await signInLimits.attempt(email, address, async () => {
    const found = await selectCredentials(db, email);
    return (await passwords.verify(password, found?.password_hash)) ? true : null;
  });
  if (isRight === null) refuse(adminErrors.currentPasswordWrong);
}
