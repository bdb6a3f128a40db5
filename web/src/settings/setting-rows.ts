import { type KnownSetting, knownSettings } from '../../../src/contract/known-settings/known-settings.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import type { SettingSearch, SettingState, shownGroups } from './setting-search.ts';

/** A setting as the page shows it: one that is set, or one that the service reads. */
export interface SettingRow {
  readonly key: string;
  /** Null if it is not set, or secret. */
  readonly value: string | null;
  readonly known: KnownSetting | undefined;
  readonly isSecret: boolean;
  readonly updatedAt: string | undefined;
  /** Who wrote it last, if the service knows. */
  readonly updatedBy: string | null;
  /** What is wrong with the value. */
  readonly problem: string | undefined;
}

interface Loaded {
  readonly settings: Readonly<Record<string, string>>;
  readonly details: NonNullable<OutputOf<'settings.show'>['details']>;
}

/** Returns the settings that the service reads, by group, and then all others by key. */
export function rowsOf({ settings, details }: Loaded): readonly SettingRow[] {
  const values = new Map(Object.entries(settings));
  const known = new Map(knownSettings.map((setting) => [setting.key, setting]));
  const others = [...new Set([...values.keys(), ...Object.keys(details)])]
    .filter((key) => !known.has(key))
    .sort();
  return [...known.keys(), ...others].map((key) => {
    const value = values.get(key) ?? null;
    const more = Object.hasOwn(details, key) ? details[key] : undefined;
    return {
      key,
      value,
      known: known.get(key),
      isSecret: more?.is_secret ?? false,
      updatedAt: more?.updated_at,
      updatedBy: more?.updated_by ?? null,
      problem: value === null ? undefined : known.get(key)?.problemOf(value),
    };
  });
}

/** Returns the group that a setting is shown in. */
export function groupOf({ known }: SettingRow): (typeof shownGroups)[number] {
  return known?.group ?? 'Other';
}

/** Returns what a person calls a setting. */
export function titleOf({ key, known }: Pick<SettingRow, 'key' | 'known'>): string {
  return known?.title ?? key;
}

/** Reports whether the filters of the page find a setting. */
export function isFound(row: SettingRow, { q, group, state }: SettingSearch): boolean {
  if (group !== undefined && groupOf(row) !== group) return false;
  if (state !== undefined && !isIn(row, state)) return false;
  if (q === undefined) return true;
  const { key, known, value } = row;
  const texts = [key, known?.title, known?.description, value];
  const text = texts.join('\n').toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function isIn(row: SettingRow, state: SettingState): boolean {
  switch (state) {
    case 'set':
      return isSet(row);
    case 'default':
      return !isSet(row);
    case 'invalid':
      return row.problem !== undefined;
    case 'json':
      return isJson(row);
    case 'secret':
      return row.isSecret;
  }
}

/** Reports whether a setting is stored. */
export function isSet({ value, isSecret }: SettingRow): boolean {
  return value !== null || isSecret;
}

/** Reports whether a value is edited as JSON: an object or an array. */
export function isJson({ known, value }: Pick<SettingRow, 'known' | 'value'>): boolean {
  if (known !== undefined) return known.kind === 'json';
  if (value === null || !/^\s*[[{]/.test(value)) return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
