import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { errorCode } from '../shared/errors.ts';
import { wait } from '../shared/waiting.ts';
import { FileError } from './fill-file.ts';
import { isAlive } from './is-alive.ts';
import { makeFolders } from './make-folders.ts';

const pollMs = 10;
/** Whoever holds a lock so long has been killed: what is done under it takes milliseconds. */
const maxHoldMs = 10_000;

/**
 * Runs `work`, which reads and then writes a file, while no other process does. Creates the folder of the file.
 *
 * The lock is a folder beside the file. In it is a file with the name of its owner, which no other owner ever has. To release
 * the lock of a killed process is to remove that file, and so never takes the lock of another one away.
 *
 * @throws FileError if the lock cannot be taken, or what `work` throws
 */
export async function locked<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const lock = `${file}.lock`;
  const owner = `${process.pid}@${hostname()}.${crypto.randomUUID()}`;
  try {
    await makeFolders(dirname(file), 0o700);
    await take(lock, owner);
  } catch (error) {
    throw new FileError(file, error);
  }
  try {
    return await work();
  } finally {
    await release(lock, owner);
  }
}

async function take(lock: string, owner: string): Promise<void> {
  let seen: string | undefined;
  let seenAt = 0;
  while (!(await isTaken(lock, owner))) {
    const [holder] = await readdir(lock).catch(none);
    if (holder !== seen) {
      seen = holder;
      seenAt = performance.now();
    }
    if (hasEnded(holder) || performance.now() - seenAt > maxHoldMs) await release(lock, holder);
    else await wait(pollMs * (1 + Math.random()));
  }
}

/** Takes the lock if it is free. It appears together with the name of its owner. */
async function isTaken(lock: string, owner: string): Promise<boolean> {
  const own = `${lock}.${owner}`;
  await mkdir(own, 0o755);
  try {
    await (await open(join(own, owner), 'wx', 0o600)).close();
    await rename(own, lock);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Reports whether the owner was a process of this machine, and has ended. */
function hasEnded(owner: string | undefined): boolean {
  const [, pid = '', machine] = /^(\d+)@(.*)\./.exec(owner ?? '') ?? [];
  return owner === undefined || (machine === hostname() && !isAlive(Number(pid)));
}

/** The names in a folder that is gone. */
function none(error: unknown): string[] {
  if (errorCode(error) !== 'ENOENT') throw error;
  return [];
}

async function release(lock: string, owner: string | undefined): Promise<void> {
  if (owner !== undefined) await rm(join(lock, owner), { force: true });
  // Not empty: another process has taken the lock already.
  await rmdir(lock).catch(() => {});
}
