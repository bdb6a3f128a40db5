import { z } from 'zod';
import { deliveryOutcomes, deliveryStatuses } from '../fields/webhooks.ts';
import { count, optional, rowWithExample, shownAs, timestamp } from './fields.ts';
import { timeBounds } from './filters.ts';
import { rowId, shownRowId } from './row-ids.ts';

const wrongOutcome = `status must be one of: ${deliveryOutcomes.join(', ')}.`;
const nothingToReplay = 'Give either delivery_id, or webhook_id and since.';

export const { schema: deliverySchema, example: exampleDelivery } = rowWithExample('WebhookDelivery', {
  id: [z.int(), 7],
  webhook_id: [z.int(), 1],
  message_id: [
    z.string().describe('The `webhook-id` header, the same for every attempt and replay.'),
    'evt_42',
  ],
  type: [z.string(), 'issue.updated'],
  payload: [
    z
      .looseObject({ type: z.string(), timestamp, data: z.looseObject({}) })
      .describe('The request body. Its `data` is the event.'),
    {
      type: 'issue.updated',
      timestamp: '2026-01-31T09:30:00.000Z',
      data: {
        id: 42,
        type: 'issue.updated',
        created_at: '2026-01-31T09:30:00.000Z',
        actor: 'grace@example.com',
        subject_id: '7',
        data: { status: 'Resolved' },
      },
    },
  ],
  status: [z.enum(deliveryStatuses), 'succeeded'],
  attempts: [count, 1],
  next_attempt_at: [timestamp.nullable(), null],
  last_attempt_at: [timestamp.nullable(), '2026-01-31T09:30:00.120Z'],
  duration_ms: [count.nullable().describe('How long the last attempt took.'), 118],
  response_status: [z.int().nullable().describe('The HTTP status, or null if there was no response.'), 204],
  response_body: [z.string().nullable().describe('The start of the response body.'), ''],
  error: [z.string().nullable(), null],
  replay_of: [z.int().nullable().describe('The delivery that this one repeats.'), null],
  created_at: [timestamp, '2026-01-31T09:30:00.000Z'],
});

export const exampleTestDelivery: z.infer<typeof deliverySchema> = {
  ...exampleDelivery,
  message_id: 'test_8f14e45fceea167a',
  type: 'webhook.tested',
  payload: {
    ...exampleDelivery.payload,
    type: 'webhook.tested',
    data: { ...exampleDelivery.payload.data, id: 0, type: 'webhook.tested', subject_id: '1', data: {} },
  },
};

const shownTime = { type: 'string', format: 'date-time' };

/** A field of the other form is an error, so each form lists all of its fields. */
const shownReplays = {
  oneOf: [
    {
      title: 'One delivery',
      type: 'object',
      required: ['delivery_id'],
      properties: { delivery_id: shownRowId },
      additionalProperties: false,
    },
    {
      title: 'The messages of a webhook in a period',
      type: 'object',
      required: ['webhook_id', 'since'],
      properties: {
        webhook_id: shownRowId,
        since: { ...shownTime, description: 'Only messages at or after this time.' },
        until: { ...shownTime, description: 'Only messages before this time.' },
        status: {
          type: 'string',
          enum: deliveryOutcomes,
          description:
            'Only messages whose last delivery has this status. Without it, messages that were never sent are included.',
        },
      },
      additionalProperties: false,
    },
  ],
};

/** Selects what to send again: one delivery, or the messages of one webhook in a period. */
export const replaySelection = z
  .object({
    delivery_id: rowId(nothingToReplay).optional(),
    webhook_id: rowId(nothingToReplay).optional(),
    ...timeBounds,
    status: optional(z.enum(deliveryOutcomes, { error: wrongOutcome })),
  })
  .refine(
    ({ delivery_id, webhook_id, since: from }) =>
      delivery_id === undefined
        ? webhook_id !== undefined && from !== undefined
        : webhook_id === undefined && from === undefined,
    { error: nothingToReplay },
  )
  .meta(shownAs(shownReplays));
