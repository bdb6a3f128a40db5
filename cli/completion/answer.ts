import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { conversations } from '../../src/contract/fields/conversations.ts';
import { issues } from '../../src/contract/fields/issues.ts';
import { atMost } from '../../src/shared/waiting.ts';
import { includable } from '../terminal/columns.ts';
import { printable } from '../terminal/text.ts';
import type { BackofficeCommand } from '../verb/command.ts';
import type { Candidate } from '../verb/parameters.ts';
import type { Verb } from '../verb/verb.ts';
import type { LookupTask } from './lookup-worker.ts';
import { readQuestion, type Shell } from './shells.ts';
import { suggest } from './suggest.ts';

/** Returns the program with the commands that the words of a line need. */
export type LoadProgram = (words: readonly string[]) => Promise<BackofficeCommand>;

/**
 * Returns the lines that a shell's script reads: first the kind of the answer, then the values.
 *
 * @param passed - the words that the script passes on
 */
export async function answer(
  loadProgram: LoadProgram,
  shell: Shell,
  passed: readonly string[],
  timeoutMs: number,
): Promise<string[]> {
  const { words, current, write } = readQuestion(shell, passed);
  const { from, prefix, given, named } = suggest(await loadProgram(words), words, current);
  if (from === 'files') return ['files'];
  let found: readonly Candidate[];
  if (typeof from === 'string') found = offerable(await lookUp({ source: from, named }, timeoutMs));
  else found = 'run' in from ? (await fieldsOf(from)).map((value) => ({ value })) : from;
  const left = found.filter(({ value }) => !given.includes(value));
  return ['values', ...write(left.map((each) => ({ ...each, value: `${prefix}${each.value}` })))];
}

/** Every field that lists have only on demand. */
const allIncluded = [...new Set([conversations, issues].flatMap(includable))].join();

/** Returns the fields of what a verb prints. */
async function fieldsOf({ fields, operations: [only, ...others] }: Verb): Promise<readonly string[]> {
  if (fields !== undefined) return await fields(allIncluded);
  if (only === undefined || others.length > 0) return [];
  const { answerFieldsOf } = await import('../../src/contract/field-names.ts');
  return answerFieldsOf(only);
}

/**
 * Looks values up in the data. Returns none if that fails or times out. Runs in a thread, because a
 * thread can be terminated at any moment, together with its connections, and its output and errors stay hidden.
 */
async function lookUp(task: LookupTask, timeoutMs: number): Promise<readonly Candidate[]> {
  // The worker is next to this file, both in the source and in the build.
  const file = fileURLToPath(new URL(`lookup-worker${extname(import.meta.url)}`, import.meta.url));
  const thread = new Worker(file, { workerData: task, stdout: true, stderr: true });
  // Handles an error that arrives after the timeout.
  thread.on('error', () => {});
  try {
    const message = await atMost(timeoutMs, once(thread, 'message'));
    return message?.[0] ?? [];
  } catch {
    return [];
  } finally {
    await thread.terminate();
  }
}

/**
 * Returns the candidates that are safe to offer in a shell, each on one line. Keys and e-mails may contain anything: this
 * drops those with characters that a terminal or shell would act on, and those with a leading dash, which would be parsed
 * as options.
 */
function offerable(found: readonly Candidate[]): Candidate[] {
  return found
    .filter(({ value }) => value !== '' && !value.startsWith('-') && printable(value) === value)
    .map(({ value, description = '' }) => ({ value, description: printable(description) }));
}
