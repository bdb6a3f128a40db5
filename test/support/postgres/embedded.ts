import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { joinEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import { findPostmaster } from '../../../src/db/embedded/server.ts';
import { withClient } from './server.ts';

/** Creates a data directory for one test. After the test its server is killed and the folder removed. */
export async function temporaryDataDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'backoffice-embedded-'));
  onTestFinished(async () => {
    if (await runningPid(directory)) await killServer(directory, 'SIGQUIT').catch(() => undefined);
    await waitUntil(async () => (await runningPid(directory)) === undefined);
    // Programs that a killed process started may still write here for a moment.
    await rm(directory, { recursive: true, force: true, maxRetries: 20 });
  });
  return directory;
}

let stopped: Promise<string> | undefined;

/**
 * Creates a data directory for one test with a server that has been made and stopped: a copy, because it takes twenty times
 * as long to make one.
 */
export async function stoppedServer(): Promise<string> {
  stopped ??= makeStoppedServer();
  const dataDirectory = await temporaryDataDirectory();
  // Postgres belongs to another user than root.
  await promisify(execFile)('cp', ['-a', `${await stopped}/.`, dataDirectory]);
  return dataDirectory;
}

async function makeStoppedServer(): Promise<string> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'backoffice-embedded-'));
  await (await joinEmbeddedPostgres({ dataDirectory, durable: false })).close();
  return dataDirectory;
}

/**
 * Starts a process that is a member of the embedded Postgres, in its own process group, as a shell does. It is killed after
 * the test.
 */
export function startMemberProcess(dataDirectory: string): ChildProcess {
  const script = fileURLToPath(new URL('./embedded-member.ts', import.meta.url));
  const child = spawn(process.execPath, [script, dataDirectory], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Starts a member and waits until it has joined. */
export async function startMember(dataDirectory: string) {
  const child = startMemberProcess(dataDirectory);
  const ended = once(child, 'exit');
  const [line] = child.stdout ? await Promise.race([once(child.stdout, 'data'), ended]) : [];
  if (child.pid === undefined || !Buffer.isBuffer(line)) throw new Error(`The member ended with ${line}.`);
  const [url = '', ownerUrl = ''] = line.toString().trim().split(' ');
  return {
    pid: child.pid,
    url,
    ownerUrl,
    /** Makes it leave. Resolves with its exit code. */
    async leave(): Promise<number | null> {
      child.kill('SIGTERM');
      const [code] = await ended;
      return code;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Returns the process id of the server in a data directory, or undefined if none is running. */
export async function runningPid(dataDirectory: string): Promise<number | undefined> {
  const data = join(dataDirectory, 'postgres', 'data');
  return (await findPostmaster(data))?.pid;
}

/** Sends a signal to the server in a data directory and returns its process id. */
export async function killServer(dataDirectory: string, signal: NodeJS.Signals): Promise<number> {
  const pid = await runningPid(dataDirectory);
  // Number(undefined) or 0 would signal other processes.
  if (pid === undefined) throw new Error(`No server is running in ${dataDirectory}.`);
  process.kill(pid, signal);
  return pid;
}

/** Returns how many processes are members of the server. A killed one counts until Postgres notices. */
export async function countMembers(url: string): Promise<number> {
  const claims = `locktype = 'advisory' AND mode = 'ShareLock' AND granted`;
  return Number(await queryAnswer(url, `SELECT count(*) AS answer FROM pg_locks WHERE ${claims}`));
}

/** Runs one query on a connection of its own. Resolves with the `answer` of the first row. */
export function queryAnswer(url: string, query: string): Promise<unknown> {
  return withClient(url, async (client) => (await client.query(query)).rows[0]?.answer);
}

/** Waits until `condition` is true, or fails after `timeoutMs`. An error counts as false. */
export async function waitUntil(condition: () => Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`Still false after ${timeoutMs} ms: ${condition}`);
    await sleep(25);
  }
}
