import { errorCode } from '../shared/errors.ts';

/** Reports whether a process of this machine runs. After a restart, its number may belong to another program. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
