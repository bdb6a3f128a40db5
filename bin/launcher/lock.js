import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './paths.js';

// Not in node_modules, which `npm ci` empties.
const defaultLockFile = join(root, '.prepare.lock');
const DEFAULT_TIMEOUT_MS = 15 * 60_000;
const POLL_MS = 200;

/**
 * Runs `work` while no other process of this checkout holds the lock. Takes over the lock of a process that was killed.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @param {{ lockFile?: string, timeoutMs?: number }} [options]
 * @returns {Promise<T>}
 */
export async function withLock(work, { lockFile = defaultLockFile, timeoutMs = DEFAULT_TIMEOUT_MS } = {}) {
  const deadline = Date.now() + timeoutMs;
  let announced = false;
  while (!take(lockFile)) {
    const owner = readOwner(lockFile);
    if (owner && !isAlive(owner)) {
      discard(lockFile, owner);
      continue;
    }
    if (Date.now() > deadline) {
      throw new Error(`Process ${owner} holds ${lockFile}. Stop it or remove the file.`);
    }
    if (!announced) console.error('Waiting for another command that installs or builds.');
    announced = true;
    await sleep(POLL_MS);
  }
  const release = () => rmSync(lockFile, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}

/**
 * Takes the lock if it is free.
 *
 * @param {string} lockFile
 */
function take(lockFile) {
  const own = `${lockFile}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    // A link appears together with its content, so nobody ever sees a lock without an owner.
    linkSync(own, lockFile);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Returns the owner's process id, or 0 if the lock has just been released.
 *
 * @param {string} lockFile
 */
function readOwner(lockFile) {
  try {
    return Number(readFileSync(lockFile, 'utf8'));
  } catch {
    return 0;
  }
}

/**
 * @param {string} lockFile
 * @param {number} owner
 */
function discard(lockFile, owner) {
  const aside = `${lockFile}.stale.${process.pid}`;
  try {
    renameSync(lockFile, aside);
    // Put it back if another process took the lock over between the check and the rename.
    if (readOwner(aside) !== owner) linkSync(aside, lockFile);
  } catch {
    // Another process discarded it first.
  }
  rmSync(aside, { force: true });
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
