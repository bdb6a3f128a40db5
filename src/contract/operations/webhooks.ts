import { z } from 'zod';
import { groupDigits } from '../../shared/text.ts';
import { conflict, type DocumentedError, invalid, noEncryptionKey } from '../errors.ts';
import { eventTypes } from '../event-types.ts';
import { deliveryStatuses, webhooks } from '../fields/webhooks.ts';
import { changeShape, createShape, exampleOf, expectedOf, rowOf } from '../of-noun.ts';
import { defineOperation, superadmins } from '../operation.ts';
import { count, optional, shownAs, someChanges, success } from '../schemas/fields.ts';
import { searchParameter } from '../schemas/filters.ts';
import { filterWords, listParameters, nextCursor, toCursor, total } from '../schemas/lists.ts';
import { rowId, rowIdFilter, rowIdsFilter } from '../schemas/row-ids.ts';
import {
  deliverySchema,
  exampleDelivery,
  exampleTestDelivery,
  replaySelection,
} from '../schemas/webhook-deliveries.ts';

export const maxReplayedMessages = 10_000;

export const webhookErrors = {
  privateAddress: invalid(
    'url must point to a public address, unless BACKOFFICE_WEBHOOK_ALLOW_PRIVATE is set to 1.',
  ),
  tooManyToReplay: invalid(
    `More than ${groupDigits(maxReplayedMessages)} messages match. Choose a shorter period with since and until.`,
  ),
  inactive: conflict('The webhook is inactive. Activate it first.'),
} as const satisfies Record<string, DocumentedError>;

const { example: exampleSecret } = webhooks.fields.secret;

const webhookIdRequired = 'Webhook ID is required.';

const webhookChanges = someChanges(
  {
    id: rowId(webhookIdRequired),
    ...changeShape(webhooks),
    rotate_secret: optional(z.boolean({ error: 'rotate_secret must be true or false.' })).meta(
      shownAs({
        type: 'boolean',
        description: '`true` creates a new secret. The old one also signs for another day.',
      }),
    ),
    expected: expectedOf(webhooks),
  },
  'No fields to update.',
  ['id', 'expected'],
);

export const webhookSchema = rowOf(webhooks);

const exampleWebhook = exampleOf(webhooks);

