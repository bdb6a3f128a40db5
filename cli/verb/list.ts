import { type Noun, sortsOfNoun } from '../../src/contract/fields/field.ts';
import type {
  AnsweredId,
  InputOf,
  ListId,
  OperationId,
  OutputOf,
  RowsField,
} from '../../src/contract/registry.ts';
import { sortsOf } from '../../src/contract/vocabulary.ts';
import type { Access } from '../access/access.ts';
import type { RowIn, Rows } from '../access/pages.ts';
import { sortWord } from '../input/arguments.ts';
import { type FilterValues, withFilter } from '../input/filter.ts';
import { emitList } from '../output/emit.ts';
import { type Format, type ListOf, listIn } from '../output/formats.ts';
import { showList } from '../output/list.ts';
import type { WebPage } from '../output/web-page.ts';
import { type Column, type ColumnOf, columnsOf, includable } from '../terminal/columns.ts';
import { remark } from '../terminal/terminal.ts';
import { fieldParameters, filter, remarkWordsInUse, timeParameters } from './filter.ts';
import { type Given, givenTo, number, type Parameter, type Parameters, text, words } from './parameters.ts';
import { resolveAssignee } from './people.ts';
import { type Call, calling, type Manual, type Verb } from './verb.ts';

/** What every list says. Its options and columns come from the fields of its noun. */
interface Listed<Row> extends Manual {
  readonly of: Noun;
  /** The field that names a row for other commands, by default `id`. */
  readonly key?: string;
  readonly columns: readonly ColumnOf<Row>[];
  /** What `--search` does, if the operation takes it. */
  readonly search?: string;
  readonly web?: WebPage;
}

/** Declares a verb that prints a list which its operation answers whole. */
export function list<const Id extends AnsweredId, const Name extends keyof OutputOf<Id> & string>(
  operation: Id,
  rows: Name,
  declared: Listed<RowIn<OutputOf<Id>, Name> & object>,
): Verb {
  const { of, key, search } = declared;
  return table(operation, {
    ...declared,
    params: search === undefined ? {} : { search: text(search, 'words') },
    rows: listIn(operation, rows, key),
    columns: columnsOf(of, declared.columns),
    async read({ given: { search: q }, access }) {
      const document = (await access.call(operation, { q } as InputOf<Id>)) as object;
      return { document, none: q === undefined ? `No ${of.many}.` : `No ${of.many} match.` };
    },
  });
}

/** A table that a verb reads in its own way. */
interface Table<Row, P extends Parameters> extends Manual, Partial<Pick<Verb<P>, 'params' | 'web'>> {
  readonly rows: ListOf;
  readonly columns: readonly Column<Row>[];
  /** Returns a document with the rows, what is said if there are none, and what is said below them. */
  read(
    call: Call<P>,
  ): Promise<{ readonly document: object; readonly none: string; readonly below?: string | undefined }>;
}

/** Declares a verb that prints a table which it reads in its own way. */
export const table = <Row extends object, const P extends Parameters = Parameters>(
  operations: OperationId | readonly OperationId[],
  { rows, columns, read, ...declared }: Table<Row, P>,
): Verb<P> =>
  calling<P>(operations, {
    ...declared,
    output: 'table',
    fields: rows.fields,
    async run(call) {
      const { document, none, below } = await read(call);
      const after = () => {
        if (below !== undefined) remark(below);
      };
      await emitList(document, call.format, rows, columns, { none, after });
    },
  });

/** A list that is read page by page. */
interface Paged<Id extends ListId, P extends Parameters> extends Listed<Rows[Id]> {
  readonly params?: P;
  /** Returns what its own parameters add to the input. */
  input?(given: Given<P>, access: Access): Promise<Readonly<Record<string, string | undefined>>>;
  /** Returns a function that makes rows into those that people see. */
  shown?(access: Access): (rows: readonly Rows[Id][]) => Promise<readonly Rows[Id][]>;
}

/** Declares a verb that prints a list which its operation answers page by page. */
export function pages<const Id extends ListId, const P extends Parameters>(
  operation: Id,
  rows: RowsField<Id>,
  declared: Paged<Id, P>,
): Verb {
  const { of, key, search, input, shown, params } = declared;
  const place = { ...listIn(operation, rows, key), operation };
  return {
    ...declared,
    // Parameters of its own come first, and take the place of those of the fields.
    params: {
      ...params,
      ...selecting(of, search),
      ...params,
      limit: number('maximum number; 0 for all', 0),
    },
    operations: [operation],
    output: 'table',
    fields: place.fields,
    async run({ given, format, access }) {
      const { filter: parts, include, limit, ...options } = selectedBy(given, params);
      const added = addedFields(of, format, include);
      const columns = columnsOf(of, [...declared.columns, ...added]);
      const { search: q, ...filters } = {
        ...(await resolveAssignee(access, withFilter(options, parts))),
        ...(await input?.(givenTo(params, given), access)),
      };
      const parameters = { ...filters, q, include: added.join() || undefined };
      const count = await showList(access, place, {
        format,
        parameters,
        limit,
        columns,
        rowName: of.many,
        toShown: shown?.(access),
      });
      if (count === 0) await remarkWordsInUse(access, of, filters);
    },
  };
}

/** What the user has given to a list, beside its own parameters. */
interface Selected extends Readonly<Record<string, unknown>> {
  readonly filter?: FilterValues;
  readonly assignee?: string;
  readonly include?: string;
  readonly sort?: string;
  readonly limit?: number;
}

const selectedBy = (given: object, own: Parameters = {}): Selected =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !Object.hasOwn(own, name)));

/** Returns the options that select, order and complete the rows of a list. */
function selecting(noun: Noun, search: string | undefined): Parameters {
  const filters = fieldParameters(noun);
  const isFiltered = Object.keys(filters).length > 0 && noun.filterExample !== undefined;
  const onDemand = includable(noun);
  return {
    ...filters,
    ...(isFiltered ? { filter: filter(noun, 'only those that match') } : {}),
    ...(onDemand.length > 0
      ? { include: { ...words('also show this field', onDemand), term: 'field' } }
      : {}),
    ...(search === undefined ? {} : { search: text(search, 'words') }),
    ...timeParameters(noun),
    ...(Object.keys(sortsOfNoun(noun)).length > 0 ? { sort: sortOf(noun) } : {}),
  };
}

/** Takes the order of a list. */
export function sortOf(noun: Noun): Parameter<string | undefined> {
  const choices = sortsOf(sortsOfNoun(noun));
  const about = 'order by this field; prefix - or append :desc to sort in descending order';
  return { place: 'option', about, term: 'field', choices, parse: sortWord(choices) };
}

/** Returns the fields that rows have only on demand: those that the user included, or named among the fields to print. */
function addedFields(
  noun: Noun,
  { json, jsonl, columns }: Format,
  include: string | undefined,
): readonly string[] {
  const asked = [include, json, jsonl, columns].flatMap((each) =>
    typeof each === 'string' ? each.split(',') : [],
  );
  return includable(noun).filter((name) => asked.includes(name));
}
