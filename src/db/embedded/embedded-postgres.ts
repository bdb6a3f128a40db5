import { once } from 'node:events';
import { join } from 'node:path';
import { createBackoff, lazily, wait } from '../../shared/waiting.ts';
import {
  type Cluster,
  createDataDirectory,
  ensureCluster,
  grantDataDirectoryAccess,
  readSuperuserPassword,
} from './cluster.ts';
import { claimIfRunning, joinServer, type Membership } from './membership.ts';
import { type Binaries, findBinaries, findOsUser, runnableBinaries } from './programs.ts';
import { ownerRole, rolePassword, runtimeRole } from './secrets.ts';
import { embeddedUrl } from './server.ts';

/** A membership in the embedded server. */
interface EmbeddedPostgres {
  /** The URL of the role that the service runs as. All URLs stay valid after the server restarts. */
  readonly url: string;
  /** The URL of the role that owns the schema. */
  readonly ownerUrl: string;
  /** The URL of the superuser `backoffice`. */
  readonly superuserUrl: string;
  /** Leaves the server. The last member stops it. Close the pools first. A second call waits for the first. */
  close(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  /** Created if it is missing. The cluster is in its folder `postgres`. */
  dataDirectory: string;
  /** Receives progress messages. */
  log?: (line: string) => void;
  /** False is for tests only: faster, but a crash of the machine loses data. Default true. */
  durable?: boolean;
  /** The Postgres to run. Default: the installed one. */
  binaries?: Binaries;
}

/**
 * Joins the Postgres server in a data directory. Creates the database the first time, starts the server if it is not
 * running, and shares it with every other process that joined. If the server dies while this process is a member, it
 * is restarted on the same port.
 *
 * @throws EmbeddedPostgresError, which says what to do.
 */
export async function joinEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log = () => undefined } = options;
  const cluster = await prepareCluster(options);
  const password = await readSuperuserPassword(cluster);
  const membership = await joinServer(cluster, new AbortController().signal);
  const close = lazily(keepMembership(cluster, membership, log));
  const { port } = membership;
  return {
    url: embeddedUrl(port, runtimeRole, await rolePassword(cluster, runtimeRole)),
    ownerUrl: embeddedUrl(port, ownerRole, await rolePassword(cluster, ownerRole)),
    superuserUrl: embeddedUrl(port, 'backoffice', password),
    close,
  };
}

/** Returns the cluster of a data directory, and creates it if there is none. Does not start its server. */
export async function prepareCluster(options: EmbeddedPostgresOptions): Promise<Cluster> {
  const { durable = true, log = () => undefined, binaries: installed = await findBinaries() } = options;
  const dataDirectory = await createDataDirectory(options.dataDirectory);
  const home = join(dataDirectory, 'postgres');
  const user = await findOsUser(home);
  if (user) await grantDataDirectoryAccess(dataDirectory, user);
  const binaries = await runnableBinaries(installed, dataDirectory, user);
  const cluster = { home, binaries, user, durable };
  await ensureCluster(cluster, log);
  return cluster;
}

/**
 * Keeps a membership: when its connection breaks, claims the server again, and restarts it on the same port if it is
 * down. Retries until it succeeds.
 *
 * @returns a function that stops that, leaves the server and stops it if no other process is a member
 */
function keepMembership(cluster: Cluster, first: Membership, log: (line: string) => void) {
  const closing = new AbortController();
  const closed = once(closing.signal, 'abort');
  const backoff = createBackoff({ firstMs: 100, maxMs: 5_000 });
  let membership: Membership | undefined = first;

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      if (membership !== undefined) {
        await Promise.race([membership.lost, closed]);
        if (closing.signal.aborted) return;
        membership = undefined;
        backoff.reset();
        log('The embedded Postgres stopped. Restarting it.');
      }
      try {
        membership = await joinServer(cluster, closing.signal, first.port);
        log(
          membership.port === first.port
            ? 'The embedded Postgres is back.'
            : `The embedded Postgres moved to port ${membership.port}. Restart this process.`,
        );
      } catch (error) {
        if (closing.signal.aborted) return;
        log(error instanceof Error ? error.message : String(error));
        await wait(backoff.next(), closing.signal);
      }
    }
  }

  const watching = watch();
  return async () => {
    closing.abort();
    await watching;
    // If this closes a recovery halfway, the server that it started must not stay behind.
    membership ??= (await claimIfRunning(cluster)) ?? undefined;
    await membership?.leave();
  };
}
