import type { Command } from 'commander';
import type { News } from '../../src/contract/events.ts';
import type { FollowOptions } from '../../src/contract/follow.ts';
import type { AnsweredId, InputOf, OutputOf } from '../../src/contract/index.ts';
import type { Door } from '../../src/services/context.ts';
import { withServices } from '../database.ts';

/** How a command reaches the operations: straight to the database, or through a server. Both answer the same. */
export interface Access {
  call<Id extends AnsweredId>(id: Id, input?: InputOf<Id>): Promise<OutputOf<Id>>;
  /** Writes the JSON text of an answer, piece by piece; for a list that may be long. */
  stream<Id extends AnsweredId>(
    id: Id,
    input: InputOf<Id>,
    write: (text: string) => Promise<void>,
  ): Promise<void>;
  /** Follows what happens, over every loss of the connection, until the signal aborts. */
  follow(options: FollowOptions): AsyncIterable<News>;
}

/**
 * Runs something on the operations: those of the server that `--server` or BACKOFFICE_SERVER names, otherwise those
 * of this program, on its own database. What that needs is loaded only now, so that `--help` stays quick.
 *
 * @param door - what the records of changes say that they came through
 */
export async function withAccess<T>(
  command: Command,
  use: (access: Access) => Promise<T>,
  door: Door = 'cli',
): Promise<T> {
  const { readConfig } = await import('../../src/config.ts');
  const config = readConfig();
  const server: string | undefined = command.optsWithGlobals().server ?? config.server;
  if (server !== undefined) {
    const { remoteAccess } = await import('./remote.ts');
    return await use(remoteAccess(server, config.serverToken));
  }
  const { localAccess } = await import('./local.ts');
  return await withServices(command, (services) => use(localAccess(services, door)));
}
