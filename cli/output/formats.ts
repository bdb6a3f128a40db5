import type { OperationId } from '../../src/contract/registry.ts';
import { UsageError } from '../errors.ts';
import { isOnTerminal } from '../terminal/terminal.ts';

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

/** Reports whether a result is printed as text for people, in a table or a form of its own. */
export function isForPeople({ json, jsonl, csv, jq, quiet }: Format): boolean {
  return [json, jsonl, csv, jq, quiet].every((each) => each === undefined);
}

/** Returns how many rows a list has by default: so many in a table on a terminal, and in every other form all, which is 0. */
export function defaultRows(format: Format, onTerminal: number): number {
  return isForPeople(format) && isOnTerminal() ? onTerminal : 0;
}

/** The list of a document that fields, columns and lines come from. */
export interface ListOf {
  /** The field of the document that holds the rows. */
  readonly name: string;
  /**
   * Returns the fields of its rows, which an empty list does not show.
   *
   * @param include - the fields that the caller has added to each row: `assignee,labels`
   */
  readonly fields: (include?: string) => readonly string[] | Promise<readonly string[]>;
  /** The field that commands take to name a row. */
  readonly id: string;
}

/**
 * Describes a list in the answer of an operation.
 *
 * @param id - the field that commands take to name a row
 */
export function listIn(operation: OperationId, name: string, id = 'id'): ListOf {
  return {
    name,
    id,
    async fields(include) {
      // Imported on demand, because it would slow down `--help`.
      const { rowFieldsOf } = await import('../../src/contract/field-names.ts');
      return rowFieldsOf(operation, name, include);
    },
  };
}

/** Returns the rows of a list in its document. */
export function rowsOf(document: object, { name }: ListOf): readonly object[] {
  return (document as Record<string, readonly object[]>)[name] ?? [];
}

/**
 * Returns the names of fields that an option asks for.
 *
 * @throws UsageError for one that the rows of the list do not have
 */
export async function knownFields(asked: string, { fields }: ListOf): Promise<readonly string[]> {
  const names = asked.split(',');
  checkFields(names, await fields());
  return names;
}

/** @throws UsageError for a name that is not available */
export function checkFields(
  names: readonly string[],
  available: readonly string[],
  what: 'field' | 'column' = 'field',
): void {
  const unknown = names.find((name) => !available.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`Unknown ${what}: ${unknown}. Available: ${available.join(', ')}.`);
}

/** Picks fields of an object, as far as it has them. */
export function pickFields(row: object, names: readonly string[]): object {
  const values = row as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(row, name)).map((name) => [name, values[name]]),
  );
}

/** Returns a field of an object as text: empty if it is absent or null, JSON if it is an object. */
export function fieldText(row: object, name: string): string {
  return valueText((row as Readonly<Record<string, unknown>>)[name]);
}

/** Returns a value of JSON as text. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
