import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
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
  return {
    adminUrl: postgres.superuserUrl,
    async close() {
      await postgres.close();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
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
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
