import { z } from 'zod';
import { isRecord } from '../../../shared/is-record.ts';
import { groupDigits } from '../../../shared/text.ts';
import { type DocumentedError, invalid } from '../../errors.ts';
import { knownSetting, knownSettings, settingProblem } from '../../known-settings/known-settings.ts';
import { rolesToChange } from '../../known-settings/setting-rights.ts';
import { timeZoneKey } from '../../known-settings/token-settings.ts';
import { insufficientPermissions } from '../../operation.ts';
import { refusals } from '../../refusals.ts';
import type { Role } from '../../vocabulary.ts';
import { isAtMost, maxTextLength, tooLong } from '../bounds.ts';
import { shownAs } from '../fields.ts';
import { changedMeanwhile } from './expected.ts';
import { maxBatchKeys, maxKeyBytes, shownForms } from './settings-forms.ts';

export const onlySuperadmin: DocumentedError = {
  code: 'forbidden',
  text: 'Only a superadmin can change this setting.',
};
const keyAndValueRequired = 'key and value are required';
const wrongExpected = 'expected must be the value that you saw, or null if the setting was not set.';
const wrongExpectedBatch =
  'expected must be an object: the values that you saw by key, null for a setting that was not set.';
const wrongSecret = 'secret must be true or false.';
const wrongSecretBatch = 'secret must be an array of keys.';
const wrongRemove = 'remove must be an array of keys.';
const neverSecret = (key: string) => `${key} cannot be secret, because the service itself reads it.`;
/** Returns the error of a comparison with a secret. It is the same whatever the value is. */
export const notComparable = (key: string) =>
  invalid(
    `${key} is secret, so expected cannot compare its value. Leave it out, or expect null if it must not be set.`,
  );
const keyTooLong = 'A setting key must be at most 1,024 bytes long.';
const tooManyKeys = (field: string) => `${field} must have at most ${groupDigits(maxBatchKeys)} keys.`;

export interface Setting {
  readonly key: string;
  readonly value: string;
  /** Whether its value is stored encrypted. Undefined leaves that as it is. */
  readonly secret?: boolean;
}

/** What the caller of a change saw of a setting: its value, or null if it was not set. */
export interface ExpectedSetting {
  readonly key: string;
  readonly value: string | null;
}

export interface SettingsChange {
  readonly settings: readonly Setting[];
  /** The keys of other settings to store encrypted, with the values that they have. */
  readonly encrypt: readonly string[];
  readonly remove: readonly string[];
  /** The time zone that is written, if values are checked: only the database knows whether it has the zone. */
  readonly timeZone?: { readonly name: string; readonly param: string };
  /** Absent if the caller expects nothing. */
  readonly expected?: readonly ExpectedSetting[];
}

/** Converts a value to text: primitives by `String`, objects and arrays as JSON (design, "Input and failure"). */
function settingText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** Returns the key under which the form of one setting stores it (contract 4.7). */
function storedKey(key: unknown): string {
  return settingText(key).replaceAll(/[^A-Za-z0-9_]/g, '');
}

/** Returns the error of a role that may not write a setting. The request is not validated yet: what is invalid names no key. */
export function refuseToChange(
  role: Role,
  { updates, key, secret, remove }: SettingsRequest,
  strict: boolean,
): DocumentedError | undefined {
  const keysOf = (keys: unknown) => (isKeys(keys) ? keys : []);
  if (isRecord(updates)) {
    return refusalOfKeys(role, [...Object.keys(updates), ...keysOf(secret), ...keysOf(remove)], strict);
  }
  try {
    return refusalOfKeys(role, [storedKey(key)], strict);
  } catch {
    // It is nested so deep that it has no text. The request is invalid.
    return undefined;
  }
}

export function refusalOfKeys(
  role: Role,
  keys: readonly string[],
  strict: boolean,
): DocumentedError | undefined {
  const refused = keys.map((key) => rolesToChange(key, strict)).filter((allowed) => !allowed.includes(role));
  if (refused.length === 0) return undefined;
  return refused.some((allowed) => !allowed.includes('admin')) ? onlySuperadmin : insufficientPermissions;
}

type SettingsRequest = Readonly<
  Partial<Record<'updates' | 'key' | 'value' | 'expected' | 'secret' | 'remove', unknown>>
>;

/** Returns what a request changes, or the text of its error: it may have neither form of contract 4.7. */
function toChange(request: SettingsRequest): SettingsChange | string {
  return isRecord(request.updates) ? toBatch(request.updates, request) : toSingle(request);
}

function toBatch(
  updates: Fields,
  { expected, secret = [], remove = [] }: SettingsRequest,
): SettingsChange | string {
  if (!isKeys(secret)) return wrongSecretBatch;
  if (!isKeys(remove)) return wrongRemove;
  for (const [name, keys] of Object.entries({ secret, remove })) {
    const long = keys.findIndex((key) => !isAtMost(key, maxKeyBytes));
    if (long >= 0) return tooLong(`${name}[${long}]`, maxKeyBytes);
  }
  const secrets = new Set(secret);
  const encrypt = [...secrets].filter((key) => !Object.hasOwn(updates, key));
  const settings = Object.entries(updates).map(([key, content]) => ({
    key,
    value: settingText(content),
    ...(secrets.has(key) ? { secret: true } : {}),
  }));
  const change = {
    settings,
    encrypt,
    remove: [...new Set(remove)].filter((key) => !Object.hasOwn(updates, key)),
  };
  if (expected === undefined) return change;
  if (!isRecord(expected)) return wrongExpectedBatch;
  const seen = Object.entries(expected);
  if (!seen.every((pair): pair is [string, string | null] => isSeenValue(pair[1]))) return wrongExpectedBatch;
  return { ...change, expected: seen.map(([key, value]) => ({ key, value })) };
}

