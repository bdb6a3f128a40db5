import { randomBytes } from 'node:crypto';
import { operationOf } from '../contract/registry.ts';
import { storedEmail } from '../contract/schemas/stored-email.ts';
import { hasNoAdmin } from '../db/tables/accounts/admins.ts';
import { markPasswordGenerated } from '../db/tables/accounts/passwords.ts';
import { localOperator } from './call/actor.ts';
import { changesOf } from './call/changes.ts';
import type { Log } from './call/observer.ts';
import { noDeadline, type Services } from './context.ts';
import { adminHandlers } from './operations/admins.ts';

export interface FirstAdmin {
  readonly email: string;
  /** Undefined if the caller gave a password. */
  readonly generatedPassword: string | undefined;
}

/** Creates the first superadmin, or returns null if there is an admin. Of several instances, one succeeds. */
export async function ensureFirstAdmin(
  services: Services,
  { email, password }: { email: string; password: string | undefined },
  log: Log,
): Promise<FirstAdmin | null> {
  const db = services.databases.primary;
  if (!(await hasNoAdmin(db))) return null;
  // Hexadecimal, so that commands don't take it for an option and a double click selects all of it.
  const generatedPassword = password === undefined ? randomBytes(16).toString('hex') : undefined;
  const input = {
    email: storedEmail(email),
    password: password ?? String(generatedPassword),
    username: undefined,
    role: 'superadmin' as const,
  };
  const actor = localOperator('first start');
  const change = changesOf(db, actor, operationOf('admins.create'));
  const context = { ...services, actor, change, signal: noDeadline, log };
  const created = await adminHandlers['admins.create'](context, input).catch(async (error: unknown) => {
    if (await hasNoAdmin(db)) throw error;
    return null;
  });
  if (created !== null && generatedPassword !== undefined) await markPasswordGenerated(db, created.admin.id);
  return created && { email: created.admin.email, generatedPassword };
}
