import { InvalidArgumentError } from 'commander';
import { UsageError } from '../errors.ts';
import { readStandardInput } from './standard-input.ts';

/** How a command takes the ids of its rows. */
export interface IdForm<Id> {
  /** What they are: `the number of an issue`. */
  readonly what: string;
  /** The command that lists them. */
  readonly list: string;
  /** Returns undefined for a text that is no id. */
  readonly parse: (text: string) => Id | undefined;
}

/** The numbers of issues, which people also write as `#42`. */
export const issueIds: IdForm<number> = {
  what: 'the number of an issue',
  list: 'backoffice issues list --quiet',
  parse(text) {
    const number = Number(/^#?(\d{1,16})$/.exec(text)?.[1]);
    return Number.isSafeInteger(number) && number >= 1 ? number : undefined;
  },
};

/** Parses an argument that is the number of an issue. */
export function issueNumber(text: string): number {
  const number = issueIds.parse(text);
  if (number !== undefined) return number;
  throw new InvalidArgumentError('Must be the number of an issue, such as 42.');
}

export const conversationIds: IdForm<string> = {
  what: 'the ID of a conversation',
  list: 'backoffice conversations list --quiet',
  parse: (text) => (/^\S+$/.test(text) ? text : undefined),
};

/**
 * Returns the ids in the words of a command, each once. A word `-` stands for those of standard input, one on each line.
 *
 * @throws UsageError for a word or a line that is no id
 */
export async function readIds<Id>(words: readonly string[], form: IdForm<Id>): Promise<readonly Id[]> {
  const ids = new Set<Id>();
  for (const [index, word] of words.entries()) {
    if (word !== '-') ids.add(toId(word, form, ''));
    else if (!words.slice(0, index).includes('-')) for (const id of await idsOfInput(form)) ids.add(id);
  }
  return [...ids];
}

async function idsOfInput<Id>(form: IdForm<Id>): Promise<readonly Id[]> {
  if (process.stdin.isTTY === true)
    throw new UsageError(`No input. Pipe the output of \`${form.list}\` to standard input.`);
  const lines = (await readStandardInput()).split(/\r?\n/).map((line) => line.trim());
  return lines.flatMap((line, index) =>
    line === ''
      ? []
      : [
          toId(
            line,
            form,
            `Line ${index + 1} of standard input: `,
            ` Use \`${form.list}\` to pipe only ids.`,
          ),
        ],
  );
}

function toId<Id>(text: string, { what, parse }: IdForm<Id>, source: string, advice = ''): Id {
  const id = parse(text);
  if (id !== undefined) return id;
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  throw new UsageError(`${source}${JSON.stringify(shown)} is not ${what}.${advice}`);
}
