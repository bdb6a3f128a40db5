import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { eventSchemas } from '../../contract/events/envelope.ts';
import { timestamp } from '../../contract/schemas/fields.ts';
import { type EventType, eventTypes } from '../../contract/vocabulary.ts';

const text = (name: string, description: string, example: string) => ({
  in: 'header' as const,
  name,
  required: true,
  description,
  schema: { type: 'string' as const },
  example,
});

/** The headers of every message, after https://www.standardwebhooks.com. */
export const webhookHeaders = {
  WebhookId: text(
    'webhook-id',
    'The same in every attempt and replay. Ignore a message whose id you have processed.',
    'evt_42',
  ),
  WebhookTimestamp: text(
    'webhook-timestamp',
    'When this attempt was sent, in seconds since 1970. Reject a message that is more than five minutes off.',
    '1769851800',
  ),
  WebhookSignature: text(
    'webhook-signature',
    'One or two values, separated by a space: `v1,` and the base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. ' +
      'The key is the base64-decoded part of the secret after `whsec_`.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
};

const parameters = Object.keys(webhookHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` }));

const description =
  'Sent to each webhook of this type, at least once and usually in the order of the events. A message that is not ' +
  'accepted within 8 seconds is sent again, eight times in about 30 hours.';

/** Describes the message about each event type, for the `webhooks` of the document. */
export function webhookPaths(): ZodOpenApiPathsObject {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: messageOf(type) }]));
}

function messageOf(type: EventType) {
  const words = type.replaceAll(/[._]/g, ' ');
  const schema = z.strictObject({
    type: z.literal(type),
    timestamp: timestamp.meta({ description: 'When the event happened.' }),
    data: eventSchemas[type],
  });
  return {
    operationId: `on.${type}`,
    summary: words.charAt(0).toUpperCase() + words.slice(1),
    description,
    tags: ['webhooks'],
    security: [],
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'The message is accepted.' },
      410: { description: 'The receiver wants no more messages. The webhook is deactivated.' },
      default: {
        description: 'The message is not accepted, and sent again later. Redirects are not followed.',
      },
    },
  };
}
