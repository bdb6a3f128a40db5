import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the ids of the running processes whose environment has a variable with that value. Programs hand their
 * environment down, so this finds everything that a marked process has started, also after that process has ended.
 * Works on Linux only.
 *
 * @param {string} name
 * @param {string} value
 * @returns {number[]}
 */
export function findMarkedProcesses(name, value) {
  const mark = `${name}=${value}`;
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => environmentOf(pid).includes(mark))
    .map(Number);
}

/** @param {string} pid */
function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    // It has ended, or belongs to another user.
    return [];
  }
}

/**
 * Kills processes with SIGKILL. Those that have ended already are ignored.
 *
 * @param {number[]} pids
 */
export function killProcesses(pids) {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}
