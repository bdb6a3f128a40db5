import { isRecord } from '../is-record.ts';

/** Returns the JSON text of a value with the keys of its objects in one order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (isRecord(item) ? inOrder(item) : item));
}

function inOrder(object: object): object {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
