import type { Command } from 'commander';
import { argumentsOf, termOf } from './input/last-word.ts';

// Shorter names of commands, the same for all nouns, and the short forms of options. `--help` names those of a command.

/** The short names of the verbs. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  list: ['ls'],
  show: ['view'],
  create: ['new'],
  delete: ['rm'],
  remove: ['rm'],
  revoke: ['rm'],
  unset: ['rm'],
};

/** The singular of each noun, and its usual abbreviation. */
const nouns: Readonly<Record<string, readonly string[]>> = {
  issues: ['issue'],
  conversations: ['conversation', 'conv'],
  changes: ['change'],
  labels: ['label'],
  comments: ['comment'],
  'saved-replies': ['saved-reply'],
  settings: ['setting'],
  admins: ['admin'],
  context: ['contexts', 'ctx'],
  sessions: ['session'],
  invitations: ['invitation'],
  tokens: ['token'],
  visitors: ['visitor'],
  secrets: ['secret'],
  events: ['event'],
  webhooks: ['webhook'],
  prices: ['price'],
  budget: ['budgets'],
};

const shortOptions: Readonly<Record<string, string>> = {
  '--assignee': '-a',
  '--dry-run': '-n',
  '--limit': '-L',
  '--quiet': '-q',
  '--search': '-S',
  '--status': '-s',
  '--template': '-t',
  '--web': '-w',
  '--yes': '-y',
};

/** Returns the name of the top-level command that a word calls; the word itself if it is none. */
export function nounOf(word: string): string {
  return Object.keys(nouns).find((noun) => nouns[noun]?.includes(word)) ?? word;
}

/** Gives a command its other names and its options their short forms. */
export function addAliases(command: Command): void {
  const names = [...(verbs[command.name()] ?? []), ...(nouns[command.name()] ?? [])];
  if (names.length > 0 && command.aliases().length === 0) {
    command.aliases(names).addHelpText('after', `\nAliases: ${names.join(', ')}`);
    // Commander would repeat the first one where it suggests commands, beside the command itself.
    Object.defineProperty(command, 'alias', { value: () => undefined });
  }
  for (const option of command.options) {
    const short = shortOptions[option.long ?? ''];
    if (short === undefined || option.short !== undefined) continue;
    option.short = short;
    option.flags = `${short}, ${option.flags}`;
  }
}

/** Writes a command in help as its name alone: its other names are in its own help. */
export const namesInHelp = {
  subcommandTerm: (command: Command) => {
    const args = argumentsOf(command).map(termOf);
    return [command.name(), ...(command.options.length > 0 ? ['[options]'] : []), ...args].join(' ');
  },
  commandUsage: (command: Command) => {
    const words: string[] = [];
    for (let each: Command | null = command; each !== null; each = each.parent) words.unshift(each.name());
    return `${words.join(' ')} ${command.usage()}`;
  },
};
