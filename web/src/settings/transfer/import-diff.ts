import { settingProblem } from '../../../../src/contract/known-settings/known-settings.ts';
import { jsonProblem } from '../../parts/files/json-text.ts';
import type { SettingChange } from '../change-settings.ts';
import type { SettingRow } from '../setting-rows.ts';

const maxKeyBytes = 1_024;
const maxValueLength = 100_000;

/** How a setting of an import differs from the stored one. */
export type ImportEntry = SettingChange & {
  readonly state: 'new' | 'changed' | 'unchanged' | 'invalid';
  /** Why it cannot be imported. */
  readonly reason?: string;
};

/**
 * Compares the JSON of an import with the settings. Returns a sentence if the text cannot be read.
 *
 * @param refusalOf - returns why the person may not change a setting
 */
export function compareImport(
  text: string,
  rows: readonly SettingRow[],
  refusalOf: (key: string) => string | undefined,
): readonly ImportEntry[] | string {
  const problem = jsonProblem(text);
  if (problem !== undefined)
    return `This is not valid JSON. Line ${problem.line}, column ${problem.column}: ${problem.message}.`;
  const values: unknown = JSON.parse(text);
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    return 'This is not a JSON object with keys and values. Export the settings to see an example.';
  const stored = new Map(rows.map((row) => [row.key, row]));
  return Object.entries(values)
    .map(([key, value]) => entryOf(key, value, stored.get(key), refusalOf))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
}

function entryOf(
  key: string,
  value: unknown,
  row: SettingRow | undefined,
  refusalOf: (key: string) => string | undefined,
): ImportEntry {
  const isSecret = row?.isSecret ?? false;
  const before = isSecret ? undefined : (row?.value ?? null);
  const reason = reasonOf(key, value) ?? (before === value ? undefined : refusalOf(key));
  if (reason !== undefined) {
    const after = typeof value === 'string' ? value : JSON.stringify(value);
    return { key, before, after, isSecret, state: 'invalid', reason };
  }
  const after = value as string;
  const state = before === null ? 'new' : before === after ? 'unchanged' : 'changed';
  return { key, before, after, isSecret, state };
}

function reasonOf(key: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'The value is not a text. Put it in double quotes.';
  if (new TextEncoder().encode(key).length > maxKeyBytes) return 'The key is longer than 1,024 bytes.';
  if ([...value].length > maxValueLength) return 'The value is longer than 100,000 characters.';
  if (`${key}${value}`.includes('\0')) return 'It has a NUL character.';
  return settingProblem(key, value);
}