function toSingle({ key, value, expected, secret }: SettingsRequest): SettingsChange | string {
  if (key === undefined || key === null || value === undefined) return keyAndValueRequired;
  const name = storedKey(key);
  if (name === '') return keyAndValueRequired;
  if (secret !== undefined && typeof secret !== 'boolean') return wrongSecret;
  const single = { key: name, value: settingText(value).trim(), ...(secret === undefined ? {} : { secret }) };
  const change = { settings: [single], encrypt: [], remove: [] };
  if (expected === undefined) return change;
  return isSeenValue(expected) ? { ...change, expected: [{ key: name, value: expected }] } : wrongExpected;
}

type Fields = Readonly<Record<string, unknown>>;

function isSeenValue(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function isKeys(keys: unknown): keys is readonly string[] {
  return Array.isArray(keys) && keys.every((key) => typeof key === 'string');
}

const utf8 = new TextEncoder();

interface Problem {
  readonly message: string;
  readonly path?: readonly string[];
}

function problemOf(
  { settings, encrypt, remove, expected = [] }: SettingsChange,
  { isBatch, isChecked }: { readonly isBatch: boolean; readonly isChecked: boolean },
): Problem | undefined {
  const lists = Object.entries({ updates: settings, expected, secret: encrypt, remove });
  const [tooLarge] = lists.find(([, keys]) => keys.length > maxBatchKeys) ?? [];
  if (tooLarge !== undefined) return { message: tooManyKeys(tooLarge), path: [tooLarge] };
  if (settings.some(({ key }) => utf8.encode(key).length > maxKeyBytes)) return { message: keyTooLong };
  const secrets = [...encrypt, ...settings.filter(({ secret }) => secret).map(({ key }) => key)];
  const known = secrets.find((key) => knownSetting(key) !== undefined);
  if (known !== undefined) return { message: neverSecret(known), path: ['secret'] };
  const pathOf = (key: string) => pathTo(key, isBatch);
  const long = settings.find(({ value }) => !isAtMost(value, maxTextLength));
  if (long !== undefined) {
    const path = pathOf(long.key);
    return { message: tooLong(path.join('.'), maxTextLength), path };
  }
  if (!isChecked) return undefined;
  return settings
    .map(({ key, value }) => ({ message: settingProblem(key, value) ?? '', path: pathOf(key) }))
    .find(({ message }) => message !== '');
}

const pathTo = (key: string, isBatch: boolean) => (isBatch ? ['updates', key] : ['value']);

const errors = [
  invalid(keyAndValueRequired),
  invalid(keyTooLong),
  invalid(tooManyKeys('updates')),
  invalid(tooManyKeys('secret')),
  invalid(tooLong('updates.site_name', maxTextLength)),
  invalid(wrongExpected),
  invalid(wrongExpectedBatch),
  invalid(wrongSecret),
  invalid(wrongSecretBatch),
  invalid(neverSecret('timezone')),
  notComparable('smtp_password'),
  invalid(tooManyKeys('remove')),
  invalid(wrongRemove),
  ...knownSettings
    // No setting that has rules may have this value.
    .map(({ key }) => settingProblem(key, '"\n"'))
    .filter((text) => text !== undefined)
    .map(invalid),
  changedMeanwhile('site_name has another value now'),
  changedMeanwhile('site_name is set now'),
  changedMeanwhile('site_name is no longer set'),
];

/** Contract 4.7: a batch of settings, or one. */
export const settingsChange = z
  .object({
    updates: z.unknown().optional(),
    key: z.unknown().optional(),
    value: z.unknown().optional(),
    expected: z.unknown().optional(),
    secret: z.unknown().optional(),
    remove: z.unknown().optional(),
    check: z.boolean({ error: 'check must be true or false.' }).optional(),
  })
  .transform(({ check: isChecked = false, ...request }, context) => {
    const change = toChange(request);
    const isBatch = isRecord(request.updates);
    const problem =
      typeof change === 'string' ? { message: change } : problemOf(change, { isBatch, isChecked });
    if (problem !== undefined)
      context.addIssue({ code: 'custom', ...problem, path: [...(problem.path ?? [])] });
    if (typeof change === 'string') return z.NEVER;
    const zone = isChecked ? change.settings.find(({ key }) => key === timeZoneKey) : undefined;
    if (zone === undefined) return change;
    return { ...change, timeZone: { name: zone.value, param: pathTo(timeZoneKey, isBatch).join('.') } };
  })
  .meta(shownAs(shownForms))
  .register(refusals, { errors });
