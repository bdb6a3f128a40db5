import { format } from 'node:util';
import { printableLines } from '../../src/shared/text.ts';
import { isDumbTerminal } from './environment.ts';

/** Takes what commands print, in the place of standard output. */
export interface OutputSink {
  write(text: string, done: (error?: Error | null) => void): unknown;
}

let sink: OutputSink | undefined;

/** Sends what commands print to something else, until the returned function is called. */
export function divertOutput(to: OutputSink): () => void {
  sink = to;
  return () => {
    sink = undefined;
  };
}

/** Prints a result for people on standard output. Of all control characters, only colours reach the terminal. */
export function print(text: string): void {
  put(`${onlyColours(text)}\n`);
}

/**
 * Prints data on standard output. A file or a pipe gets every byte. For a terminal, which would obey the control
 * characters in it, each is replaced.
 */
export function printData(text: string): void {
  put(`${process.stdout.isTTY ? printableLines(text) : text}\n`);
}

/** Prints a piece of a long result on standard output. Resolves when there is room for the next. */
export async function printPiece(text: string): Promise<void> {
  await write(process.stdout.isTTY ? printableLines(text) : text);
}

/** Prints a line of a continuing result. Rejects when the reader has left. */
export async function printLine(text: string): Promise<void> {
  await write(`${process.stdout.isTTY ? onlyColours(text) : text}\n`);
}

/** Reports whether standard output is a terminal. */
export function isOnTerminal(): boolean {
  return process.stdout.isTTY === true;
}

function put(text: string): void {
  (sink ?? process.stdout).write(text, () => {});
}

async function write(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    (sink ?? process.stdout).write(text, (error) => (error ? reject(error) : resolve()));
  });
}

const toStandardError = (text: string) => {
  process.stderr.write(`${onlyColours(text)}\n`);
};
let showRemark = toStandardError;

/** Prints a remark on standard error, so that standard output contains only the result. */
export function remark(text: string): void {
  showRemark(text);
}

/**
 * Sends remarks, and what a library writes to the console, to something that owns the whole screen, until the returned
 * function is called.
 */
export function divertRemarks(to: (text: string) => void): () => void {
  const before = { ...console };
  const write = (...values: readonly unknown[]) => to(printableLines(format(...values)));
  Object.assign(console, { debug: write, error: write, info: write, log: write, warn: write });
  showRemark = to;
  return () => {
    Object.assign(console, before);
    showRemark = toStandardError;
  };
}

/** Prints an error on standard error: its sentence, or the error itself with its stack. */
export function printError(error: unknown): void {
  remark(
    printableLines(`backoffice: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  );
}

/** Reports whether both standard input and output are a terminal. */
export function hasTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Reports whether there is a terminal that can show the dashboard. One of type `dumb` only appends lines. */
export function hasScreen(): boolean {
  return hasTerminal() && !isDumbTerminal();
}

/** Returns the width of the terminal in cells, or Infinity for a file or a pipe. */
export function outputWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
}

/** Returns the width of a chart in cells. */
export function chartWidth(): number {
  return Math.min(outputWidth(), 80);
}

const style = '\u001B\\[[\\d;]*m';
const controls = new RegExp(`${style}|(?![\\n\\t])\\p{Cc}`, 'gu');

/**
 * Replaces all control characters except line ends, tabs and styles. Texts that others wrote are made `printable` where
 * they are put into a sentence; this is the second line of defence.
 */
function onlyColours(text: string): string {
  return text.replaceAll(controls, (found) => (found.length > 1 ? found : '\uFFFD'));
}

/** Within this time a second signal counts as the same, because npm also forwards the Ctrl-C that the terminal sends. */
const repeatedSignalMs = 1_000;

/** Returns a signal that aborts on the first SIGINT, SIGTERM or SIGHUP, with its name. A later one ends the process. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let firstAt = 0;
  const stop = (signal: NodeJS.Signals) => {
    if (!controller.signal.aborted) {
      firstAt = performance.now();
      controller.abort(signal);
    } else if (performance.now() - firstAt > repeatedSignalMs) {
      process.removeListener(signal, stop);
      process.kill(process.pid, signal);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  return controller.signal;
}
