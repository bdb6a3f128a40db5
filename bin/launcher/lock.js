import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './paths.js';

// Not in node_modules, which `npm ci` empties.
const lockFile = join(root, '.prepare.lock');
const LIMIT_MS = 15 * 60_000;

/**
 * Does `work` while no other prepare in this checkout does. A lock whose owner was killed is taken over.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function alone(work) {
  const deadline = Date.now() + LIMIT_MS;
  let announced = false;
  while (!take()) {
    const owner = readOwner();
    if (owner && !isAlive(owner)) {
      discard(owner);
      continue;
    }
    if (Date.now() > deadline)
      throw new Error(`Process ${owner} holds ${lockFile}: end it or remove the file.`);
    if (!announced) console.error('Waiting for another command that installs or builds.');
    announced = true;
    await sleep(200);
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

function take() {
  const own = `${lockFile}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    // A link is there at once and with its content, so nobody ever sees a lock without an owner.
    linkSync(own, lockFile);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** @returns {number} 0 when the lock has just been released. */
function readOwner(file = lockFile) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

function discard(owner) {
  const aside = `${lockFile}.stale.${process.pid}`;
  try {
    renameSync(lockFile, aside);
    // Another process may have taken it over between the look and the rename: then it goes back.
    if (readOwner(aside) !== owner) linkSync(aside, lockFile);
  } catch {
    // Somebody else discarded it first.
  }
  rmSync(aside, { force: true });
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
