import { Command } from 'commander';
import { maxLatestEvents } from '../../../src/contract/operations/events.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { emit, type Format, listIn } from '../../output/emit.ts';
import { withLines } from '../../shown/with-table.ts';
import { outputWidth, print, remark } from '../../terminal.ts';

interface ListOptions extends Format {
  readonly limit: number;
  readonly types?: string;
}

const list = listIn('events.list', 'events');

/** `backoffice events list`. */
export function listEventsCommand(): Command {
  const command = new Command('list')
    .description('list the latest events from every interface, newest first')
    .option('--limit <number>', 'at most that many', wholeNumber(1, maxLatestEvents), 20)
    .option('--types <types>', 'only these types: issue.created,issue.updated')
    .addHelpText('after', '\nExample:\n  backoffice events list --limit 5 --types issue.created');
  return runs(withLines(command, list), 'events.list').action(
    async ({ limit, types, ...format }: ListOptions) => {
      const document = await withAccess(command, (access) => access.call('events.list', { limit, types }));
      await emit(document, format, list, async () => {
        const { eventLine } = await import('../../output/event-line.ts');
        if (document.events.length === 0) remark('No events.');
        for (const event of document.events) print(eventLine(event, outputWidth()));
      });
    },
  );
}
