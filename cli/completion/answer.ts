import type { Command } from 'commander';
import { conversations } from '../../src/contract/fields/conversations.ts';
import { issues } from '../../src/contract/fields/issues.ts';
import { operationsOf } from '../access/operations.ts';
import { declaredFields } from '../output/formats.ts';
import { includable } from '../verb/columns.ts';
import { BackofficeCommand } from '../verb/command.ts';
import { type Candidate, offerable } from './candidate.ts';
import { lookUp } from './lookup.ts';
import { readQuestion, type Shell } from './question.ts';
import { type Suggestion, suggest } from './suggest.ts';

/** Loads the command line, or only one of its top-level commands. */
export type LoadProgram = (name?: string) => Promise<Command>;

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
  const suggestion = suggest(await loadProgram(words[0]), words, current);
  if (suggestion.kind === 'files') return ['files'];
  return ['values', ...write(await candidatesOf(suggestion, timeoutMs))];
}

async function candidatesOf(
  suggestion: Exclude<Suggestion, { kind: 'files' }>,
  timeoutMs: number,
): Promise<readonly Candidate[]> {
  if (suggestion.kind === 'values') return suggestion.values;
  if (suggestion.kind === 'fields') {
    const { command, given, prefix } = suggestion;
    const left = (await fieldsOf(command)).filter((field) => !given.includes(field));
    return left.map((field) => ({ value: `${prefix}${field}` }));
  }
  const { source, named, prefix } = suggestion;
  const found = offerable(await lookUp({ source, named }, timeoutMs));
  return found.map((candidate) => ({ ...candidate, value: `${prefix}${candidate.value}` }));
}

/** Returns the fields of what a command prints. */
async function fieldsOf(command: Command): Promise<readonly string[]> {
  const verb = command instanceof BackofficeCommand ? command.verb : undefined;
  const declared = verb === undefined ? await declaredFields(command) : await verb.fields?.(allIncluded);
  const [only, ...others] = verb?.operations ?? operationsOf(command);
  if (declared !== undefined || only === undefined || others.length > 0) return declared ?? [];
  const { answerFieldsOf } = await import('../../src/contract/field-names.ts');
  return answerFieldsOf(only);
}

/** Every field that lists have only on demand. */
const allIncluded = [...new Set([conversations, issues].flatMap(includable))].join();
