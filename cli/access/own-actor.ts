import type { Command } from 'commander';
import { UsageError } from '../errors.ts';
import type { Access } from './access.ts';
import { targetOf } from './with-access.ts';

/**
 * Returns a function that reports whether the actor of an event is the user of this command, through any interface.
 *
 * @throws UsageError for an API token without an owner, whose name it does not know
 */
export async function ownActor(access: Access, command: Command): Promise<(actor: string) => boolean> {
  const { admin } = await access.call('session.show');
  // With a token, the name of the token follows in parentheses.
  if (admin !== null) return (actor) => actor === admin.email || actor.startsWith(`${admin.email} (`);
  if ((await targetOf(command)) === undefined) {
    const { operatorName } = await import('./local.ts');
    const name = operatorName();
    return (actor) => actor === name;
  }
  throw new UsageError(
    'An API token without an owner has no last change. Name the change: `changes undo 17`.',
  );
}
