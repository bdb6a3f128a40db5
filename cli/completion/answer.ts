import { conversations } from '../../src/contract/fields/conversations.ts';
import { issues } from '../../src/contract/fields/issues.ts';
import { includable } from '../terminal/columns.ts';
import { printable } from '../terminal/text.ts';
import type { BackofficeCommand } from '../verb/command.ts';
import type { Candidate } from '../verb/parameters.ts';
import type { Verb } from '../verb/verb.ts';
import { lookUp } from './lookup.ts';
import { readQuestion, type Shell } from './shells.ts';
import { type Suggestion, suggest } from './suggest.ts';

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
  const suggestion = suggest(await loadProgram(words), words, current);
  if (suggestion.kind === 'files') return ['files'];
  return ['values', ...write(await candidatesOf(suggestion, timeoutMs))];
}

async function candidatesOf(
  suggestion: Exclude<Suggestion, { kind: 'files' }>,
  timeoutMs: number,
): Promise<readonly Candidate[]> {
  if (suggestion.kind === 'values') return suggestion.values;
  if (suggestion.kind === 'fields') {
    const { verb, given, prefix } = suggestion;
    const left = (await fieldsOf(verb)).filter((field) => !given.includes(field));
    return left.map((field) => ({ value: `${prefix}${field}` }));
  }
  const { source, named, prefix } = suggestion;
  const found = offerable(await lookUp({ source, named }, timeoutMs));
  return found.map((candidate) => ({ ...candidate, value: `${prefix}${candidate.value}` }));
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
 * Returns the candidates that are safe to offer in a shell, each on one line. Keys and e-mails may contain anything: this
 * drops those with characters that a terminal or shell would act on, and those with a leading dash, which would be parsed
 * as options.
 */
function offerable(found: readonly Candidate[]): Candidate[] {
  return found
    .filter(({ value }) => value !== '' && !value.startsWith('-') && printable(value) === value)
    .map(({ value, description = '' }) => ({ value, description: printable(description) }));
}
