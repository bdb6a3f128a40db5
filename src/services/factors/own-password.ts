import { factorErrors } from '../../contract/operations/factors.ts';
import type { Actor } from '../call/actor.ts';
import { refuse } from '../call/refuse.ts';
import { isOwnPassword, type OwnAccount, type PasswordContext } from '../sign-in/own-password.ts';

/** @throws BackofficeError if the caller has no account, such as a token */
export function ownAccount({ token, admin }: Actor): OwnAccount {
  return token === undefined && admin !== null ? admin : refuse(factorErrors.noAccount);
}

/**
 * Checks that the caller knows its own password, so that a session that was left open is not enough.
 *
 * @throws BackofficeError if it is wrong, or after too many tries
 */
export async function checkOwnPassword(
  context: PasswordContext & { readonly actor: Actor },
  password: string,
): Promise<OwnAccount> {
  const account = ownAccount(context.actor);
  if (!(await isOwnPassword(context, account, password))) refuse(factorErrors.wrongPassword);
  return account;
}
