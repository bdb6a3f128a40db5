import { type Command, Option } from 'commander';
import { isOnTerminal } from '../terminal.ts';
import type { ListOf } from './rows/list-of.ts';

/** How a result is printed: as data in one of the formats, or as text for people. */
export interface Format {
  /** True for the whole document, or the names of fields. */
  readonly json?: true | string;
  /** True for whole rows, or the names of fields. */
  readonly jsonl?: true | string;
  readonly csv?: true;
  /** An expression of jq that the JSON goes through. */
  readonly jq?: string;
  /** The names of the columns of a table or of CSV. */
  readonly columns?: string;
  /** Whether to print only the ids of the rows. */
  readonly quiet?: true;
}

/** The names of these options, and of those that say how a list is shown. */
const formatOptions = ['json', 'jsonl', 'csv', 'jq', 'columns', 'quiet'] as const;
const showOptions = ['watch', 'pager', 'web'] as const;

const fieldsOfCommand = new WeakMap<Command, ListOf['fields']>();

/**
 * Adds the formats of a document to a command: `--json` and `--jq`.
 *
 * @param fields - returns the fields of the document; by default those of the answer of the command's operation
 */
export function withFormats<C extends Command>(command: C, fields?: ListOf['fields']): C {
  if (fields !== undefined) fieldsOfCommand.set(command, fields);
  return addDocumentFormats(command, 'print JSON, as the API returns it');
}

/** Adds the formats of a list to a command. */
export function withListFormats<C extends Command>(command: C, list: ListOf): C {
  fieldsOfCommand.set(command, list.fields);
  addDocumentFormats(command, 'print JSON, as the API returns it');
  command
    .addOption(
      new Option(
        '--jsonl [fields]',
        'print each row as JSON on a line of its own; with names, only those fields',
      ).conflicts(['json', 'csv']),
    )
    .addOption(csvOption('print CSV'))
    .addOption(new Option('--quiet', 'print only the IDs').conflicts(formatOptions.slice(0, -1)));
  return command;
}

/**
 * Adds `--csv` to a command whose document has a table beside other fields.
 *
 * @param rows - says what the rows are
 */
export function withTableAsCsv<C extends Command>(command: C, rows: string): C {
  return command.addOption(csvOption(`print CSV with ${rows}`));
}

const csvOption = (text: string) => new Option('--csv', text).conflicts(['json', 'jq']);

/** Adds the choice of columns to a list that is a table. */
export function withColumns<C extends Command>(command: C): C {
  return command.addOption(
    new Option('--columns <names>', 'the columns of the table or of CSV: id,title').conflicts([
      ...['json', 'jsonl', 'jq'],
    ]),
  );
}

function addDocumentFormats<C extends Command>(command: C, json: string): C {
  return command
    .addOption(new Option('--json [fields]', `${json}; with names, only those fields: --json id,title`))
    .addOption(new Option('--jq <expression>', 'print what this jq expression makes of the JSON'));
}

/** Returns the fields of what a command prints, as far as it says so. */
export async function declaredFields(command: Command): Promise<readonly string[] | undefined> {
  return await fieldsOfCommand.get(command)?.('assignee,labels');
}

/** Splits the options of a list into its format, and the others without those that say how it is shown. */
export function splitFormat<Options extends Format>(
  options: Options,
): { format: Format; others: Omit<Options, keyof Format | 'watch' | 'pager' | 'web'> } {
  const entries = Object.entries(options);
  const isFormat = ([name]: [string, unknown]) => (formatOptions as readonly string[]).includes(name);
  const isShow = ([name]: [string, unknown]) => (showOptions as readonly string[]).includes(name);
  return {
    format: Object.fromEntries(entries.filter(isFormat)),
    others: Object.fromEntries(entries.filter((entry) => !isFormat(entry) && !isShow(entry))) as never,
  };
}

/** Reports whether a result is printed as text for people, in a table or a form of its own. */
export function isForPeople({ json, jsonl, csv, jq, quiet }: Format): boolean {
  return [json, jsonl, csv, jq, quiet].every((each) => each === undefined);
}

/** Returns how many rows a list has by default: so many in a table on a terminal, and in every other form all, which is 0. */
export function defaultRows(format: Format, onTerminal: number): number {
  return isForPeople(format) && isOnTerminal() ? onTerminal : 0;
}
