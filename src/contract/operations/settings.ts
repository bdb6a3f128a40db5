import { z } from 'zod';
import { anySession } from '../access-rules.ts';
import { type DocumentedError, invalid } from '../errors.ts';
import { defineOperation } from '../operation.ts';
import { adminSchema } from '../schemas/admins.ts';
import {
  scrapingErrorSchema,
  scrapingSchema,
  tokenAlertSchema,
  tokenDaySchema,
  tokenUsageSchema,
} from '../schemas/analytics.ts';
import { shownAs, success, timestamp } from '../schemas/fields.ts';

const keyRequired = 'key is required';
const keyAndValueRequired = 'key and value are required';
const keyTooLong = 'A setting key must be at most 1,024 bytes long.';
const maxKeyBytes = 1024;

/** The maximum size of all keys and values together, because reading the settings returns all of them. */
export const maxSettingsBytes = 16 * 1024 * 1024;

/** The settings that decide how long events and audit records are kept. */
export const retentionKeys: readonly string[] = ['audit_retention_days', 'events_retention_days'];

export const settingErrors = {
  /** Strict mode only. */
  strictRetention: {
    code: 'forbidden',
    text: 'Only superadmin can change how long events and audit records are kept.',
  },
  tooMuch: {
    code: 'conflict',
    text: 'The settings would exceed 16 MiB in total. Remove some first.',
  },
} as const satisfies Record<string, DocumentedError>;

/** Settings by key. */
export type Settings = Readonly<Record<string, string>>;

/** One setting to write. */
export interface Setting {
  readonly key: string;
  readonly value: string;
}

/** Converts a value to text: primitives by `String`, objects and arrays as JSON (design, "Input and failure"). */
function settingText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** Returns the pairs that a request writes, or undefined if it has neither of the two forms of contract 4.7. */
function toSettings(request: { updates?: unknown; key?: unknown; value?: unknown }): Setting[] | undefined {
  const { updates, key, value } = request;
  if (typeof updates === 'object' && updates !== null && !Array.isArray(updates)) {
    return Object.entries(updates).map(([name, content]) => ({ key: name, value: settingText(content) }));
  }
  if (key === undefined || key === null || value === undefined) return undefined;
  const name = settingText(key).replaceAll(/[^A-Za-z0-9_]/g, '');
  return name === '' ? undefined : [{ key: name, value: settingText(value).trim() }];
}

const utf8 = new TextEncoder();

/** Contract 4.6. */
const showSettings = defineOperation({
  id: 'settings.show',
  summary: 'Read the settings, your own profile and the analytics',
  method: 'GET',
  path: '/api/admin/settings',
  allow: anySession,
  input: z.object({
    section: z
      .string()
      .optional()
      .meta({
        description:
          '`token-usage` or `scraping` returns only that part of the analytics. Without it, all are returned. Any other ' +
          'value returns none.',
      }),
  }),
  output: z.strictObject({
    settings: z.record(z.string(), z.string()),
    profile: adminSchema
      .pick({ id: true, email: true, username: true, role: true })
      .extend({ createdAt: timestamp })
      .nullable(),
    tokenUsage: tokenUsageSchema.optional(),
    tokenAlerts: z.array(tokenAlertSchema).optional(),
    tokenDailyBreakdown: z.array(tokenDaySchema).optional(),
    scraping: scrapingSchema.optional(),
    scrapingErrors: z.array(scrapingErrorSchema).max(20).optional(),
  }),
  example: {
    input: { section: 'profile' },
    output: {
      settings: { site_name: 'Example' },
      profile: {
        id: 'admin_1769851800000_k3x9a2',
        email: 'grace@example.com',
        username: 'grace',
        role: 'superadmin',
        createdAt: '2026-01-31T09:30:00.000Z',
      },
    },
  },
});

const asText = 'A value that is not a string is stored as its text, an object or array as JSON';
const shownBatch = {
  title: 'A batch',
  type: 'object',
  required: ['updates'],
  properties: {
    updates: {
      type: 'object',
      description: `The pairs to write, with keys as they are. ${asText}. This form takes precedence over the other.`,
      propertyNames: { maxLength: maxKeyBytes },
      additionalProperties: true,
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
    value: { description: `${asText}. The text is trimmed.` },
  },
};

/** Contract 4.7. */
const updateSettings = defineOperation({
  id: 'settings.update',
  summary: 'Write one setting or a batch of them',
  method: 'PUT',
  path: '/api/admin/settings',
  allow: anySession,
  changes: ['setting.updated', 'token_alert.raised', 'token_alert.resolved'],
  input: z
    .object({
      updates: z.unknown().optional(),
      key: z.unknown().optional(),
      value: z.unknown().optional(),
    })
    .transform((request, context) => {
      const settings = toSettings(request);
      if (settings === undefined) context.addIssue({ code: 'custom', message: keyAndValueRequired });
      else if (settings.some(({ key }) => utf8.encode(key).length > maxKeyBytes)) {
        context.addIssue({ code: 'custom', message: keyTooLong });
      }
      return settings ?? [];
    })
    .meta(shownAs({ anyOf: [shownBatch, shownSingle] })),
  output: success,
  errors: [
    settingErrors.strictRetention,
    invalid(keyAndValueRequired),
    invalid(keyTooLong),
    settingErrors.tooMuch,
  ],
  example: {
    input: { updates: { site_name: 'Example', items_per_page: 25 } },
    output: { success: true },
  },
  otherExamples: { 'One setting': { input: { key: 'site_name', value: 'Example' } } },
});

/** Beyond the contract. An unknown key succeeds. */
const deleteSetting = defineOperation({
  id: 'settings.delete',
  summary: 'Delete a setting',
  method: 'DELETE',
  path: '/api/admin/settings',
  allow: anySession,
  changes: ['setting.deleted', 'token_alert.raised', 'token_alert.resolved'],
  input: z.object({
    key: z.string({ error: keyRequired }).meta({ description: 'The key, exactly as it is stored.' }),
  }),
  output: success,
  errors: [settingErrors.strictRetention, invalid(keyRequired)],
  example: { input: { key: 'site_name' }, output: { success: true } },
});

export const settingOperations = [showSettings, updateSettings, deleteSetting] as const;
