import { appendFile, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Cluster, readSuperuserPassword } from '../../../src/db/embedded/cluster.ts';
import { joinEmbeddedPostgres, prepareCluster } from '../../../src/db/embedded/embedded-postgres.ts';
import { runProgram } from '../../../src/db/embedded/programs.ts';
import { findFreePort, readPostmaster, startServer, stopServer } from '../../../src/db/embedded/server.ts';
import { migrateUp } from '../../../src/db/migrate/migrate.ts';
import { listenBefore } from '../receivers/listen.ts';
import { findTestBinaries, withClient } from './server.ts';

/** A Postgres server that a test can stop, start and freeze. */
export type ControlledPostgres = Awaited<ReturnType<typeof controlServer>>;

/** Starts a server with a migrated database. */
export async function controlledPostgres(): Promise<ControlledPostgres> {
  return (await controlledCluster()).postgres;
}

/** Does so, and returns its cluster too. */
async function controlledCluster() {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'backoffice-controlled-'));
  // The first start creates the database. After that only the test controls the server.
  const binaries = await findTestBinaries();
  await (await joinEmbeddedPostgres({ dataDirectory, durable: false, binaries })).close();
  const cluster = await prepareCluster({ dataDirectory, durable: false, binaries });
  const password = await readSuperuserPassword(cluster);
  const removeFiles = () => rm(dataDirectory, { recursive: true, force: true });
  const postgres = await controlServer(cluster, password, removeFiles);
  await postgres.start();
  await migrateUp({ databaseUrl: postgres.url });
  return { cluster, postgres };
}

/** Returns what starts, stops and freezes the server of a cluster. */
async function controlServer(cluster: Cluster, password: string, removeFiles: () => Promise<void>) {
  const port = await findFreePort();
  const url = `postgres://backoffice:${password}@127.0.0.1:${port}/backoffice`;
  // Each process of the server is its own process group, so they are signalled one by one.
  let frozen: number[] = [];
  const postgres = {
    /** Stays the same after a stop and a start. */
    url,
    start: () => startServer(cluster, new AbortController().signal, port),
    stop: () => stopServer(cluster),
    /** Pauses every process of the server: connections stay open, but nothing answers. */
    async freeze() {
      const postmaster = await readPostmaster(join(cluster.home, 'data'));
      const backends = await withClient(url, (client) => client.query('select pid from pg_stat_activity'));
      frozen = [postmaster?.pid, ...backends.rows.map((row) => row.pid)];
      for (const pid of frozen) signal(pid, 'SIGSTOP');
    },
    async thaw() {
      for (const pid of frozen.splice(0)) signal(pid, 'SIGCONT');
    },
    async remove(): Promise<void> {
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

/** A server with a migrated database, and a standby that receives its changes by streaming replication. */
export type ReplicatedPostgres = Awaited<ReturnType<typeof replicatedPostgres>>;

/** Starts a primary and its standby. */
export async function replicatedPostgres() {
  const { cluster, postgres: primary } = await controlledCluster();
  // The servers of tests answer a commit before it is on disk, and send it to a standby only then: up to 0.6 s later.
  const commit = 'alter role backoffice set synchronous_commit = on';
  await withClient(primary.url, (client) => client.query(commit));
  const standby = await createStandby(cluster, primary);
  await standby.start();
  return {
    primary,
    standby,
    async remove() {
      await standby.remove();
      await primary.remove();
    },
  };
}

/** Copies the files of a running primary. The embedded Postgres has no `pg_basebackup`. */
async function createStandby(cluster: Cluster, primary: ControlledPostgres): Promise<ControlledPostgres> {
  const home = join(dirname(cluster.home), 'standby');
  const data = join(home, 'data');
  const own = async (path: string) => {
    if (cluster.user) await chown(path, cluster.user.uid, cluster.user.gid);
  };
  await mkdir(home, { mode: 0o700 });
  await own(home);
  const label = await withClient(primary.url, async (client) => {
    await client.query(`select pg_backup_start('standby', true)`);
    await runProgram('cp', ['-a', join(cluster.home, 'data'), data], cluster.user);
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    return rows[0].labelfile as string;
  });
  for (const file of ['postmaster.pid', 'postmaster.opts']) await rm(join(data, file), { force: true });
  const password = await readSuperuserPassword(cluster);
  const { port } = new URL(primary.url);
  const source = `host=127.0.0.1 port=${port} user=backoffice password=${password}`;
  await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  for (const [file, text] of Object.entries({ backup_label: label, 'standby.signal': '' })) {
    await writeFile(join(data, file), text, { mode: 0o600 });
    await own(join(data, file));
  }
  const removeFiles = () => rm(home, { recursive: true, force: true });
  return await controlServer({ ...cluster, home }, password, removeFiles);
}

/** A relay to Postgres that records the statements that pass through it. */
export type QueryTap = Awaited<ReturnType<typeof openQueryTap>>;

/** Opens a relay between a service and its database. It records what is sent over the wire, by any library. */
export async function openQueryTap(databaseUrl: string) {
  const statements: string[] = [];
  const relay = await listenBefore(databaseUrl, (client, connectDatabase) => {
    const database = connectDatabase();
    client.pipe(database);
    database.pipe(client);
    const read = statementReader((text) => statements.push(text));
    client.on('data', read);
  });
  return {
    ...relay,
    /** The statements since the last `reset`, including `begin` and `commit`. */
    statements,
    reset: () => void statements.splice(0),
  };
}

/**
 * Finds the statements in the messages of a client
 * (https://www.postgresql.org/docs/current/protocol-message-formats.html): the text of each simple Query, and at each
 * Execute the statement that was bound last, which may have been parsed long before.
 */
function statementReader(found: (text: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  // The first message, the start-up, has a length but no type.
  let header = 0;
  const parsed = new Map<string, string>();
  let bound = '';
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= header + 4 && rest.length >= header + rest.readUInt32BE(header)) {
      const size = header + rest.readUInt32BE(header);
      const type = header === 0 ? '' : String.fromCharCode(rest[0] ?? 0);
      const [first = '', second = ''] = rest.toString('utf8', header + 4, size).split('\0');
      if (type === 'Q') found(first);
      if (type === 'P') parsed.set(first, second);
      if (type === 'B') bound = parsed.get(second) ?? '';
      if (type === 'E') found(bound);
      rest = rest.subarray(size);
      header = 1;
    }
  };
}
