import { flag, type Parameter, type Parameters, text } from './parameters.ts';
import type { Verb } from './verb.ts';

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
