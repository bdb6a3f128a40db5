import { operationOf } from '../../contract/registry.ts';
import type { Database } from '../../db/connection/database.ts';
import type { ResetRequest } from '../../db/job-queue/jobs.ts';
import type { Databases } from '../../db/replica/databases.ts';
import { insertPasswordReset, selectCredentials } from '../../db/tables/accounts/passwords.ts';
import { anonymousActor, localOperator } from '../call/actor.ts';
import { changesOf } from '../call/changes.ts';
import type { Mail } from '../mail/mail.ts';
import { passwordResetMail, sendAccountNotice } from '../mail/templates.ts';
import { countRequest, hashOf, limitsOfNetworks } from './attempt-limits.ts';
import { linkPath, newToken } from './tokens.ts';

interface ResetServices {
  readonly databases: Databases;
  readonly mail: Mail;
}

/** How long a link works, and how long it may take to send one: nobody waits for it any longer. */
const minutes = 30;

/** The audit entry of a link that an operator makes. Not an operation, because only the local command line offers it. */
const linkCreation = { id: 'admins.createResetLink', changes: ['password_reset.requested'] } as const;

/**
 * Sends a link for a new password to the active account with that e-mail. Does nothing without such an account. Runs in
 * the background, so that the time of the request tells nothing about the account.
 */
export async function sendPasswordReset(
  { databases, mail }: ResetServices,
  { email, address, at }: ResetRequest & { readonly at: Date },
): Promise<void> {
  if (Date.now() - at.getTime() > minutes * 60_000) return;
  const account = await selectCredentials(databases.primary, email);
  if (account === null) return;
  const { id, email: to } = account;
  const operation = operationOf('passwordReset.create');
  const change = changesOf(databases.primary, anonymousActor('http'), operation, { address });
  await change(async (tx, record) => {
    const link = mail.urlOf(await insertLink(tx, id));
    await mail.send(tx, to, passwordResetMail({ email: to, link, minutes, address, at }));
    record({ event: 'password_reset.requested', id, after: { admin_id: id } });
  });
}

/** Makes a link for a new password, for an operator to pass on. The account gets a notice. */
export async function createResetLink(
  { databases, mail }: ResetServices,
  { id, email }: { readonly id: string; readonly email: string },
  operator: string,
): Promise<string> {
  const actor = localOperator(operator);
  const change = changesOf(databases.primary, actor, linkCreation);
  return await change(async (tx, record) => {
    const link = mail.urlOf(await insertLink(tx, id));
    const changes = ['a link to set a new password was made'];
    await sendAccountNotice({ mail, actor, address: '' }, tx, email, changes);
    record({ event: 'password_reset.requested', id, after: { admin_id: id } });
    return link;
  });
}

async function insertLink(tx: Database, adminId: string): Promise<string> {
  const { token, tokenHash } = newToken();
  await insertPasswordReset(tx, adminId, tokenHash, minutes);
  return linkPath('/reset-password', { token });
}

/** Links for one e-mail in a quarter of an hour: enough to ask again, and too few to flood a mailbox. */
const maxPerAccount = 3;
/** Links from one network in a quarter of an hour, for any account. */
const maxPerNetwork = 20;

/** Counts a request for a link that sets a new password. Returns false if there were too many. */
export async function allowsReset(db: Database, email: string, address: string): Promise<boolean> {
  const limits = [
    { key: `reset-account:${hashOf(email)}`, maxFailures: maxPerAccount },
    ...limitsOfNetworks(address, maxPerNetwork, (network) => `reset-network:${network}`),
  ];
  return (await countRequest(db, limits)) === undefined;
}
