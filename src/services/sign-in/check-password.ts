import { adminErrors } from '../../contract/operations/admins.ts';
import type { Database } from '../../db/connection/database.ts';
import {
  type Credentials,
  replacePasswordHash,
  selectCredentials,
  selectSignInCheck,
} from '../../db/tables/accounts/passwords.ts';
import type { Actor } from '../call/actor.ts';
import { refuse } from '../call/refuse.ts';
import { attemptSignIn, type SignInContext } from './attempt-limits.ts';
import type { PasswordHasher } from './password-hasher.ts';

/** What the check of a password needs. The context of a call has it. */
export interface PasswordContext extends SignInContext {
  readonly db: Database;
  readonly passwords: PasswordHasher;
}

type VerifyContext = Pick<PasswordContext, 'db' | 'passwords' | 'address' | 'observer' | 'log'>;

/**
 * Returns the active account with that e-mail and password, or null. An unknown account, an inactive one and a wrong
 * password take the same work. Replaces a right password's hash by a new one if it is of an older scheme or cost.
 */
export async function verifyCredentials(
  context: VerifyContext,
  email: string,
  password: string,
): Promise<Credentials | null> {
  const { db, passwords, address, observer, log } = context;
  const { found, importedCost } = await selectSignInCheck(db, email);
  if ((await passwords.verify(password, found?.password_hash, importedCost)) && found !== null) {
    return passwords.isOutdated(found.password_hash) ? await upgrade(context, found, password) : found;
  }
  // Logs the account's id, not the e-mail: the caller may have typed a password there.
  log.warn({ address, adminId: found?.id ?? null }, 'sign-in failed');
  observer.onSignIn?.('wrong_password');
  return null;
}

/** Replaces the hash of a password that was right. The sign-in goes on if that fails. */
async function upgrade(
  { db, passwords, log }: VerifyContext,
  found: Credentials,
  password: string,
): Promise<Credentials | null> {
  try {
    const hash = await passwords.hash(password);
    if (await replacePasswordHash(db, found, hash)) return { ...found, password_hash: hash };
  } catch (err) {
    log.warn({ err, adminId: found.id }, 'password hash not upgraded: the next sign-in tries again');
    return found;
  }
  // Another sign-in has upgraded it, or the password was changed.
  const current = await selectCredentials(db, found.email);
  return (await passwords.verify(password, current?.password_hash)) ? current : null;
}

/** The account of a caller. */
export type OwnAccount = NonNullable<Actor['admin']>;

/**
 * Reports whether the caller knows the password of its own account. Wrong passwords count as failed sign-ins, so that a
 * stolen session cannot guess it. Refuses the call after too many tries.
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
