import { spawn } from 'node:child_process';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program in our place: on our terminal, with our signals, and we end as it ends. It gets to finish
 * its graceful stop, for we wait and never stop on a signal ourselves.
 *
 * @param {string} program
 * @param {string[]} args
 */
export function handOver(program, args) {
  const child = spawn(program, args, { stdio: 'inherit' });
  const forward = (signal) => child.kill(signal);
  for (const signal of forwarded) process.on(signal, forward);
  child.on('error', (error) => {
    console.error(`${program} does not start (${error.code}): run \`npm ci\` again.`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    for (const name of forwarded) process.removeListener(name, forward);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code ?? 1;
  });
}
