import { spawn } from 'node:child_process';
import { guardTerminal } from './terminal-guard.js';

/** @type {NodeJS.Signals[]} */
const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program in place of this one: it gets the terminal and the signals, and this process exits as it exits. The
 * program can finish its graceful shutdown, because this process ignores the signals and waits.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ drawsScreen?: boolean }} [options] - `drawsScreen`: it may take the whole screen, and be killed while it has it
 */
export function handOver(program, args, { drawsScreen = false } = {}) {
  const guard = drawsScreen ? guardTerminal() : undefined;
  const child = spawn(program, args, {
    stdio: guard === undefined ? 'inherit' : ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  guard?.watch(child);
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => child.kill(signal);
  for (const signal of forwardedSignals) process.on(signal, forward);
  child.on('error', (error) => {
    console.error(`Cannot start ${program}: ${error.message}. Run \`npm ci\` again.`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    for (const name of forwardedSignals) process.removeListener(name, forward);
    guard?.restore(signal ?? code ?? 1);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code ?? 1;
  });
}
