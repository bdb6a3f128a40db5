import { z } from 'zod';
import { type DocumentedError, invalid } from '../errors.ts';
import { defineOperation } from '../operation.ts';
import { optional, rowId, shownAs, success, textOr, timestamp } from '../schemas/fields.ts';
import {
  eventErrors,
  urlErrors,
  urlRequired,
  webhookEvents,
  webhookIdRequired,
  webhookUrl,
  wrongActive,
  wrongRotation,
} from '../schemas/webhooks.ts';
import { superadmins } from './admins.ts';

const nothingToUpdate = 'No fields to update.';

/** How many messages one call sends again at most. */
export const maximumReplay = 10_000;

export const webhookErrors = {
  privateAddress: invalid(
    'url must lead to a public address, unless BACKOFFICE_WEBHOOK_ALLOW_PRIVATE is set to 1.',
  ),
  tooManyToReplay: invalid(
    `Those are more than ${maximumReplay.toLocaleString('en')} messages: choose a shorter time with since and until.`,
  ),
  inactive: { code: 'conflict', text: 'The webhook is inactive: activate it first.' },
} as const satisfies Record<string, DocumentedError>;

export const webhookSchema = z
  .strictObject({
    id: z.int(),
    url: z.string(),
    events: z
      .array(z.string())
      .meta({ description: 'The types that it is told of; empty: all, those that are yet to come too.' }),
    description: z.string(),
    is_active: z.int(),
    failing_since: timestamp
      .nullable()
      .meta({ description: 'The first failed attempt after the last one that succeeded.' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Webhook' });

const exampleWebhook: z.infer<typeof webhookSchema> = {
  id: 1,
  url: 'https://example.com/hooks',
  events: ['issue.created', 'issue.updated'],
  description: 'The chat of the support team',
  is_active: 1,
  failing_since: null,
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
};

const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

/** Beyond the contract: who is told what happens, by requests after https://www.standardwebhooks.com. */
export const listWebhooks = defineOperation({
  id: 'webhooks.list',
  summary: 'List the webhooks, without their secrets',
  method: 'GET',
  path: '/api/admin/webhooks',
  allow: superadmins,
  input: z.object({}),
  output: z.strictObject({ webhooks: z.array(webhookSchema) }),
  failure: 'Failed to load the webhooks.',
  example: { output: { webhooks: [exampleWebhook] } },
});

export const createWebhook = defineOperation({
  id: 'webhooks.create',
  summary: 'Create a webhook; its secret is answered only now',
  method: 'POST',
  path: '/api/admin/webhooks',
  allow: superadmins,
  changes: ['webhook.created'],
  input: z.object({
    url: webhookUrl,
    events: optional(webhookEvents).transform((types) => types ?? []),
    description: textOr(''),
  }),
  output: z.strictObject({ success: z.literal(true), webhook: webhookSchema, secret: z.string() }),
  errors: [invalid(urlRequired), ...urlErrors, ...eventErrors, webhookErrors.privateAddress],
  failure: 'Failed to create the webhook.',
  example: {
    input: {
      url: exampleWebhook.url,
      events: ['issue.created', 'issue.updated'],
      description: exampleWebhook.description,
    },
    output: { success: true, webhook: exampleWebhook, secret: exampleSecret },
  },
});

/** Only the fields present are changed; an unknown id succeeds. */
export const updateWebhook = defineOperation({
  id: 'webhooks.update',
  summary: 'Change a webhook, switch it on or off, or give it a new secret',
  method: 'PUT',
  path: '/api/admin/webhooks',
  allow: superadmins,
  changes: ['webhook.updated'],
  input: z
    .object({
      id: rowId(webhookIdRequired),
      url: optional(webhookUrl),
      events: optional(webhookEvents),
      description: optional(z.string()),
      is_active: optional(z.literal([0, 1], { error: wrongActive })).meta(
        shownAs({ type: 'integer', enum: [0, 1], description: '0 also gives up what is still to be sent.' }),
      ),
      rotate_secret: optional(z.boolean({ error: wrongRotation })).meta(
        shownAs({ type: 'boolean', description: 'A new secret; the one before signs too for another day.' }),
      ),
    })
    .refine(({ id: _id, ...fields }) => Object.values(fields).some((value) => value !== undefined), {
      error: nothingToUpdate,
    })
    .meta({ override: { minProperties: 2 } }),
  output: z.strictObject({
    success: z.literal(true),
    secret: z.string().optional().meta({ description: 'The new secret, where there is one.' }),
  }),
  errors: [
    invalid(webhookIdRequired),
    ...urlErrors,
    ...eventErrors,
    ...[wrongActive, wrongRotation, nothingToUpdate].map(invalid),
    webhookErrors.privateAddress,
  ],
  failure: 'Failed to update the webhook.',
  example: { input: { id: 1, is_active: 1 }, output: { success: true } },
  otherExamples: {
    'A new secret': {
      input: { id: 1, rotate_secret: true },
      output: { success: true, secret: exampleSecret },
    },
  },
});

/** The log of its deliveries stays for its time; an unknown id succeeds. */
export const deleteWebhook = defineOperation({
  id: 'webhooks.delete',
  summary: 'Delete a webhook',
  method: 'DELETE',
  path: '/api/admin/webhooks',
  allow: superadmins,
  changes: ['webhook.deleted'],
  input: z.object({ id: rowId(webhookIdRequired) }),
  output: success,
  errors: [invalid(webhookIdRequired)],
  failure: 'Failed to delete the webhook.',
  example: { input: { id: 1 }, output: { success: true } },
});
