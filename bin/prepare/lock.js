import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './paths.js';

// Not in node_modules, which `npm ci` empties.
const defaultLock = join(root, '.prepare.lock.d');

/**
 * Runs `work` while no other process of this checkout holds the lock. Takes over the lock of a process that was killed.
 *
 * The lock is a folder. In it is a folder with the name of its owner, which no other owner ever has: to release the lock of a
 * killed process never takes that of another one away.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @param {{ lock?: string, timeoutMs?: number }} [options]
 * @returns {Promise<T>}
 */
export async function withLock(work, { lock = defaultLock, timeoutMs = 15 * 60_000 } = {}) {
  const own = `${process.pid}.${randomUUID()}`;
  const deadline = Date.now() + timeoutMs;
  for (let announced = false; !take(lock, own); ) {
    const owner = readOwner(lock);
    const pid = Number.parseInt(owner, 10);
    if (owner === '' || !isAlive(pid)) {
      release(lock, owner);
      continue;
    }
    if (Date.now() > deadline) throw new Error(`Process ${pid} holds ${lock}. Stop it or remove the folder.`);
    if (!announced) console.error('Waiting for another command that installs or builds.');
    announced = true;
    await sleep(200);
  }
  const releaseOwn = () => release(lock, own);
  process.once('exit', releaseOwn);
  try {
    return await work();
  } finally {
    process.removeListener('exit', releaseOwn);
    releaseOwn();
  }
}

/**
 * Takes the lock if it is free. It appears together with the name of its owner.
 *
 * @param {string} lock
 * @param {string} owner
 */
function take(lock, owner) {
  const own = `${lock}.${owner}`;
  mkdirSync(join(own, owner), { recursive: true });
  try {
    renameSync(own, lock);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) return false;
    throw error;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/**
 * Returns the owner, or an empty text if the lock has just been released.
 *
 * @param {string} lock
 */
function readOwner(lock) {
  try {
    return readdirSync(lock)[0] ?? '';
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

/**
 * @param {string} lock
 * @param {string} owner
 */
function release(lock, owner) {
  if (owner !== '') rmSync(join(lock, owner), { recursive: true, force: true });
  try {
    rmdirSync(lock);
  } catch {
    // Another process has taken it already.
  }
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
const codeOf = (error) => String(error instanceof Error && 'code' in error && error.code);
