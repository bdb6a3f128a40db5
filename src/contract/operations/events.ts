import { z } from 'zod';
import { groupDigits } from '../../shared/text.ts';
import { type DocumentedError, invalid } from '../errors.ts';
import { type EventType, eventTypes } from '../event-types.ts';
import { type EventOf, eventOrGapSchema, eventSchema } from '../events/envelope.ts';
import { maxLatestEvents } from '../fields/bounds.ts';
import { anySession, defineOperation, insufficientPermissions } from '../operation.ts';
import { refusals } from '../refusals.ts';
import { clamped, parsed, shownAs } from '../schemas/fields.ts';
import { toRowId } from '../schemas/row-ids.ts';
import type { Role } from '../vocabulary.ts';

/** Nouns whose events are restricted to some roles, like their lists. */
const reserved: ReadonlyMap<string, readonly Role[]> = new Map([
  ['session', ['superadmin', 'admin']],
  ['invitation', ['superadmin', 'admin']],
  ['password_reset', ['superadmin', 'admin']],
  ['factor', ['superadmin', 'admin']],
  ['recovery_codes', ['superadmin', 'admin']],
  ['recovery_code', ['superadmin', 'admin']],
  ['token', ['superadmin']],
  ['webhook', ['superadmin']],
  ['audit', ['superadmin']],
]);

/** Reports whether a role may receive events of that type. */
export function mayKnow(role: Role, type: string): boolean {
  return reserved.get(type.slice(0, type.indexOf('.')))?.includes(role) ?? true;
}

const wrongTypes = `types must be event types separated by commas: ${eventTypes.join(', ')}.`;
const wrongAfter = 'after must be the id of an event.';
export const tooManyFollowers: DocumentedError = {
  code: 'busy',
  text: 'This instance has too many followers. Try again in a few seconds.',
};

const listOf = (types: string) => types.split(',').map((type) => type.trim());
const isEventType = (type: string): type is EventType => (eventTypes as readonly string[]).includes(type);

const forbid = (role: Role, { types }: Readonly<Record<string, unknown>>) =>
  typeof types === 'string' && listOf(types).some((type) => !mayKnow(role, type))
    ? insufficientPermissions
    : undefined;

function readTypes(text: string): readonly EventType[] | undefined {
  const types = listOf(text);
  return types.every(isEventType) ? types : undefined;
}

const typesParameter = parsed(z.string(), wrongTypes, readTypes)
  .meta(shownAs({ type: 'string', description: 'Only events of these types, separated by commas.' }))
  .register(refusals, { errors: [invalid(wrongTypes)] });

function readPosition(text: string | number): number | undefined {
  const id = toRowId(text);
  return id !== null && id >= 0 ? id : undefined;
}

const exampleEvent: EventOf<'issue.updated'> = {
  id: 42,
  type: 'issue.updated',
  created_at: '2026-01-31T09:30:00.000Z',
  actor: 'grace@example.com',
  subject_id: '7',
  data: { status: 'Resolved' },
};

/** How many events the search for those of some types looks at, so that a rare type does not read all. */
export const searchedEvents = 10_000;

export const eventOperations = [
  /** Beyond the contract: what happened lately, for a page that then follows the events. */
  defineOperation('GET', '/api/admin/events/latest', anySession, {
    id: 'events.list',
    summary: 'List the latest events, newest first',
    description:
      `Looks at the latest ${groupDigits(searchedEvents)} events that are kept, and leaves out those that the caller ` +
      'may not follow. To go on from there, follow the events after the highest id.',
    forbid,
    input: z.object({ limit: clamped(20, 1, maxLatestEvents), types: typesParameter }),
    output: z.strictObject({ events: z.array(eventSchema) }),
    errors: [insufficientPermissions],
    failure: 'Failed to load the events.',
    example: {
      input: { limit: 1, types: 'issue.created,issue.updated' },
      output: { events: [exampleEvent] },
    },
  }),

  /** Beyond the contract: events from all instances and interfaces, as they happen. */
  defineOperation('GET', '/api/admin/events', anySession, {
    id: 'events.follow',
    summary: 'Follow events as they happen, as server-sent events',
    description:
      'The stream starts with the current position and sends a heartbeat every 15 seconds. Events of ' +
      'sessions, second factors, invitations and password resets are for admins and superadmins, and those of ' +
      'tokens, webhooks and the audit trail for superadmins. Events are kept for 7 days by default; a client that ' +
      'resumes after an older id gets a `gap` and should reload its data. An instance serves 500 followers, and 20 of ' +
      'each account or token: the 21st ends the oldest, which can reconnect.',
    forbid,
    input: z.object({
      types: typesParameter,
      after: parsed(z.union([z.string(), z.number()]), wrongAfter, readPosition)
        .meta(
          shownAs({
            type: 'integer',
            minimum: 0,
            description:
              'Only events after this id, starting with past ones; 0 for all that are kept. Without it, only new events. The ' +
              'header `Last-Event-ID`, which browsers send when they reconnect, takes precedence.',
          }),
        )
        .register(refusals, { errors: [invalid(wrongAfter)] }),
    }),
    output: eventOrGapSchema,
    answers: 'events',
    errors: [insufficientPermissions, tooManyFollowers],
    failure: 'Failed to follow the events.',
    example: { output: exampleEvent },
    otherExamples: {
      'A gap': {
        input: { after: 3, types: 'issue.updated' },
        output: { id: 17, type: 'gap', asked: 3 },
      },
    },
  }),
] as const;
