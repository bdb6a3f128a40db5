import { z } from 'zod';
import { count } from '../schemas/fields.ts';
import { deliveryOutcomes } from '../schemas/webhook-deliveries.ts';

const webhook = z.strictObject({
  origin: z.string().meta({ description: 'The origin of the URL. The rest of it may be a secret.' }),
  events: z.array(z.string()),
  description: z.string(),
  is_active: z.int(),
});

const changed = z.literal('changed').optional().meta({ description: 'Present if it was changed.' });

export const webhookEvents = {
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
} as const;
