import { z } from 'zod';
import { groupDigits } from '../../shared/text.ts';
import { webhooks } from '../fields/webhooks.ts';
import { eventDataOf } from '../of-noun.ts';
import { maxEventIds } from '../schemas/changes/changes.ts';
import { count, timestamp } from '../schemas/fields.ts';
import { deliveryOutcomes } from '../schemas/webhook-deliveries.ts';
import { runStatuses } from '../vocabulary.ts';

const setting = z.strictObject({
  is_set: z.literal(true).meta({ description: 'Stands for the value, which may be a secret.' }),
});

const batch = z.strictObject({
  keys: z
    .array(z.string())
    .max(maxEventIds)
    .meta({ description: `The first ${groupDigits(maxEventIds)} keys. The values may be secrets.` }),
  count: count.meta({ description: 'How many settings it is, all keys together.' }),
});

const alert = z.strictObject({
  metric: z.string(),
  model: z.string().nullable().meta({ description: 'Null means all models together.' }),
  period: z.string().meta({ description: 'The month, such as `2026-01`.' }),
  threshold: z.number().meta({ description: 'The share of the limit that was reached.' }),
  limit: z.string().meta({ description: 'The budget, a decimal number.' }),
  current: z.string().meta({ description: 'The cost, a decimal number.' }),
  severity: z.string(),
  message: z.string(),
  status: z.enum(['firing', 'resolved']),
});

const webhook = z.strictObject({
  origin: z.string().meta({ description: 'The origin of the URL. The rest of it may be a secret.' }),
  ...eventDataOf(webhooks).shape,
});

const changed = z.literal('changed').optional().meta({ description: 'Present if it was changed.' });

/** The events of settings, usage and webhooks, and of what the service does by itself. */
export const serviceEvents = {
  'setting.updated': setting,
  'settings.updated': batch,
  'setting.deleted': setting,
  'token_usage.recorded': z.strictObject({ records: count, duplicates: count }),
  'token_alert.raised': alert,
  'token_alert.resolved': alert,
  'scraping_run.recorded': z.strictObject({
    source: z.string(),
    status: z.enum(runStatuses),
    new_errors: count.meta({ description: 'Errors that were not known before.' }),
  }),
  'webhook.created': webhook,
  'webhook.updated': webhook.extend({
    url: changed,
    secret: changed,
    reason: z.string().optional().meta({ description: 'Why the service deactivated the webhook.' }),
  }),
  'webhook.deleted': webhook,
  'webhook.tested': z
    .strictObject({ status: z.enum(deliveryOutcomes), response_status: z.int().nullable() })
    .partial()
    .meta({ description: 'Empty in the message itself, whose result is not known yet.' }),
  'webhook.replayed': z.strictObject({
    delivery_id: z.int().optional(),
    since: z.string().optional(),
    until: z.string().optional(),
    status: z.enum(deliveryOutcomes).optional(),
    messages: count.meta({ description: 'How many messages were queued.' }),
  }),
  'audit.purged': z.strictObject({
    records: count,
    before: timestamp.nullable().meta({ description: 'The records were older than this time.' }),
  }),
  'audit.redacted': z.strictObject({
    records: count,
    ids: z.array(z.int()).meta({ description: 'The records whose fields before and after were erased.' }),
  }),
  'secrets.encrypted': z.strictObject({
    key: z.string().nullable().meta({ description: 'The id of the key that encrypts them now.' }),
    secrets: count,
  }),
} as const;
