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
