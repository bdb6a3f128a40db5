import { type EventType, eventTypes } from '../../src/contract/event-types.ts';
import type { Event } from '../../src/contract/events/envelope.ts';
import { maxLatestEvents } from '../../src/contract/fields/bounds.ts';
import type { Access } from '../access/access.ts';
import { emit } from '../output/emit.ts';
import { defaultRows, listIn } from '../output/formats.ts';
import { cut } from '../terminal/cells.ts';
import { describeChange } from '../terminal/change.ts';
import { outputWidth, print, printLine, remark, stopSignal } from '../terminal/terminal.ts';
import { counted, printable } from '../terminal/text.ts';
import { paint } from '../terminal/tones.ts';
import { number, type Parameter, span, text, time } from '../verb/parameters.ts';
import { calling, verbs } from '../verb/verb.ts';

/** Takes types of events, which the server validates. */
const types: Parameter<string | undefined> = {
  ...text('only these types: issue.created,issue.updated', 'types'),
  parse: (given, before) => (before === undefined ? given : `${before},${given}`),
};

const rows = listIn('events.list', 'events');

/** What people see by default. */
const defaultLimit = 20;

/** What changes, as it happens. */
export const events = verbs('backoffice events tail', {
  list: calling(['events.list', 'events.follow'], {
    about: 'list the latest events from every interface, newest first',
    params: { limit: number('maximum number; 0 for all that are kept', 0), types },
    output: 'rows',
    fields: rows.fields,
    examples: ['backoffice events list --limit 5 --types issue.created'],
    async run({ given: { limit, types }, format, access }) {
      const wanted = limit ?? defaultRows(format, defaultLimit);
      const events = await readEvents(access, types, wanted);
      await emit({ events }, format, rows, () => {
        if (events.length === 0) remark('No events.');
        for (const event of events) print(eventLine(event));
        if (wanted > 0 && events.length === wanted)
          remark(`Showing the newest ${counted(wanted, 'event')}. Use --limit 0 to show all that are kept.`);
      });
    },
  }),

  tail: calling(['events.follow', 'events.list'], {
    about: 'show events from every interface as they happen, until Ctrl-C',
    params: {
      since: time('start with the events since this time: 10m, yesterday, or 2026-01-31'),
      sinceId: {
        ...number('start with the events after this one; 0 for all that are kept', 0),
        term: 'id',
        excludes: ['since'],
      },
      types,
      limit: number('stop after this many', 1),
      for: span('stop after this time: 90s, 5m, 2h'),
    },
    notes:
      'It reconnects automatically, and then shows the events that it missed. With --json, each event is one line.',
    examples: [
      'backoffice events tail --types issue.created,message.created',
      'backoffice events tail --since 10m',
      'backoffice events tail --since-id 4711 --json id,type,subject_id >> events.jsonl',
    ],
    async run({ given, format, access }) {
      const { since = '', sinceId, limit = Number.POSITIVE_INFINITY } = given;
      const signal = endAfter(given.for);
      const types = given.types?.split(',') as EventType[] | undefined;
      const after = since === '' ? sinceId : await positionBefore(access, since);
      let shown = 0;
      for await (const message of access.follow({ after, types, signal, ...followRemarks() })) {
        if (message.type === 'gap')
          remark(
            `Events up to ${message.id} are not available: they were deleted, or the database was restored. Continuing from there.`,
          );
        else if (message.created_at >= since) {
          await emit(message, format, undefined, () => printLine(eventLine(message)));
          shown += 1;
        }
        if (shown >= limit) break;
      }
    },
  }),
});

/** The signal of what ends by itself. */
const endless = new AbortController().signal;

/** Reads the newest events: so many, or 0 for all. */
async function readEvents(
  access: Access,
  types: string | undefined,
  limit: number,
): Promise<readonly Event[]> {
  const { events } = await access.call('events.list', { limit: limit || maxLatestEvents, types });
  if (limit > 0 && limit <= maxLatestEvents) return events;
  // That list has no more. The others are read as a follower reads them who was away: up to the newest of any type.
  const { events: newest } = await access.call('events.list', { limit: 1 });
  const last = newest[0]?.id ?? 0;
  const wanted = types?.split(',');
  const kept: Event[] = [];
  for await (const event of last === 0 ? [] : access.follow({ after: 0, signal: endless })) {
    if (event.type !== 'gap' && (wanted?.includes(event.type) ?? true)) kept.push(event);
    if (event.id >= last) break;
  }
  return kept.toReversed().slice(0, limit || undefined);
}

/** Returns a position before the events since a time. Goes back in growing steps. */
async function positionBefore(access: Access, since: string): Promise<number> {
  const { events } = await access.call('events.list', { limit: maxLatestEvents });
  const older = events.find(({ created_at }) => created_at < since);
  if (older !== undefined) return older.id;
  let position = events.at(-1)?.id ?? 0;
  for (let step = maxLatestEvents; position > 0; step *= 4) {
    position = Math.max(0, position - step);
    const found = await olderPosition(access, position, since);
    if (found !== undefined) return found;
  }
  return 0;
}

/** Returns a position, or the end of the gap there, if the next event happened before a time. */
async function olderPosition(access: Access, after: number, since: string): Promise<number | undefined> {
  let position = after;
  for await (const message of access.follow({ after, signal: endless })) {
    if (message.type === 'gap') position = message.id;
    else return message.created_at < since ? position : undefined;
  }
  return undefined;
}

/** Wide enough for every type, so that the columns of all lines are aligned. */
const typeWidth = Math.max(...eventTypes.map((type) => type.length));
const subjectWidth = 6;

/** Formats an event as one line: when, what, on which subject, who, and some of its data. */
function eventLine({ created_at, type, subject_id, actor, data }: Event): string {
  const head = `${type.padEnd(typeWidth)}  ${(subject_id ?? '').padEnd(subjectWidth)}  `;
  const text = printable(`${created_at}  ${head}${actor}  ${describeChange(null, data)}`.trimEnd());
  const shown = cut(text, outputWidth());
  const time = shown.slice(0, created_at.length);
  return paint('dim')(time) + shown.slice(time.length);
}

/** Returns a signal that aborts on Ctrl-C and when the time is over. */
function endAfter(time: number | undefined): AbortSignal {
  const stop = stopSignal();
  if (time === undefined) return stop;
  const end = new AbortController();
  stop.addEventListener('abort', () => end.abort(stop.reason));
  // Not AbortSignal.timeout: without a listener, `any` would lose it to the garbage collector, and follow for ever.
  setTimeout(() => end.abort(), time * 1_000).unref();
  return end.signal;
}

/** Returns listeners that report the state of the connection on standard error. */
function followRemarks() {
  let hasConnected = false;
  return {
    onConnect() {
      remark(hasConnected ? 'Reconnected.' : 'Following events. Press Ctrl-C to stop.');
      hasConnected = true;
    },
    onLost: () => remark('Connection lost. Reconnecting.'),
  };
}
