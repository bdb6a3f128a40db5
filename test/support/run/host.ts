import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { HostedCommand } from './command-host.ts';

/** The program of a process that runs commands one after another. Most of what a command costs is the start of its process. */
export const hostProgram = fileURLToPath(new URL('./command-host.ts', import.meta.url));

/**
 * Returns what runs a command in such a process, after those before it. The process starts with the first command, and
 * again if one ends it.
 *
 * @param listen - has a function called with how a command ended, and returns what ends that
 */
export function createHost<Ended>(
  start: () => ChildProcess,
  listen: (host: ChildProcess, onEnd: (ended: Ended) => void) => () => void,
): (command: HostedCommand) => Promise<Ended> {
  let host: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function startHost(): ChildProcess {
    const started = start();
    started.once('exit', () => {
      host = undefined;
    });
    return started;
  }

  function run(command: HostedCommand): Promise<Ended> {
    host ??= startHost();
    const process = host;
    return new Promise((resolve, reject) => {
      const exits = (code: number | null) => {
        stopListening();
        reject(new Error(`The process ended with ${code} during \`backoffice ${command.args.join(' ')}\`.`));
      };
      const stopListening = listen(process, (ended) => {
        stopListening();
        process.off('exit', exits);
        resolve(ended);
      });
      process.once('exit', exits);
      process.send(command);
    });
  }

  return async (command) => {
    const ended = last.then(() => run(command));
    last = ended.catch(() => undefined);
    return await ended;
  };
}
