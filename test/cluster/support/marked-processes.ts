import { readdirSync, readFileSync } from 'node:fs';
import { errorCode } from '../../../src/shared/errors.ts';

/**
 * Returns the ids of the running processes whose environment has a variable with that value. Programs hand their
 * environment down, so this finds everything that a marked process has started, also after that process has ended.
 * Works on Linux only.
 */
export function findMarkedProcesses(name: string, value: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => environmentOf(pid).includes(`${name}=${value}`))
    .map(Number);
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    // It has ended, or belongs to another user.
    return [];
  }
}

/** Kills processes with SIGKILL. Those that have ended already are ignored. */
export function killProcesses(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') throw error;
    }
  }
}
