import { join } from 'node:path';
import { type Binaries, findBinaries, runnableBinaries } from './binaries.ts';
import { type Cluster, ensureCluster, readSuperuserPassword } from './cluster.ts';
import { createDataDirectory, grantDataDirectoryAccess } from './data-directory.ts';
import { joinServer } from './join-server.ts';
import { keepMembership } from './keep-membership.ts';
import { findOsUser } from './os-user.ts';

/** A share in the embedded server. */
export interface EmbeddedPostgres {
  /** `postgres://backoffice:<password>@127.0.0.1:<port>/backoffice`; stays valid when the server restarts. */
  readonly url: string;
  /**
   * Gives the share up; the last one out stops the server. Close the pools before. A second call waits
   * for the first.
   */
  close(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Made where it is missing. The cluster lives in its folder `postgres`. */
  dataDirectory: string;
  /** Takes progress in plain sentences. */
  log?: (line: string) => void;
  /** False for tests only: fast, and lost when the machine crashes. Default true. */
  durable?: boolean;
  /** The Postgres to run. Default: the installed one. */
  binaries?: Binaries;
}

/**
 * Joins the real Postgres server in a data directory: creates it the first time, starts it where it does
 * not run, and shares it with every other process that joined. While this process is a member the server
 * comes back on the same port if it dies.
 *
 * @throws EmbeddedPostgresError, one sentence that says what to do.
 */
export async function joinEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log = () => undefined, durable = true } = options;
  const cluster = await prepareCluster(options.dataDirectory, durable, log, options.binaries);
  const password = await readSuperuserPassword(cluster);
  const membership = await joinServer(cluster, new AbortController().signal);
  const keeper = keepMembership(cluster, membership, log);
  let closing: Promise<void> | undefined;
  return {
    url: `postgres://backoffice:${password}@127.0.0.1:${membership.port}/backoffice`,
    close() {
      closing ??= keeper.close();
      return closing;
    },
  };
}

/** The cluster of a data directory, created where there is none; its server may run or not. */
export async function prepareCluster(
  path: string,
  durable: boolean,
  log: (line: string) => void,
  installedBinaries?: Binaries,
): Promise<Cluster> {
  const installed = installedBinaries ?? (await findBinaries());
  const dataDirectory = await createDataDirectory(path);
  const home = join(dataDirectory, 'postgres');
  const user = await findOsUser(home);
  if (user) await grantDataDirectoryAccess(dataDirectory, user);
  const binaries = await runnableBinaries(installed, dataDirectory, user);
  const cluster = { home, binaries, user, durable };
  await ensureCluster(cluster, log);
  return cluster;
}
