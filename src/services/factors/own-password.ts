import { factorErrors } from '../../contract/operations/factors.ts';
import type { Database } from '../../db/connection/pool.ts';
import { selectCredentials } from '../../db/tables/accounts/admins.ts';
import type { Actor } from '../call/actor.ts';
import { refuse } from '../call/refuse.ts';
import type { SignInLimits } from '../sign-in/attempt-limits.ts';
import type { PasswordHasher } from '../sign-in/password-hasher.ts';

interface PasswordContext {
  readonly db: Database;
  readonly actor: Actor;
  readonly address: string;
  readonly passwords: PasswordHasher;
  readonly signInLimits: SignInLimits;
}

/** The account of a caller. */
export type OwnAccount = NonNullable<Actor['admin']>;

/** @throws BackofficeError if the caller has no account, such as a token */
export function ownAccount({ kind, admin }: Actor): OwnAccount {
  return kind === 'admin' && admin !== null ? admin : refuse(factorErrors.noAccount);
}

/**
 * Checks that the caller knows its own password, so that a session that was left open is not enough. Wrong passwords count
 * as failed sign-ins.
 *
 * @throws BackofficeError if it is wrong, or after too many tries
 */
export async function checkOwnPassword(context: PasswordContext, password: string): Promise<OwnAccount> {
  const { db, actor, address, passwords, signInLimits } = context;
  const admin = ownAccount(actor);
  const isRight = await signInLimits.attempt(admin.email, address, async () => {
    const found = await selectCredentials(db, admin.email);
    return (await passwords.verify(password, found?.password_hash)) ? true : null;
  });
  if (isRight === null) refuse(factorErrors.wrongPassword);
  return admin;
}
