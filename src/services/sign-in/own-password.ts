import { adminErrors } from '../../contract/operations/admins.ts';
import type { Database } from '../../db/connection/database.ts';
import { selectCredentials } from '../../db/tables/accounts/passwords.ts';
import type { Actor } from '../call/actor.ts';
import { refuse } from '../call/refuse.ts';
import { attemptSignIn, type SignInContext } from './attempt-limits.ts';
import type { PasswordHasher } from './password-hasher.ts';

/** What the check of a password needs. The context of a call has it. */
export interface PasswordContext extends SignInContext {
  readonly db: Database;
  readonly passwords: PasswordHasher;
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
  context: PasswordContext,
  { email }: OwnAccount,
  password: string,
): Promise<boolean> {
  const { db, passwords } = context;
  const isRight = await attemptSignIn(context, email, async () => {
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
