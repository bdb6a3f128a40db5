import { z } from 'zod';
import { invalid } from '../errors.ts';
import { eventTypes } from '../vocabulary.ts';
import { shownAs } from './fields.ts';

export const urlRequired = 'url is required.';
const wrongUrl = 'url must be an http or https URL, such as https://example.com/hooks.';
const urlWithPassword = 'url must not contain a user name or a password.';
const urlTooLong = 'url must be at most 2,048 characters.';
const wrongEvents =
  'events must be a list of event types, such as ["issue.created"]; an empty one is for all.';
const unknownEvent = (type: string) =>
  `There is no event type ${JSON.stringify(type)}. There are: ${eventTypes.join(', ')}.`;
export const wrongActive = 'is_active must be 0 or 1.';
export const wrongRotation = 'rotate_secret must be true or false.';
export const webhookIdRequired = 'Webhook ID is required.';

/** A URL as it is requested: normalised, and without a fragment, which is never sent. */
export const webhookUrl = z
  .string({ error: urlRequired })
  .min(1, { error: urlRequired })
  .max(2_048, { error: urlTooLong })
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
  .meta(
    shownAs({
      type: 'string',
      format: 'uri',
      minLength: 1,
      maxLength: 2_048,
      description: 'http or https; a redirect is not followed.',
    }),
  );

export const webhookEvents = z
  .array(
    z.enum(eventTypes, {
      error: ({ input }) => (typeof input === 'string' ? unknownEvent(input) : wrongEvents),
    }),
    { error: wrongEvents },
  )
  .transform((types) => [...new Set(types)])
  .meta(
    shownAs({
      type: 'array',
      items: { type: 'string', enum: eventTypes },
      description: 'The types that it is told of; empty: all.',
    }),
  );

/** The errors of the event types. */
export const eventErrors = [wrongEvents, unknownEvent('issue.exploded')].map(invalid);

/** The errors of a URL that is there. */
export const urlErrors = [wrongUrl, urlWithPassword, urlTooLong].map(invalid);
