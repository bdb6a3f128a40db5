import { isDeepStrictEqual } from 'node:util';
import { changedMeanwhile, noLonger } from '../../contract/schemas/changes/expected.ts';
import { type ExpectedSetting, notComparable } from '../../contract/schemas/changes/settings-change.ts';
import type { Database } from '../../db/connection/database.ts';
import { lockSettingRows } from '../../db/tables/settings.ts';
import { cutText, printable } from '../../shared/text.ts';
import { refuse } from './refuse.ts';

/** Characters of a value, or of a setting's key, that the error shows. */
const maxShownLength = 60;

/** Fields that the error names. A batch of settings may have a thousand. */
const maxNamedFields = 5;

/** The fields of a row by name. An undefined field was not seen, so it is not checked. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * Rejects the call if the row is no longer what its caller saw. Must run under the row's lock: then one of
 * two changes with the same `expected` is rejected.
 */
export function checkExpected(noun: string, expected: Fields | undefined, current: Fields | null): void {
  if (expected === undefined) return;
  if (current === null) refuse(changedMeanwhile(noLonger(noun)));
  const changed = Object.entries(expected)
    .filter(([field, seen]) => seen !== undefined && !isDeepStrictEqual(seen, current[field]))
    .map(([field]) => field);
  const clauses = changed.map((field) => `${field} ${describeValue(current[field])}`);
  refuseChanged(clauses, `expected.${changed[0]}`);
}

/** Rejects the call if anything has changed, and names what: each a clause such as `status is now Resolved`. */
function refuseChanged(clauses: readonly string[], param = 'expected'): void {
  if (clauses.length === 0) return;
  const named = clauses.slice(0, maxNamedFields);
  const others = clauses.length - named.length;
  const error = changedMeanwhile([...named, ...(others > 0 ? [`and ${others} more`] : [])].join('; '));
  refuse({ ...error, param });
}

/** Returns a text as one line for an error, cut to 60 characters. */
export function shorten(text: string): string {
  // Cut first: a value may be long.
  return printable(cutText(text, maxShownLength));
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'is no longer set';
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return text === '' ? 'is now empty' : `is now ${shorten(text)}`;
}

// The errors never have a value: the setting may become secret.

/**
 * Rejects the call if a setting no longer has the value that its caller saw, and locks the settings. Never
 * compares a secret: each answer would tell whether a guess was right.
 */
export async function checkExpectedSettings(
  tx: Database,
  expected: readonly ExpectedSetting[],
): Promise<void> {
  const keys = expected.map(({ key }) => key);
  const current = new Map((await lockSettingRows(tx, keys)).map((setting) => [setting.key, setting]));
  const secret = expected.find(({ key, value }) => value !== null && current.get(key)?.is_secret);
  if (secret !== undefined) refuse(notComparable(shorten(secret.key)));
  const changed = expected.filter(({ key, value }) => (current.get(key)?.value ?? null) !== value);
  refuseChanged(
    changed.map(({ key, value }) => {
      if (value === null) return isSetNow(key);
      return `${shorten(key)} ${current.has(key) ? 'has another value now' : 'is no longer set'}`;
    }),
  );
}

/** Refuses to overwrite a setting that was expected not to be set. SQL may insert one without the lock. */
export function checkExpectedNew(
  expected: readonly ExpectedSetting[],
  written: readonly { readonly key: string; readonly is_new: boolean }[],
): void {
  const existing = new Set(written.filter(({ is_new }) => !is_new).map(({ key }) => key));
  const overwritten = expected.filter(({ key, value }) => value === null && existing.has(key));
  refuseChanged(overwritten.map(({ key }) => isSetNow(key)));
}

function isSetNow(key: string): string {
  return `${shorten(key)} is set now`;
}
