import { z } from 'zod';
import { type EventType, eventTypes } from '../event-types.ts';
import { timestamp } from '../schemas/fields.ts';
import { eventDataSchemas } from './data.ts';

export type EventData<Type extends EventType> = z.output<(typeof eventDataSchemas)[Type]>;

/** Returns the schema of the events of one type. The document calls it `IssueCreatedEvent`, for example. */
function schemaOf<Type extends EventType>(type: Type) {
  const name = type.replaceAll(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return z
    .strictObject({
      id: z
        .int()
        .describe('Ids grow in the order of the changes, with gaps. 0 in the message that tests a webhook.'),
      type: z.literal(type),
      created_at: timestamp,
      actor: z.string().describe('Who made the change.'),
      subject_id: z.string().nullable().describe('The id of what changed; null if that is not a single row.'),
      data: eventDataSchemas[type],
    })
    .meta({ id: `${name}Event` });
}

export const eventSchemas = Object.fromEntries(eventTypes.map((type) => [type, schemaOf(type)])) as {
  readonly [Type in EventType]: ReturnType<typeof schemaOf<Type>>;
};

/** The one form of an event, in the stream and as `data` of a webhook's message. Its `type` tells the form of `data`. */
export type EventOf<Type extends EventType> = {
  [Each in Type]: z.output<(typeof eventSchemas)[Each]>;
}[Type];

export type Event = EventOf<EventType>;

const eventGapSchema = z
  .strictObject({
    id: z.int().describe('The stream continues after this id.'),
    type: z.literal('gap'),
    asked: z.int().describe('The id that the client asked to resume after.'),
  })
  .meta({
    id: 'EventGap',
    description: 'Some events are no longer kept, or the database was replaced. Reload what you show.',
  });

export type EventGap = z.infer<typeof eventGapSchema>;

/** What a follower receives: an event, or a note that some are missing. */
export type EventOrGap = Event | EventGap;

/** The schema of an event. The casts restore the types that `Object.values` merges. */
export const eventSchema = z.discriminatedUnion(
  'type',
  Object.values(eventSchemas) as unknown as [(typeof eventSchemas)['issue.created']],
) as unknown as z.ZodType<Event>;

/** The schema of what a follower receives. The cast restores the types that `Object.values` merges. */
export const eventOrGapSchema = z
  .discriminatedUnion('type', [eventGapSchema, ...Object.values(eventSchemas)])
  .meta({
    id: 'Event',
    description:
      '`type` tells the form of `data`: some fields of what changed, after the change or before it was deleted. ' +
      'Texts of more than 200 characters are cut and end with `…`.',
  }) as unknown as z.ZodType<EventOrGap>;
