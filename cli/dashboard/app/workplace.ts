import { createHash } from 'node:crypto';
import type { Config } from '../../../src/config.ts';
import type { Access, Named } from '../../access/access.ts';
import { findTarget } from '../../access/contexts.ts';
import { isSignedOut } from '../../failures.ts';
import type { BadgeColour } from '../draw/style.ts';
import { type Identity, readIdentity } from './identity.ts';

/** What the dashboard works on: the database of this machine, or a server. */
export interface Workplace {
  readonly access: Access;
  /** `local`, or the name of the context, or the host of the server. */
  readonly target: string;
  /** The colour of the context, if it has one. */
  readonly targetColour?: BadgeColour | undefined;
  /** Tells it from other servers and databases. */
  readonly place: string;
  /** Who the dashboard acts as there; null if the server has not told yet. */
  readonly identity: Identity | null;
  /** Where its web dashboard is, without a slash at the end. */
  readonly webUrl: string;
}

/** The operator of this machine may do everything. */
const operator: Identity = { email: null, role: 'superadmin', isReadOnly: false };

/**
 * Describes what the command line chose.
 *
 * @throws BackofficeError if the server does not accept the token
 */
export async function findWorkplace(access: Access, named: Named, config: Config): Promise<Workplace> {
  const found = await findTarget(named, config);
  if (found === undefined) {
    // The address of a database may have its password.
    const database = createHash('sha256').update(config.databaseUrl ?? config.dataDirectory);
    const place = `local ${database.digest('hex').slice(0, 16)}`;
    return { access, target: 'local', place, identity: operator, webUrl: config.publicUrl };
  }
  const { server, context, color } = found;
  // A server that is away may come back: the dashboard waits for it, and asks it then.
  const identity = await readIdentity(access).catch((error: unknown) => {
    if (isSignedOut(error)) throw error;
    return null;
  });
  const target = context ?? new URL(server).host;
  return { access, target, targetColour: color, place: server, identity, webUrl: server };
}
