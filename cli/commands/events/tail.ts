import { Command } from 'commander';
import type { EventType } from '../../../src/contract/event-types.ts';
import type { EventOrGap } from '../../../src/contract/events/envelope.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { type EndOptions, endOf, followRemarks, withEnd } from '../../following.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { emitRecord, type Format, withFormats } from '../../output/emit.ts';
import { isForPeople } from '../../output/formats.ts';
import { outputWidth, printLine, remark } from '../../terminal.ts';

interface TailOptions extends Format, EndOptions {
  readonly sinceId?: number;
  readonly types?: string;
}

/** `backoffice events tail`. */
export function tailEventsCommand(): Command {
  const command = new Command('tail')
    .description('show events from every interface as they happen, until Ctrl-C')
    .option(
      '--since-id <id>',
      'start with the events after this one; 0 for all that are kept',
      wholeNumber(0),
    )
    .option('--types <types>', 'only these types: issue.created,issue.updated')
    .addHelpText(
      'after',
      `
It reconnects automatically, and then shows the events that it missed. With --json, each event is one line.

Examples:
  backoffice events tail --types issue.created,message.created
  backoffice events tail --since-id 4711 --json id,type,subject_id >> events.jsonl`,
    );
  return runs(withFormats(withEnd(command)), 'events.follow').action(async (options: TailOptions) => {
    const { sinceId: after, limit = Number.POSITIVE_INFINITY } = options;
    const signal = endOf(options);
    // The server validates the types.
    const types = options.types?.split(',') as EventType[] | undefined;
    await withAccess(command, async (access) => {
      let shown = 0;
      for await (const message of access.follow({ after, types, signal, ...followRemarks() })) {
        if (await show(message, options)) shown++;
        if (shown >= limit) break;
      }
    });
  });
}

/** Prints an event or a gap. Returns whether it was an event. */
async function show(message: EventOrGap, format: Format): Promise<boolean> {
  if (message.type === 'gap') {
    remark(
      `Events up to ${message.id} are not available: they were deleted, or the database was restored. Continuing from there.`,
    );
    return false;
  }
  if (!isForPeople(format)) await emitRecord(message, format);
  else {
    const { eventLine } = await import('../../output/event-line.ts');
    await printLine(eventLine(message, outputWidth()));
  }
  return true;
}
