import { z } from 'zod';
import { invalid } from '../errors.ts';
import { refusals } from '../refusals.ts';
import { eventTypes } from '../vocabulary.ts';
import { isAtMost, maxTextLength } from './bounds.ts';
import { expectedFields } from './changes/expected.ts';
import { optional, optionalText, shownAs, someChanges, timestamp } from './fields.ts';
import { rowId } from './row-ids.ts';

const urlRequired = 'url is required.';
const wrongUrl = 'url must be an http or https URL, such as https://example.com/hooks.';
const urlWithPassword = 'url must not contain a user name or a password.';
const urlTooLong = 'url must be at most 2,048 characters.';
const wrongEvents =
  'events must be a list of event types, such as ["issue.created"]. An empty list means all.';
const unknownEvent = (type: string) =>
  `Unknown event type: ${JSON.stringify(type)}. Available: ${eventTypes.join(', ')}.`;
const wrongActive = 'is_active must be 0 or 1.';
const wrongRotation = 'rotate_secret must be true or false.';
const nothingToUpdate = 'No fields to update.';
export const webhookIdRequired = 'Webhook ID is required.';

const shownUrl = {
  type: 'string',
  format: 'uri',
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
  maxLength: 2_048,
  description: 'An http or https URL. Redirects are not followed.',
};
const shownEvents = {
  type: 'array',
  items: { type: 'string', enum: eventTypes },
  description: 'The event types to send. An empty list means all.',
};

/** Accepts an http or https URL and normalizes it. The fragment is dropped, because requests never send it. */
export const webhookUrl = z
  .string({ error: urlRequired })
  .min(1, { error: urlRequired })
  .refine((text) => isAtMost(text, 2_048), { error: urlTooLong })
  .transform((text, context) => {
    const parsed = URL.parse(text);
    const isHttp = parsed !== null && ['http:', 'https:'].includes(parsed.protocol);
    if (isHttp && parsed.username === '' && parsed.password === '') {
      parsed.hash = '';
      return parsed.href;
    }
    context.addIssue({ code: 'custom', message: isHttp ? urlWithPassword : wrongUrl });
    return z.NEVER;
  })
  .meta(shownAs(shownUrl))
  .register(refusals, { errors: [wrongUrl, urlWithPassword].map(invalid) });

export const webhookEvents = z
  .array(
    z.enum(eventTypes, {
      error: ({ input }) => (typeof input === 'string' ? unknownEvent(input) : wrongEvents),
    }),
    { error: wrongEvents },
  )
  .transform((types) => [...new Set(types)])
  .meta(shownAs(shownEvents))
  .register(refusals, { errors: [invalid(unknownEvent('issue.exploded'))] });

/** Only the fields that are present are changed. */
export const webhookChanges = someChanges(
  {
    id: rowId(webhookIdRequired),
    url: optional(webhookUrl).meta(shownAs(shownUrl)),
    events: optional(webhookEvents).meta(shownAs(shownEvents)),
    description: optionalText.meta(shownAs({ type: 'string', maxLength: maxTextLength })),
    is_active: optional(z.literal([0, 1], { error: wrongActive })).meta(
      shownAs({
        type: 'integer',
        enum: [0, 1],
        description: '0 deactivates the webhook and cancels its pending deliveries.',
      }),
    ),
    rotate_secret: optional(z.boolean({ error: wrongRotation })).meta(
      shownAs({
        type: 'boolean',
        description: '`true` creates a new secret. The old one also signs for another day.',
      }),
    ),
    expected: expectedFields(
      {
        url: z.string(),
        events: z.array(z.string()),
        description: z.string(),
        is_active: z.number(),
      },
      'webhook',
      'description is now The chat of the support team',
    ),
  },
  nothingToUpdate,
  ['id', 'expected'],
);

export const webhookSchema = z
  .strictObject({
    id: z.int(),
    url: z.string(),
    events: z
      .array(z.string())
      .meta({ description: 'The event types to send. An empty list means all, including future ones.' }),
    description: z.string(),
    is_active: z.int(),
    failing_since: timestamp
      .nullable()
      .meta({ description: 'The first failed attempt since the last successful one.' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Webhook' });

export const exampleWebhook: z.infer<typeof webhookSchema> = {
  id: 1,
  url: 'https://example.com/hooks',
  events: ['issue.created', 'issue.updated'],
  description: 'The chat of the support team',
  is_active: 1,
  failing_since: null,
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
};
