import { join } from 'node:path';
import { type Binaries, findBinaries, runnableBinaries } from './binaries.ts';
import { type Cluster, ensureCluster, readSuperuserPassword } from './cluster.ts';
import { createDataDirectory, grantDataDirectoryAccess } from './data-directory.ts';
import { joinServer } from './join-server.ts';
import { keepMembership } from './keep-membership.ts';
import { findOsUser } from './os-user.ts';
import { ownerRole, readRolePasswords, runtimeRole } from './role-passwords.ts';
import { embeddedUrl } from './running-url.ts';

/** A membership in the embedded server. */
export interface EmbeddedPostgres {
  /** The URL of the role that the service runs as. All URLs stay valid after the server restarts. */
  readonly url: string;
  /** The URL of the role that owns the schema. */
  readonly ownerUrl: string;
  /** The URL of the superuser `backoffice`. */
  readonly superuserUrl: string;
  /** Leaves the server. The last member stops it. Close the pools first. A second call waits for the first. */
  close(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
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
  const { log = () => undefined, durable = true } = options;
  const cluster = await prepareCluster(options.dataDirectory, durable, log, options.binaries);
  const password = await readSuperuserPassword(cluster);
  const membership = await joinServer(cluster, new AbortController().signal);
  const keeper = keepMembership(cluster, membership, log);
  let closing: Promise<void> | undefined;
  const rolePasswords = await readRolePasswords(cluster);
  const { port } = membership;
  return {
    url: embeddedUrl(port, runtimeRole, rolePasswords[runtimeRole]),
    ownerUrl: embeddedUrl(port, ownerRole, rolePasswords[ownerRole]),
    superuserUrl: embeddedUrl(port, 'backoffice', password),
    close() {
      closing ??= keeper.close();
      return closing;
    },
  };
}

/** Returns the cluster of a data directory, and creates it if there is none. Does not start its server. */
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
