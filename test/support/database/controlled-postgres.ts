import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, readSuperuserPassword } from '../../../src/db/embedded/cluster.ts';
import { joinEmbeddedPostgres, prepareCluster } from '../../../src/db/embedded/embedded-postgres.ts';
import { findFreePort } from '../../../src/db/embedded/membership.ts';
import { readPostmaster, startServer, stopServer } from '../../../src/db/embedded/server.ts';
import { migrateUp } from '../../../src/db/migrate/migrate.ts';
import { withClient } from './client.ts';
import { findTestBinaries } from './test-binaries.ts';

/** A Postgres server that a test can stop, start and freeze. */
export interface ControlledPostgres {
  /** Stays the same after a stop and a start. */
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Pauses every process of the server: connections stay open, but nothing answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  remove(): Promise<void>;
}

/** Starts a server with a migrated database. */
export async function controlledPostgres(): Promise<ControlledPostgres> {
  const { postgres } = await controlledCluster();
  return postgres;
}

/** Starts a server with a migrated database. Returns its cluster too. */
export async function controlledCluster(): Promise<{ cluster: Cluster; postgres: ControlledPostgres }> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'backoffice-controlled-'));
  // The first start creates the database. After that only the test controls the server.
  const binaries = await findTestBinaries();
  await (await joinEmbeddedPostgres({ dataDirectory, durable: false, binaries })).close();
  const cluster = await prepareCluster(dataDirectory, false, () => {}, binaries);
  const password = await readSuperuserPassword(cluster);
  const postgres = await controlServer(cluster, password, () =>
    rm(dataDirectory, { recursive: true, force: true }),
  );
  await postgres.start();
  await migrateUp({ databaseUrl: postgres.url });
  return { cluster, postgres };
}

/**
 * Returns what starts, stops and freezes the server of a cluster.
 *
 * @param removeFiles - called after the server has been removed
 */
export async function controlServer(
  cluster: Cluster,
  password: string,
  removeFiles: () => Promise<void>,
): Promise<ControlledPostgres> {
  const port = await findFreePort();
  const url = `postgres://backoffice:${password}@127.0.0.1:${port}/backoffice`;
  // Each process of the server is its own process group, so they are signalled one by one.
  let frozen: number[] = [];
  const postgres: ControlledPostgres = {
    url,
    start: () => startServer(cluster, port, new AbortController().signal),
    stop: () => stopServer(cluster),
    async freeze() {
      const postmaster = await readPostmaster(join(cluster.home, 'data'));
      const backends = await withClient(url, (client) => client.query('select pid from pg_stat_activity'));
      frozen = [postmaster?.pid, ...backends.rows.map((row) => row.pid)];
      for (const pid of frozen) signal(pid, 'SIGSTOP');
    },
    async thaw() {
      for (const pid of frozen.splice(0)) signal(pid, 'SIGCONT');
    },
    async remove() {
      await postgres.thaw();
      await postgres.stop();
      await removeFiles();
    },
  };
  return postgres;
}

/** Ignores a backend that has ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {}
}
