import { queryOptions, useQuery } from '@tanstack/react-query';
import { isOn, knownSettings } from '../../../src/contract/known-settings/known-settings.ts';
import {
  readSecondFactorPolicy,
  secondFactorKey,
} from '../../../src/contract/known-settings/second-factor.ts';
import { roles } from '../../../src/contract/vocabulary.ts';
import type { SettingSearch, ShownGroup } from '../app/addresses/searches.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { receivers, reloadSoon } from '../app/data/reload.ts';
import { offerUndo, tell } from '../parts/tell.tsx';
import { counted } from '../parts/words.ts';
import { rowsInWords, rowsKindOf } from './model-rows.ts';

/** All settings, with the values of those that are not secret, and when they were written. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) => {
    // A section that does not exist leaves out the analytics.
    const input = { section: 'none', include: 'details' };
    const { settings, details = {} } = await client.call('settings.show', input, signal);
    return { settings, details };
  },
});

// Events have no values, which may be secrets.
receivers.add(({ type }) => {
  if (type.startsWith('setting')) reloadSoon(settingsQuery.queryKey);
});

type Loaded = Awaited<ReturnType<NonNullable<typeof settingsQuery.queryFn>>>;

/** A setting as the page shows it: one that is set, or one that the service reads. */
export type SettingRow = ReturnType<typeof rowsOf>[number];

/** Returns the settings that the service reads, by group, and then all others by key. */
export function rowsOf({ settings, details }: Loaded) {
  const values = new Map(Object.entries(settings));
  const known = new Map(knownSettings.map((setting) => [setting.key, setting]));
  const others = [...new Set([...values.keys(), ...Object.keys(details)])]
    .filter((key) => !known.has(key))
    .sort();
  return [...known.keys(), ...others].map((key) => {
    const more = Object.hasOwn(details, key) ? details[key] : undefined;
    const value = values.get(key);
    return {
      key,
      /** Null if it is not set, or secret. */
      value: value ?? null,
      known: known.get(key),
      isSecret: more?.is_secret ?? false,
      updatedAt: more?.updated_at,
      /** Who wrote it last, if the service knows. */
      updatedBy: more?.updated_by,
      /** What is wrong with the value. */
      problem: value === undefined ? undefined : known.get(key)?.problemOf(value),
    };
  });
}

/** Returns the settings as the page shows them. */
export const useSettings = () => useQuery({ ...settingsQuery, select: rowsOf });

/** Returns the group that a setting is shown in. */
export const groupOf = ({ known }: SettingRow): ShownGroup => known?.group ?? 'Other';

/** Reports whether a setting is stored. */
export const isSet = ({ value, isSecret }: SettingRow): boolean => value !== null || isSecret;

/** Reports whether the filters of the page find a setting. */
export function isFound(row: SettingRow, { q = '', group }: SettingSearch): boolean {
  if (group !== undefined && groupOf(row) !== group) return false;
  const { key, known, value } = row;
  const text = [key, known?.title, known?.description, value].join('\n').toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Reports whether a value is edited as JSON: an object or an array. */
export function isJson({ known, value }: Pick<SettingRow, 'known' | 'value'>): boolean {
  if (known !== undefined) return known.kind === 'json';
  return value !== null && /^\s*[[{]/.test(value) && parsed(value) !== undefined;
}

/** Returns the value of a text that is JSON; otherwise undefined. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a valid value in words, as the page shows it, and a form what a colleague has made of it. */
export function inWords({ key, known }: Pick<SettingRow, 'key' | 'known'>, value: string): string {
  if (value === '') return known === undefined ? 'Empty' : 'Empty. The default applies.';
  const rows = rowsKindOf(key);
  if (rows !== undefined) return rowsInWords(rows, value) || 'None';
  switch (known?.kind) {
    case 'days':
      return counted(Number(value), 'day');
    case 'switch':
      return isOn(known, value) ? 'On' : 'Off';
    case 'picture':
      return 'A picture';
    case 'second-factor': {
      const { value: policy } = readSecondFactorPolicy({ [secondFactorKey]: value });
      return parsed(value) ? roles.map((role) => `${role}: ${policy[role]}`).join(', ') : value;
    }
    default:
      return value;
  }
}

/** A setting before and after a change; null if it is not set. */
interface SettingChange {
  readonly key: string;
  /** Undefined if it is secret, so that it is neither compared nor put back. */
  readonly before: string | null | undefined;
  readonly after: string | null;
  /** Whether what is written is to be secret. */
  readonly isSecret?: boolean | undefined;
}

/**
 * Writes a setting, if it is what the person saw, and offers to undo it. That compares the value too, so a change of a
 * secret cannot be undone.
 *
 * @param text - what is told afterwards
 * @throws ResponseError if the service refuses it
 */
export async function changeSetting(change: SettingChange, text: string): Promise<void> {
  const { key, before, after, isSecret } = change;
  await write(change);
  if (isSecret || before === undefined) tell(text);
  // What was stored before is put back, also if it was not valid.
  else offerUndo(text, () => write({ key, before: after, after: before }, false));
}

async function write({ key, before, after, isSecret }: SettingChange, check = true): Promise<void> {
  try {
    await client.call('settings.update', {
      updates: after === null ? {} : { [key]: after },
      remove: after === null ? [key] : [],
      expected: before === undefined ? {} : { [key]: before },
      ...(isSecret && { secret: [key] }),
      check,
    });
  } finally {
    // Awaited, so that the page shows the new value when the form closes, and both values after a conflict.
    await queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey });
  }
}
