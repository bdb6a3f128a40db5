import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { joinEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import { errorCode } from '../../../src/shared/error-code.ts';
import { withClient } from './client.ts';
import { findTestBinaries } from './test-binaries.ts';

/** The database server of one test run. */
export interface TestServer {
  /** The URL of a superuser. */
  adminUrl: string;
  close(): Promise<void>;
}

const prefix = 'backoffice-test-';

/** Starts an embedded server in a temporary folder. `close` stops it and removes the folder. */
export async function startTemporaryServer(): Promise<TestServer> {
  await removeAbandoned();
  const dataDirectory = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  const binaries = await findTestBinaries();
  const postgres = await joinEmbeddedPostgres({ dataDirectory, durable: false, binaries });
  await withClient(postgres.superuserUrl, configure);
  return {
    adminUrl: postgres.superuserUrl,
    async close() {
      await postgres.close();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Leaves out work that no test needs, because all tests share the processors. */
async function configure(client: Client): Promise<void> {
  const settings = {
    // Tests that need statistics or the visibility map call ANALYZE or VACUUM.
    autovacuum: 'off',
    // The pages of a dropped database never have to reach its files.
    bgwriter_lru_maxpages: '0',
    checkpoint_timeout: '1h',
    max_wal_size: '8GB',
  };
  for (const [name, value] of Object.entries(settings)) {
    await client.query(`alter system set ${name} = '${value}'`);
  }
  await client.query('select pg_reload_conf()');
  // The password takes a third of the time of a connection. Older servers have no setting for it.
  await client.query(`select set_config(name, '1', false) from pg_settings where name = 'scram_iterations'`);
  await client.query(`alter role current_user password ${client.escapeLiteral(client.password ?? '')}`);
}

/** Stops the servers of runs that were killed: vitest runs no teardown on Ctrl-C. */
async function removeAbandoned(): Promise<void> {
  for (const entry of await readdir(tmpdir())) {
    const owner = new RegExp(`^${prefix}(\\d+)-`).exec(entry)?.[1];
    if (!owner || isAlive(Number(owner))) continue;
    const dataDirectory = join(tmpdir(), entry);
    // Another user's folder refuses. A broken one is removed anyway.
    await stopServerOf(dataDirectory).catch(() => undefined);
    await rm(dataDirectory, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function stopServerOf(dataDirectory: string): Promise<void> {
  // The last member stops the server, and a killed run is no longer a member.
  const postgres = await joinEmbeddedPostgres({ dataDirectory, durable: false });
  await postgres.close();
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
