import { z } from 'zod';
import { invalid } from '../errors.ts';
import { isAtMost, maxTextLength, tooLong } from './bounds.ts';
import { changedMeanwhile } from './expected.ts';
import { shownAs } from './fields.ts';

const keyAndValueRequired = 'key and value are required';
const wrongExpected = 'expected must be the value that you saw, or null if the setting was not set.';
const wrongExpectedBatch =
  'expected must be an object: the values that you saw by key, null for a setting that was not set.';
const keyTooLong = 'A setting key must be at most 1,024 bytes long.';
const tooManyKeys = (field: string) =>
  `${field} must have at most ${maxBatchKeys.toLocaleString('en')} keys.`;
const maxKeyBytes = 1024;

/** The maximum number of keys that one call writes or compares. */
export const maxBatchKeys = 1_000;

/** One setting to write. */
export interface Setting {
  readonly key: string;
  readonly value: string;
}

/** What the caller of a change saw of a setting: its value, or null if it was not set. */
export interface ExpectedSetting {
  readonly key: string;
  readonly value: string | null;
}

/** A change of settings. */
interface SettingsChange {
  readonly settings: readonly Setting[];
  /** Absent if the caller expects nothing. */
  readonly expected?: readonly ExpectedSetting[];
}

/** Converts a value to text: primitives by `String`, objects and arrays as JSON (design, "Input and failure"). */
function settingText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

interface SettingsRequest {
  readonly updates?: unknown;
  readonly key?: unknown;
  readonly value?: unknown;
  readonly expected?: unknown;
}

/**
 * Returns what a request changes, or the text of its error: it may have neither of the two forms of contract 4.7.
 * `expected` has the form of what is written: values by key, or the one value.
 */
function toChange({ updates, key, value, expected }: SettingsRequest): SettingsChange | string {
  if (isRecord(updates)) {
    const settings = Object.entries(updates).map(([name, content]) => ({
      key: name,
      value: settingText(content),
    }));
    if (expected === undefined) return { settings };
    if (!isRecord(expected)) return wrongExpectedBatch;
    const seen = Object.entries(expected);
    if (!seen.every((pair): pair is [string, string | null] => isSeenValue(pair[1])))
      return wrongExpectedBatch;
    return { settings, expected: seen.map(([name, content]) => ({ key: name, value: content })) };
  }
  if (key === undefined || key === null || value === undefined) return keyAndValueRequired;
  const name = settingText(key).replaceAll(/[^A-Za-z0-9_]/g, '');
  if (name === '') return keyAndValueRequired;
  const settings = [{ key: name, value: settingText(value).trim() }];
  if (expected === undefined) return { settings };
  return isSeenValue(expected) ? { settings, expected: [{ key: name, value: expected }] } : wrongExpected;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSeenValue(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

const utf8 = new TextEncoder();

/** What is wrong with a request, and the field at fault. */
interface Problem {
  readonly message: string;
  readonly path?: readonly string[];
}

function problemOf({ settings, expected = [] }: SettingsChange, isBatch: boolean): Problem | undefined {
  if (settings.length > maxBatchKeys) return { message: tooManyKeys('updates'), path: ['updates'] };
  if (expected.length > maxBatchKeys) return { message: tooManyKeys('expected'), path: ['expected'] };
  if (settings.some(({ key }) => utf8.encode(key).length > maxKeyBytes)) return { message: keyTooLong };
  const long = settings.find(({ value }) => !isAtMost(value, maxTextLength));
  if (long === undefined) return undefined;
  const path = isBatch ? ['updates', long.key] : ['value'];
  return { message: tooLong(path.join('.'), maxTextLength), path };
}

const asText = 'A value that is not a string is stored as its text, an object or array as JSON';
const shownBatch = {
  title: 'A batch',
  type: 'object',
  required: ['updates'],
  properties: {
    updates: {
      type: 'object',
      description: `The pairs to write, with keys as they are. ${asText}. This form takes precedence over the other.`,
      maxProperties: maxBatchKeys,
      propertyNames: { maxLength: maxKeyBytes },
      additionalProperties: { maxLength: maxTextLength },
    },
    expected: {
      type: 'object',
      description:
        'The values that you saw, by key; null for a setting that was not set. Keys that are not in `updates` are ' +
        'compared too. If one has another value now, the answer is 409 and nothing is written.',
      maxProperties: maxBatchKeys,
      additionalProperties: { type: ['string', 'null'] },
    },
  },
};
const shownSingle = {
  title: 'One setting',
  type: 'object',
  required: ['key', 'value'],
  properties: {
    key: {
      type: 'string',
      description: 'Every character other than ASCII letters, digits and underscore is removed.',
      pattern: '[A-Za-z0-9_]',
      maxLength: maxKeyBytes,
    },
    value: { maxLength: maxTextLength, description: `${asText}. The text is trimmed.` },
    expected: {
      type: ['string', 'null'],
      description:
        'The value that you saw, null if the setting was not set. If it is another now, the answer is 409 and nothing is ' +
        'written.',
    },
  },
};

/** Contract 4.7: a batch of settings, or one. */
export const settingsChange = z
  .object({
    updates: z.unknown().optional(),
    key: z.unknown().optional(),
    value: z.unknown().optional(),
    expected: z.unknown().optional(),
  })
  .transform((request, context) => {
    const change = toChange(request);
    const problem =
      typeof change === 'string' ? { message: change } : problemOf(change, isRecord(request.updates));
    if (problem !== undefined)
      context.addIssue({ code: 'custom', ...problem, path: [...(problem.path ?? [])] });
    return typeof change === 'string' ? z.NEVER : change;
  })
  .meta(shownAs({ anyOf: [shownBatch, shownSingle] }));

export const settingsChangeErrors = [
  invalid(keyAndValueRequired),
  invalid(keyTooLong),
  invalid(tooManyKeys('updates')),
  invalid(tooLong('updates.site_name', maxTextLength)),
  invalid(wrongExpected),
  invalid(wrongExpectedBatch),
  changedMeanwhile('site_name has another value now'),
  changedMeanwhile('site_name is set now'),
  changedMeanwhile('site_name is no longer set'),
] as const;
