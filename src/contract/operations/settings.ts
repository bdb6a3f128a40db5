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
const maximumKeyBytes = 1024;

/** Of all keys and values: whoever reads the settings gets every one of them. */
export const maximumSettingsBytes = 16 * 1024 * 1024;

/** The settings that decide how long the trail of changes is kept. */
export const retentionKeys: readonly string[] = ['audit_retention_days', 'events_retention_days'];

export const settingErrors = {
  /** In the strict mode. */
  strictRetention: {
    code: 'forbidden',
    text: 'Only superadmin can change how long the trail of changes is kept.',
  },
  tooMuch: {
    code: 'conflict',
    text: 'The settings would have more than 16 MiB together: remove some first.',
  },
} as const satisfies Record<string, DocumentedError>;

/** Settings by their keys. */
export type Settings = Readonly<Record<string, string>>;

/** One setting to write. */
export interface Setting {
  readonly key: string;
  readonly value: string;
}

/** Strings as they are, other primitives by `String`, objects and arrays as JSON text (design, "Input and failure"). */
function settingText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** Contract 4.7: which pairs a request asks to write. `undefined` where it takes neither of the two forms. */
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
  summary: "Read the settings, one's own profile and the analytics",
  method: 'GET',
  path: '/api/admin/settings',
  allow: anySession,
  input: z.object({
    section: z.string().optional().meta({
      description:
        'Absent: everything. `token-usage` or `scraping`: that part of the analytics. Any other value: none of them.',
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

const asText = 'Text as it is, another primitive as text, an object or array as JSON text';
const shownBatch = {
  title: 'A batch',
  type: 'object',
  required: ['updates'],
  properties: {
    updates: {
      type: 'object',
      description: `Each pair is written, keys as they are. ${asText}. Takes precedence over the other form.`,
      propertyNames: { maxLength: maximumKeyBytes },
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
      maxLength: maximumKeyBytes,
    },
    value: { description: `${asText}; then trimmed.` },
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
      else if (settings.some(({ key }) => utf8.encode(key).length > maximumKeyBytes)) {
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

/** Beyond the contract: an unknown key succeeds, as everywhere. */
const deleteSetting = defineOperation({
  id: 'settings.delete',
  summary: 'Remove a setting',
  method: 'DELETE',
  path: '/api/admin/settings',
  allow: anySession,
  changes: ['setting.deleted', 'token_alert.raised', 'token_alert.resolved'],
  input: z.object({ key: z.string({ error: keyRequired }).meta({ description: 'As it is stored.' }) }),
  output: success,
  errors: [settingErrors.strictRetention, invalid(keyRequired)],
  example: { input: { key: 'site_name' }, output: { success: true } },
});

export const settingOperations = [showSettings, updateSettings, deleteSetting] as const;
