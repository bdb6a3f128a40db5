import type { OperationId } from '../../src/contract/registry.ts';
import type { Access } from '../access/access.ts';
import type { Format, ListOf } from '../output/formats.ts';
import type { WebPage } from '../output/web-page.ts';
import type { BackofficeCommand } from './command.ts';
import { flag, type Given, type Parameter, type Parameters, text } from './parameters.ts';

/** One call of a verb. */
export interface Call<P extends Parameters = Parameters> {
  readonly given: Given<P>;
  readonly format: Format;
  /** Runs operations: on the database, or on a server. It opens when it is first used, and closes after the verb. */
  readonly access: Access;
  /** Does the same by a function. */
  open<T>(use: (access: Access) => Promise<T>): Promise<T>;
  readonly command: BackofficeCommand;
}

/**
 * What a verb prints: a document, one whose rows may be CSV, rows that draw themselves, a table, or records that arrive one
 * after another.
 */
export type Output = 'nothing' | 'document' | { readonly csv: string } | 'rows' | 'table';

/** Paragraphs, and the lines of code between them. */
export type Paragraphs = readonly (string | readonly string[])[];

/** What people read about a verb. */
export interface Manual {
  /** One line. Of a top-level command, `commands.ts` has it, so that the help of the program loads no command. */
  readonly about?: string;
  /** What stands above the examples. */
  readonly notes?: string | Paragraphs;
  readonly examples: readonly string[];
  readonly aliases?: readonly string[];
  /** Help and completion leave it out: an old name, or a verb for scripts of the program. */
  readonly isHidden?: true;
}

/** A verb: what it takes and prints, which `--help`, the reference and completion read, and what it does. */
export interface Verb<P extends Parameters = Parameters> extends Manual {
  readonly params: P;
  readonly operations: readonly OperationId[];
  /** By default a document. */
  readonly output?: Output;
  /** Returns the fields of what it prints. By default, those of the answer of its operation. */
  readonly fields?: ListOf['fields'];
  readonly web?: WebPage;
  run(call: Call<P>): Promise<void>;
}

/** A noun of the command line, with its verbs by their names. A part of it, such as `usage prices`, is a noun within it. */
export interface Noun {
  /** One line. Of a top-level noun, `commands.ts` has it. */
  readonly about?: string;
  readonly example: string;
  readonly verbs: Readonly<Record<string, Verb | Noun>>;
}

/** Declares a noun by an example of it and its verbs. Its line is with those of the others around it. */
export const verbs = (example: string, declared: Noun['verbs']): Noun => ({ example, verbs: declared });

/** A verb as it is written: one that takes nothing, or calls no operation, does not say so. */
type Declared<P extends Parameters> = Omit<Verb<P>, 'params' | 'operations'> &
  Partial<Pick<Verb<P>, 'params' | 'operations'>>;

/** Declares a verb with code of its own. */
export const verb = <P extends Parameters = Parameters>(declared: Declared<P>): Verb<P> => ({
  params: {} as P,
  operations: [],
  ...declared,
});

/** Declares a verb with code of its own that calls operations. */
export const calling = <P extends Parameters = Parameters>(
  operations: OperationId | readonly OperationId[],
  declared: Omit<Declared<P>, 'operations'>,
): Verb<P> => verb<P>({ ...(declared as Declared<P>), operations: [operations].flat() });

export const isNoun = (declared: Verb | Noun): declared is Noun => 'verbs' in declared;

// The options that say how a result is printed.

const json: Parameter = {
  place: 'option',
  about: 'print JSON, as the API returns it; with names, only those fields: --json id,title',
  term: 'fields',
  mayBeBare: true,
};

const document: Parameters = { json, jq: text('filter the JSON with a jq expression', 'expression') };

const csv = (about: string): Parameters => ({ csv: { ...flag(about), excludes: ['json', 'jq'] } });

const rows: Parameters = {
  ...document,
  jsonl: {
    ...json,
    about: 'print each row as JSON on a line of its own; with names, only those fields',
    excludes: ['json', 'csv'],
  },
  ...csv('print CSV'),
  quiet: { ...flag('print only the IDs'), excludes: ['json', 'jsonl', 'csv', 'jq', 'columns'] },
};

const table: Parameters = {
  ...rows,
  columns: {
    ...text('the columns of the table or of CSV: id,title', 'names'),
    excludes: ['json', 'jsonl', 'jq'],
  },
};

const noPager = flag('do not show long tables in a pager');

const web: Parameter = {
  ...flag('open it in the web dashboard'),
  excludes: ['json', 'jsonl', 'csv', 'jq', 'columns', 'quiet'],
};

/** Returns the options that say how the result of a verb is printed. */
export function outputParameters({
  output = 'document',
  web: page,
}: Pick<Verb, 'output' | 'web'>): Parameters {
  if (output === 'nothing') return {};
  const printed =
    typeof output === 'object' ? { ...document, ...csv(output.csv) } : { document, rows, table }[output];
  return { ...printed, ...(isList({ output }) ? { noPager } : {}), ...(page === undefined ? {} : { web }) };
}

/** Reports whether a verb prints rows, which may be many. */
export const isList = ({ output }: Pick<Verb, 'output'>) => output === 'rows' || output === 'table';
