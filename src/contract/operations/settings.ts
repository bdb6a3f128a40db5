import { z } from 'zod';
import { conflict, type DocumentedError, invalid, noEncryptionKey } from '../errors.ts';
import { anySession, defineOperation, insufficientPermissions } from '../operation.ts';
import { adminIdentitySchema, exampleAdmin, exampleIdentity } from '../schemas/admins.ts';
import {
  scrapingDaySchema,
  scrapingErrorSchema,
  scrapingSchema,
  tokenAlertSchema,
  tokenDaySchema,
  tokenUsageSchema,
} from '../schemas/analytics.ts';
import {
  onlySuperadmin,
  refusalOfKeys,
  refuseToChange,
  settingsChange,
} from '../schemas/changes/settings-change.ts';
import { shownAs, timestamp } from '../schemas/fields.ts';
import { filterWords } from '../schemas/filters.ts';

const wrongMonth = 'month must be a calendar month such as 2026-08.';
/** Stands for the month that it is now where the installation is. */
export const currentMonth = 'current';
const monthForm = /^((19[7-9]|[2-9]\d\d)\d-(0[1-9]|1[0-2])|current)$/;
/** The maximum size of all keys and values together, because reading the settings returns all of them. */
export const maxSettingsBytes = 16 * 1024 * 1024;

export const settingErrors = {
  futureMonth: invalid('month must not be in the future.'),
  tooMuch: conflict('The settings would exceed 16 MiB in total. Remove some first.'),
} as const satisfies Record<string, DocumentedError>;

export const settingOperations = [
  /** Contract 4.6. */
  defineOperation('GET', '/api/admin/settings', anySession, {
    id: 'settings.show',
    summary: 'Read the settings, your own profile and the analytics',
    description:
      'Returns the settings and the account of the caller, which is null for an API token without an owner. The values of ' +
      'secret settings are returned to nobody: they are absent from `settings`, and `details` names their keys. The analytics ' +
      'cover the current month in the time zone of the setting `timezone`. `section` restricts only the ' +
      'analytics. With `month` they cover that month instead, from its first day to its last or to today, the ' +
      'alerts and scraping errors are those of that month, and `scrapingDailyBreakdown` has the runs of each day.',
    confidential: true,
    input: z.object({
      section: z
        .string()
        .optional()
        .describe(
          '`token-usage` or `scraping` returns only that part of the analytics. Without it, all are returned. Any other ' +
            'value returns none.',
        ),
      month: z
        .string({ error: wrongMonth })
        .optional()
        .transform((month) => (month === '' ? undefined : month))
        .refine((month) => month === undefined || monthForm.test(month), { error: wrongMonth })
        .meta(
          shownAs({
            type: 'string',
            description:
              'A calendar month such as `2026-08`, in the time zone of the installation, or `current`. Without it, the ' +
              'current one.',
            examples: ['2026-08', currentMonth],
          }),
        ),
      include: filterWords(
        'include',
        ['details'],
        'What to add: `details` tells of each setting, also the secret ones, whether it is secret, and who wrote it last and when.',
      ),
    }),
    output: z.strictObject({
      settings: z.record(z.string(), z.string()),
      details: z
        .record(
          z.string(),
          z.strictObject({
            is_secret: z.boolean(),
            updated_at: timestamp,
            updated_by: z
              .string()
              .nullable()
              .describe('Who wrote it last; null if it was SQL, or before this was recorded.'),
          }),
        )
        .optional()
        .describe('With `include=details`: more about each setting, also the secret ones, by key.'),
      profile: adminIdentitySchema.extend({ createdAt: timestamp }).nullable(),
      tokenUsage: tokenUsageSchema.optional(),
      tokenAlerts: z.array(tokenAlertSchema).optional(),
      tokenDailyBreakdown: z.array(tokenDaySchema).optional(),
      scraping: scrapingSchema.optional(),
      scrapingDailyBreakdown: z.array(scrapingDaySchema).optional(),
      scrapingErrors: z.array(scrapingErrorSchema).max(20).optional(),
    }),
    errors: [settingErrors.futureMonth],
    example: {
      input: { section: 'profile' },
      output: {
        settings: { site_name: 'Example' },
        profile: { ...exampleIdentity, createdAt: exampleAdmin.created_at },
      },
    },
  }),

  /** Contract 4.7. */
  defineOperation('PUT', '/api/admin/settings', anySession, {
    id: 'settings.update',
    summary: 'Write one setting or a batch of them',
    description:
      'Takes one `key` and `value`, or several pairs as `updates`, which are written together or not at ' +
      'all, and are one event. `remove` deletes settings with the batch. `secret` has the service store values ' +
      'encrypted, now and whenever they are written, and never return them. New keys are created. All settings ' +
      'together have at most 16 MiB. Only superadmins change the settings that protect sign-ins, and only ' +
      'superadmins and admins how long data is kept and, with strict roles, prices, budgets and currency. `check` refuses invalid values of the settings that the service itself reads. A ' +
      'change of prices, budgets or the time zone updates the token alerts. In `token_prices` a model has one price, or a ' +
      'list of prices, each of which holds from the month `since` on; without it, from the beginning.',
    changes: [
      'setting.updated',
      'settings.updated',
      'setting.deleted',
      'token_alert.raised',
      'token_alert.resolved',
    ],
    forbid: refuseToChange,
    input: settingsChange,
    errors: [insufficientPermissions, onlySuperadmin, settingErrors.tooMuch, noEncryptionKey],
    example: { input: { updates: { site_name: 'Example', items_per_page: 25 } } },
    otherExamples: {
      'One setting': { input: { key: 'site_name', value: 'Example' } },
      'A secret': { input: { key: 'smtp_password', value: 'correct horse', secret: true } },
      'A batch with a secret': {
        input: {
          updates: { smtp_user: 'backoffice', smtp_password: 'correct horse' },
          secret: ['smtp_password'],
        },
      },
      'Only if it is still what you saw': {
        input: { key: 'site_name', value: 'Example', expected: 'Beispiel' },
      },
      'A batch, only if nobody has changed it': {
        input: {
          updates: { site_name: 'Example', motto: 'Be kind' },
          expected: { site_name: 'Beispiel', motto: null },
        },
      },
      'Writes and deletions together': {
        input: { updates: { motto: 'Be kind' }, remove: ['site_motto'], check: true },
      },
    },
  }),

  /** Beyond the contract. */
  defineOperation('DELETE', '/api/admin/settings', anySession, {
    id: 'settings.delete',
    summary: 'Delete a setting',
    description: 'A setting that is absent has its default. An unknown key succeeds.',
    changes: ['setting.deleted', 'token_alert.raised', 'token_alert.resolved'],
    forbid: (role, { key }, strict) => refusalOfKeys(role, [String(key)], strict),
    input: z.object({
      key: z.string({ error: 'key is required' }).describe('The key, exactly as it is stored.'),
    }),
    errors: [insufficientPermissions, onlySuperadmin],
    example: { input: { key: 'site_name' } },
  }),
] as const;
