import { chown, mkdir, open, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findOsUser, launchProgram } from '../../../src/db/embedded/programs.ts';
import { listenOnLoopback } from '../../support/receivers/listen.ts';
import { findClusterPrograms } from './programs.ts';

/** What the servers of a cluster share: the programs, a folder, and the account that they run as. */
export type Machine = Awaited<ReturnType<typeof thisMachine>>;

export async function thisMachine() {
  const { BACKOFFICE_TEST_CLUSTER: folder } = process.env;
  if (folder === undefined) throw new Error('Run this test by `npm run test:cluster`.');
  const { programs } = findClusterPrograms();
  const user = process.getuid?.() === 0 ? await findOsUser('') : undefined;
  // It marks the processes of this run, so that `run.ts` ends them all.
  const mark = { BACKOFFICE_TEST_CLUSTER: folder };
  return { programs, folder, mark, user };
}

/** Creates a folder of the account of the servers, which only it can enter. */
export async function makeFolder({ folder, user }: Machine, name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, { mode: 0o700 });
  if (user) await chown(path, user.uid, user.gid);
  return path;
}

/** Writes a file that the account of the servers can read. */
export async function writeConfig(machine: Machine, path: string, text: string): Promise<string> {
  await writeFile(path, text, { mode: 0o600 });
  if (machine.user) await chown(path, machine.user.uid, machine.user.gid);
  return path;
}

/** Returns that many different free ports. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(servers.map((server) => listenOnLoopback(server)));
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}

/** Starts a program in the background, in a session of its own. Its output goes to a file in the machine's folder. */
export async function startDaemon(machine: Machine, name: string, program: string, args: string[]) {
  const file = await open(join(machine.folder, `${name}.log`), 'a');
  try {
    const stdio = ['ignore', file.fd, file.fd] as const;
    const { user, mark } = machine;
    const child = launchProgram(program, args, user, [...stdio], mark);
    // A program that cannot start answers nothing, which its caller waits for and reports.
    child.on('error', () => {});
    return child;
  } finally {
    await file.close();
  }
}

/** Waits until a URL answers 200. */
export async function untilHealthy(url: string): Promise<void> {
  await until(`${url} answers 200`, async () => (await statusOf(url)) === 200);
}

const untilTimeoutMs = 90_000;

/** Waits until a condition holds. Unlike `expect.poll`, this also works before the tests. */
export async function until(condition: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + untilTimeoutMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Not so after ${untilTimeoutMs / 1_000} s: ${condition}.`);
    await setTimeout(100);
  }
}

/** Patroni answers within milliseconds. The service takes up to 10 s while there is no primary. */
const answerTimeoutMs = 10_000;

/** Returns the status of a URL, or undefined if nothing answers in time. */
export async function statusOf(url: string): Promise<number | undefined> {
  return await fetch(url, { signal: AbortSignal.timeout(answerTimeoutMs) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => undefined,
  );
}
