import type { Jq } from 'jq-wasm';
import { FailedError, UsageError } from '../errors.ts';
import { printPiece } from '../terminal/terminal.ts';

let loaded: Promise<Jq> | undefined;

/** The exit code of jq for an expression that it does not understand. */
const compileError = 3;
const flags = ['--compact-output', '--raw-output0'];

/**
 * Compiles an expression of jq. The function takes JSON, one or several documents, and returns what `jq -r` prints.
 *
 * @throws UsageError if it is no expression
 */
export async function compileJq(expression: string): Promise<(json: string) => Promise<string>> {
  // Loaded on demand: it takes 60 ms.
  loaded ??= import('jq-wasm').then(({ loadJq }) => loadJq());
  const jq = await loaded;
  // Compiled and not run: nothing is read from the server for a mistyped expression.
  if (jq.raw('null', `if false then (${expression}\n) else empty end`, flags).exitCode === compileError) {
    throw new UsageError(
      `The jq expression is not valid: ${reasonOf(jq.raw('null', expression, flags).stderr)}.`,
    );
  }
  return async (json) => {
    const { stdout, stderr, exitCode } = jq.raw(json, expression, flags);
    if (exitCode !== 0) throw new FailedError(`The jq expression failed: ${reasonOf(stderr)}.`);
    // Each output ends with a NUL, so that empty ones at the end count too.
    return stdout.replaceAll('\0', '\n');
  };
}

/** Prints JSON, or what an expression of jq makes of it. */
export async function printJson(json: string, expression: string | undefined): Promise<void> {
  await printPiece(expression === undefined ? `${json}\n` : await (await compileJq(expression))(json));
}

/** Returns the first line of an error of jq, without the name of the program and the place in its input. */
function reasonOf(stderr: string): string {
  const [line = ''] = stderr.split('\n');
  const reason = line.replace(/^jq: error( \(at [^)]*\))?: /, '').replace(/[.:]+$/, '');
  return reason === '' ? 'unknown reason' : reason;
}
