import type { Command } from 'commander';
import type { Door } from '../../src/contract/vocabulary.ts';
import { remark } from '../terminal/terminal.ts';
import { type Access, namedTarget, timeLimitOf } from './access.ts';
import type { Target } from './contexts.ts';

/**
 * Runs work with access to the operations: those of the server that the command works on, otherwise those of this
 * program, on its own database. It loads what it needs only when called, so that `--help` stays fast.
 *
 * @param door - the door that the audit records of changes name
 */
export async function withAccess<T>(
  command: Command,
  use: (access: Access) => Promise<T>,
  door: Door = 'cli',
): Promise<T> {
  const target = await targetOf(command);
  const timeoutMs = timeLimitOf(command);
  if (target !== undefined) return await use(await openRemote(target, timeoutMs));
  const { readConfig } = await import('../../src/config.ts');
  const { withServicesOf } = await import('./database.ts');
  const { localAccess } = await import('./local.ts');
  return await withServicesOf(readConfig(), (services) => use(localAccess(services, door, timeoutMs)));
}

/** Returns the server that a command works on; undefined for the database. */
export async function targetOf(command: Command): Promise<Target | undefined> {
  const { readConfig } = await import('../../src/config.ts');
  const { findTarget } = await import('./contexts.ts');
  return await findTarget(namedTarget(command), readConfig());
}

/** Returns access through a server. Warns if the token goes there unencrypted. */
export async function openRemote(
  { server, token }: Pick<Target, 'server' | 'token'>,
  timeoutMs?: number,
): Promise<Access> {
  const { remoteAccess } = await import('./remote.ts');
  if (token !== undefined) warnOfPlainHttp(server);
  return remoteAccess(server, token, { timeoutMs });
}

/** Warns if a token goes to or comes from another machine unencrypted, where others on the way can read it. */
export function warnOfPlainHttp(server: string): void {
  const { protocol, hostname, host } = new URL(server);
  if (protocol !== 'http:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return;
  remark(
    `Warning: the token is sent to ${host} without encryption. Use https://, so that nobody on the way can read it.`,
  );
}
