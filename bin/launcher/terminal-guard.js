import { spawnSync } from 'node:child_process';
import { isatty } from 'node:tty';

/** A frame that was cut off, mouse and focus reports, bracketed paste, and last the alternate screen. */
const modes = [2026, 1000, 1002, 1003, 1006, 1004, 2004, 1049];
const restored = `\u001B[0m${modes.map((mode) => `\u001B[?${mode}l`).join('')}\u001B[?25h`;

/**
 * Watches over the terminal while a program draws on all of it. The program sends `taken` when it starts to draw and
 * `left` when it has put the terminal back. It sends `stop` to stop the job of the shell, of which this process is the
 * part that the shell waits for.
 *
 * @returns {{ watch(child: import('node:child_process').ChildProcess): void, restore(end: number | string): void }}
 */
export function guardTerminal() {
  const settings = isatty(0) && isatty(1) ? stty('-g') : undefined;
  let isTaken = false;
  return {
    watch(child) {
      // Otherwise only this process would stop, and the program would draw over the shell's prompt.
      const passOn = () => child.kill('SIGTSTP');
      const stop = () => {
        process.off('SIGTSTP', passOn);
        process.kill(0, 'SIGTSTP');
        // Only the SIGCONT of the shell lets this process come here, unless no shell controls the job.
        process.on('SIGTSTP', passOn);
        child.send('continued');
      };
      child.on('error', () => {});
      child.on('message', (message) => {
        if (message === 'taken') {
          isTaken = true;
          process.on('SIGTSTP', passOn);
          child.send('guarded');
        } else if (message === 'left') {
          isTaken = false;
          process.off('SIGTSTP', passOn);
        } else if (message === 'stop') stop();
      });
    },
    restore(end) {
      if (!isTaken || settings === undefined) return;
      process.stdout.write(restored);
      stty(settings);
      const how = typeof end === 'string' ? `was ended by ${end}` : `ended with exit code ${end}`;
      console.error(`backoffice: The dashboard ${how}. The terminal is as it was before.`);
    },
  };
}

/**
 * Runs `stty` on the terminal of this process.
 *
 * @param {string} setting
 * @returns {string | undefined} its output, or undefined if it fails
 */
function stty(setting) {
  const { status, stdout } = spawnSync('stty', [setting], { stdio: ['inherit', 'pipe', 'ignore'] });
  return status === 0 ? String(stdout).trim() : undefined;
}
