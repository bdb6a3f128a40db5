import { Command } from 'commander';
import type { Event } from '../../../src/contract/events/envelope.ts';
import { maxLatestEvents } from '../../../src/contract/operations/events.ts';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { emit, type Format, listIn } from '../../output/emit.ts';
import { defaultRows } from '../../output/formats.ts';
import { counted } from '../../output/number.ts';
import { withLines } from '../../shown/with-table.ts';
import { outputWidth, print, remark } from '../../terminal.ts';

interface ListOptions extends Format {
  readonly limit?: number;
  readonly types?: string;
}

const list = listIn('events.list', 'events');

const defaultLimit = 20;

/** `backoffice events list`. */
export function listEventsCommand(): Command {
  const command = new Command('list')
    .description('list the latest events from every interface, newest first')
    .option('--limit <number>', 'maximum number; 0 for all that are kept', wholeNumber(0))
    .option('--types <types>', 'only these types: issue.created,issue.updated')
    .addHelpText('after', '\nExample:\n  backoffice events list --limit 5 --types issue.created');
  return runs(withLines(command, list), 'events.list', 'events.follow').action(
    async ({ limit, types, ...format }: ListOptions) => {
      const wanted = limit ?? defaultRows(format, defaultLimit);
      const events = await withAccess(command, (access) => readEvents(access, types, wanted));
      await emit({ events }, format, list, async () => {
        const { eventLine } = await import('../../output/event-line.ts');
        if (events.length === 0) remark('No events.');
        for (const event of events) print(eventLine(event, outputWidth()));
        if (wanted > 0 && events.length === wanted)
          remark(`Showing the newest ${counted(wanted, 'event')}. Use --limit 0 to show all that are kept.`);
      });
    },
  );
}

/** Reads the newest events: so many, or 0 for all. */
async function readEvents(
  access: Access,
  types: string | undefined,
  limit: number,
): Promise<readonly Event[]> {
  const { events } = await access.call('events.list', {
    limit: limit === 0 ? maxLatestEvents : limit,
    types,
  });
  if (limit > 0 && limit <= maxLatestEvents) return events;
  // That list has no more. The others are read as a follower reads them who was away: up to the newest of any type.
  const { events: newest } = await access.call('events.list', { limit: 1 });
  const last = newest[0]?.id ?? 0;
  const wanted = types?.split(',');
  const kept: Event[] = [];
  const end = new AbortController();
  for await (const event of last === 0 ? [] : access.follow({ after: 0, signal: end.signal })) {
    if (event.type !== 'gap' && (wanted?.includes(event.type) ?? true)) kept.push(event);
    if (event.id >= last) break;
  }
  end.abort();
  return kept.toReversed().slice(0, limit === 0 ? undefined : limit);
}
