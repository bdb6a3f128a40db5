import type { Database } from '../../db/connection/database.ts';
import type { Mail } from './mail.ts';
import type { Circumstances } from './templates.ts';
import { accountNotice } from './templates.ts';

/** What sends a notice, and what it tells besides what happened. The context of a call has it. */
interface NoticeContext extends Circumstances {
  readonly mail: Mail;
}

/**
 * Tells an account that it has changed, by a mail in the transaction of the change. Does nothing without changes.
 *
 * @param email - the address that the account had before the change
 * @param changes - what changed, as the start of a sentence: `the password was changed`
 */
export async function sendAccountNotice(
  { mail, actor, address }: NoticeContext,
  tx: Database,
  email: string,
  changes: readonly string[],
): Promise<void> {
  if (changes.length === 0) return;
  await mail.send(tx, email, accountNotice({ email, changes }, { actor, address }));
}

/** Tells an account that it has a new API token. Somebody with a stolen session could create one to outlast it. */
export async function sendTokenNotice(
  context: NoticeContext,
  tx: Database,
  email: string,
  name: string,
): Promise<void> {
  await sendAccountNotice(context, tx, email, [`the API token “${name}” was created`]);
}

interface AccountFields {
  readonly email: string;
  readonly role: string;
}

/** Returns what an update changed of how an account is used. A new username is not worth a mail. */
export function changesOfAccount(
  before: AccountFields,
  after: { readonly email?: string | undefined; readonly role?: string | undefined },
  hasNewPassword: boolean,
): string[] {
  const { email = before.email, role = before.role } = after;
  return [
    ...(email === before.email ? [] : [`the e-mail address was changed to ${email}`]),
    ...(role === before.role ? [] : [`the role was changed from ${before.role} to ${role}`]),
    ...(hasNewPassword ? ['the password was changed'] : []),
  ];
}