export const webhookOperations = [
  /** Beyond the contract: requests that follow https://www.standardwebhooks.com tell other services what happens. */
  defineOperation('GET', '/api/admin/webhooks', superadmins, {
    id: 'webhooks.list',
    summary: 'List webhooks, without their secrets',
    description: 'Oldest first. The secrets are shown only when they are created.',
    input: z.object({ q: searchParameter('the URL, the event types and the description') }),
    output: z.strictObject({ webhooks: z.array(webhookSchema) }),
    failure: 'Failed to load the webhooks.',
    example: { output: { webhooks: [exampleWebhook] } },
  }),

  defineOperation('POST', '/api/admin/webhooks', superadmins, {
    id: 'webhooks.create',
    summary: 'Create a webhook and return its secret, which is shown only once',
    description:
      'Each event of the given types is sent to the URL by POST, signed as in ' +
      'https://www.standardwebhooks.com. `webhooks` in this document has the messages. The URL must point ' +
      'to a public address, unless the service allows private ones.',
    changes: ['webhook.created'],
    input: z.object(createShape(webhooks)),
    output: success.extend({ webhook: webhookSchema, secret: z.string() }),
    errors: [webhookErrors.privateAddress, noEncryptionKey],
    failure: 'Failed to create the webhook.',
    example: {
      input: {
        url: exampleWebhook.url,
        events: ['issue.created', 'issue.updated'],
        description: exampleWebhook.description,
      },
      output: { success: true, webhook: exampleWebhook, secret: exampleSecret },
    },
  }),

  defineOperation('PUT', '/api/admin/webhooks', superadmins, {
    id: 'webhooks.update',
    summary: 'Change, activate or deactivate a webhook, or give it a new secret',
    description:
      'Only the fields that are present change. Deactivating a webhook gives up its pending messages. A ' +
      'new secret is returned once, and messages are signed with the old one too for a day. An unknown id ' +
      'succeeds and changes nothing.',
    changes: ['webhook.updated'],
    input: webhookChanges,
    output: success.extend({
      secret: z.string().optional().describe('The new secret, if one was created.'),
    }),
    errors: [webhookErrors.privateAddress, noEncryptionKey],
    failure: 'Failed to update the webhook.',
    example: { input: { id: 1, is_active: 1 } },
    otherExamples: {
      'Only if it is still active': {
        input: { id: 1, is_active: 0, expected: { is_active: 1 } },
        output: { success: true },
      },
      'A new secret': {
        input: { id: 1, rotate_secret: true },
        output: { success: true, secret: exampleSecret },
      },
    },
  }),

  defineOperation('DELETE', '/api/admin/webhooks', superadmins, {
    id: 'webhooks.delete',
    summary: 'Delete a webhook',
    description:
      'Gives up its pending messages. The log of its deliveries stays for 30 days. An unknown id succeeds.',
    changes: ['webhook.deleted'],
    input: z.object({ id: rowId(webhookIdRequired) }),
    failure: 'Failed to delete the webhook.',
    example: { input: { id: 1 } },
  }),

  defineOperation('POST', '/api/admin/webhooks/test', superadmins, {
    id: 'webhooks.test',
    summary: 'Send a webhook.tested message to a webhook and return the result',
    description:
      'Sends one message at once and waits for the response, also if the webhook is inactive or does not ' +
      'send this type. The message is not retried. A failed delivery is a success of this call: see ' +
      '`delivery.status`.',
    changes: ['webhook.tested'],
    load: 'outside',
    input: z.object({ id: rowId(webhookIdRequired) }),
    output: success.extend({
      delivery: deliverySchema.nullable().describe('Null if the webhook does not exist.'),
    }),
    failure: 'Failed to test the webhook.',
    example: { input: { id: 1 }, output: { success: true, delivery: exampleTestDelivery } },
  }),

  defineOperation('GET', '/api/admin/webhooks/deliveries', superadmins, {
    id: 'webhooks.deliveries',
    summary: 'List webhook deliveries and their results, newest first',
    description:
      'The log of the last 30 days, with the body of each message and the response of its last attempt. ' +
      'Without `limit`, the whole log is streamed.',
    input: z.object({
      id: rowIdsFilter('id', 'Only the deliveries with these ids.'),
      webhook_id: rowIdFilter('Only deliveries to this webhook.'),
      status: filterWords('status', deliveryStatuses, 'Only deliveries with this status.'),
      type: filterWords('type', eventTypes, 'Only deliveries of this event type.'),
      ...listParameters(
        z.int(),
        'the id, the type and the body of the message, and the error (the first 100,000 characters of them together)',
      ),
    }),
    output: z.strictObject({ deliveries: z.array(deliverySchema), nextCursor, total }),
    rows: 'deliveries',
    failure: 'Failed to load the deliveries.',
    example: { output: { deliveries: [exampleDelivery] } },
    otherExamples: {
      'A page': {
        input: { webhook_id: 1, limit: 1 },
        output: { deliveries: [exampleDelivery], nextCursor: toCursor(['2026-01-31T09:30:00.000000Z', 7]) },
      },
    },
  }),

  defineOperation('POST', '/api/admin/webhooks/replay', superadmins, {
    id: 'webhooks.replay',
    summary: 'Send past messages again, with the same message ids',
    description:
      'Takes a `delivery_id`, or a `webhook_id` and `since`. The second form also sends events of that ' +
      'time that the webhook subscribes to but never received. It queues up to 10,000 messages of one ' +
      'active webhook. An unknown id succeeds and sends nothing.',
    changes: ['webhook.replayed'],
    input: replaySelection,
    output: success.extend({ replayed: count.describe('How many messages were queued.') }),
    errors: [webhookErrors.inactive, webhookErrors.tooManyToReplay],
    failure: 'Failed to replay the deliveries.',
    example: {
      input: { webhook_id: 1, since: '2026-01-30T00:00:00Z', status: 'failed' },
      output: { success: true, replayed: 12 },
    },
    otherExamples: { 'One delivery': { input: { delivery_id: 7 }, output: { success: true, replayed: 1 } } },
  }),
] as const;
