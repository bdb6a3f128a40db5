import { Command } from 'commander';
import { maxLatestEvents } from '../../../src/contract/operations/events.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { emit, type Format, withFormats } from '../../output/emit.ts';
import { outputWidth, print, remark } from '../../terminal.ts';

interface ListOptions extends Format {
  readonly limit: number;
  readonly types?: string;
}

/** `backoffice events list`. */
export function listEventsCommand(): Command {
  const command = new Command('list')
    .description('list the latest events from every interface, newest first')
    .option('--limit <number>', 'at most that many', wholeNumber(1, maxLatestEvents), 20)
    .option('--types <types>', 'only these types: issue.created,issue.updated')
    .addHelpText('after', '\nExample:\n  backoffice events list --limit 5 --types issue.created');
  return runs(withFormats(command), 'events.list').action(
    async ({ limit, types, ...format }: ListOptions) => {
      const document = await withAccess(command, (access) => access.call('events.list', { limit, types }));
      await emit(document, format, 'events', async () => {
        const { eventLine } = await import('../../output/event-line.ts');
        if (document.events.length === 0) remark('No events.');
        for (const event of document.events) print(eventLine(event, outputWidth()));
      });
    },
  );
}
