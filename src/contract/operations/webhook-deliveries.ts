import { z } from 'zod';
import { invalid } from '../errors.ts';
import { defineOperation } from '../operation.ts';
import { count, optional, rowId, shownAs, timestamp, toRowId } from '../schemas/fields.ts';
import { filterWord, listErrors, listParameters, nextCursor, toCursor } from '../schemas/lists.ts';
import { webhookIdRequired } from '../schemas/webhooks.ts';
import { superadmins } from './admins.ts';
import { webhookErrors } from './webhooks.ts';

const wrongOutcome = 'status must be succeeded or failed.';
const nothingToReplay = 'Give a delivery_id, or a webhook_id and since.';

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Of those that are over. */
export const deliveryOutcomes = ['succeeded', 'failed'] as const;

export const deliverySchema = z
  .strictObject({
    id: z.int(),
    webhook_id: z.int(),
    message_id: z
      .string()
      .meta({ description: 'The header `webhook-id`: the same in each attempt and replay.' }),
    type: z.string(),
    payload: z.looseObject({}).meta({ description: 'What is sent: `type`, `timestamp` and `data`.' }),
    status: z.enum(deliveryStatuses),
    attempts: count,
    next_attempt_at: timestamp.nullable(),
    last_attempt_at: timestamp.nullable(),
    duration_ms: count.nullable().meta({ description: 'Of the last attempt.' }),
    response_status: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status; null where there was no answer.' }),
    response_body: z.string().nullable().meta({ description: 'The beginning of it.' }),
    error: z.string().nullable(),
    replay_of: z.int().nullable().meta({ description: 'The delivery that this one repeats.' }),
    created_at: timestamp,
  })
  .meta({ id: 'WebhookDelivery' });

const exampleDelivery: z.infer<typeof deliverySchema> = {
  id: 7,
  webhook_id: 1,
  message_id: 'evt_42',
  type: 'issue.updated',
  payload: {
    type: 'issue.updated',
    timestamp: '2026-01-31T09:30:00.000Z',
    data: { id: 42, subject_id: '7', actor: 'grace@example.com', subject: { status: 'Resolved' } },
  },
  status: 'succeeded',
  attempts: 1,
  next_attempt_at: null,
  last_attempt_at: '2026-01-31T09:30:00.120Z',
  duration_ms: 118,
  response_status: 204,
  response_body: '',
  error: null,
  replay_of: null,
  created_at: '2026-01-31T09:30:00.000Z',
};

/** At once and only once, whether the webhook is active or not, and whatever it is told of. */
export const testWebhook = defineOperation({
  id: 'webhooks.test',
  summary: 'Send a webhook a message of the type webhook.tested, and answer what came of it',
  method: 'POST',
  path: '/api/admin/webhooks/test',
  allow: superadmins,
  changes: ['webhook.tested'],
  input: z.object({ id: rowId(webhookIdRequired) }),
  output: z.strictObject({
    success: z.literal(true),
    delivery: deliverySchema.nullable().meta({ description: 'Null where there is no such webhook.' }),
  }),
  errors: [invalid(webhookIdRequired)],
  failure: 'Failed to test the webhook.',
  example: {
    input: { id: 1 },
    output: {
      success: true,
      delivery: {
        ...exampleDelivery,
        message_id: 'test_8f14e45fceea167a',
        type: 'webhook.tested',
        payload: {
          type: 'webhook.tested',
          timestamp: '2026-01-31T09:30:00.000Z',
          data: { subject_id: '1', actor: 'grace@example.com' },
        },
      },
    },
  },
});

const statusFilter = filterWord('status', deliveryStatuses, 'Only those of this status.');

export const listDeliveries = defineOperation({
  id: 'webhooks.deliveries',
  summary: 'List what was sent to webhooks and what came of it, the newest first',
  method: 'GET',
  path: '/api/admin/webhooks/deliveries',
  allow: superadmins,
  input: z.object({
    webhook_id: z
      .union([z.string(), z.number()])
      .optional()
      .transform((id) => (id === undefined || id === '' ? undefined : toRowId(id)))
      .meta(shownAs({ type: 'integer', description: 'Only those to this webhook.' })),
    status: statusFilter.schema,
    ...listParameters(z.int()),
  }),
  output: z.strictObject({ deliveries: z.array(deliverySchema), nextCursor }),
  rows: 'deliveries',
  errors: [statusFilter.error, ...listErrors],
  failure: 'Failed to load the deliveries.',
  example: { output: { deliveries: [exampleDelivery] } },
  otherExamples: {
    'A page': {
      input: { webhook_id: 1, limit: 1 },
      output: { deliveries: [exampleDelivery], nextCursor: toCursor(['2026-01-31T09:30:00.000000Z', 7]) },
    },
  },
});

const { since, until } = listParameters(z.int());

/** An unknown id succeeds and sends nothing. */
export const replayWebhook = defineOperation({
  id: 'webhooks.replay',
  summary: 'Send again what was sent, or would have been, under the same message ids',
  method: 'POST',
  path: '/api/admin/webhooks/replay',
  allow: superadmins,
  changes: ['webhook.replayed'],
  input: z
    .object({
      delivery_id: rowId(nothingToReplay).optional(),
      webhook_id: rowId(nothingToReplay).optional(),
      since,
      until,
      status: optional(z.enum(deliveryOutcomes, { error: wrongOutcome })).meta(
        shownAs({
          type: 'string',
          enum: deliveryOutcomes,
          description: 'Only messages whose last delivery has this status; without it, those never sent too.',
        }),
      ),
    })
    .refine(
      ({ delivery_id, webhook_id, since: from }) =>
        delivery_id === undefined
          ? webhook_id !== undefined && from !== undefined
          : webhook_id === undefined && from === undefined,
      { error: nothingToReplay },
    ),
  output: z.strictObject({
    success: z.literal(true),
    replayed: count.meta({ description: 'How many messages are on their way.' }),
  }),
  errors: [
    invalid(nothingToReplay),
    invalid(wrongOutcome),
    ...listErrors.slice(0, 2),
    webhookErrors.inactive,
    webhookErrors.tooManyToReplay,
  ],
  failure: 'Failed to replay the deliveries.',
  example: {
    input: { webhook_id: 1, since: '2026-01-30T00:00:00Z', status: 'failed' },
    output: { success: true, replayed: 12 },
  },
  otherExamples: { 'One delivery': { input: { delivery_id: 7 }, output: { success: true, replayed: 1 } } },
});
