import { Command } from 'commander';
import type { EventOrGap } from '../../../src/contract/operations/events.ts';
import type { EventType } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { type EndOptions, endOf, followRemarks, withEnd } from '../../following.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { type Format, toJson, withFormats } from '../../output/emit.ts';
import { outputWidth, printLine, printPiece, remark } from '../../terminal.ts';

interface TailOptions extends Format, EndOptions {
  readonly sinceId?: number;
  readonly types?: string;
}

/** `backoffice events tail`. */
export function tailEventsCommand(): Command {
  const command = new Command('tail')
    .description('show what happens while it happens, through whichever door, until Ctrl-C')
    .option(
      '--since-id <id>',
      'first whatever happened after this event; 0 for all that is kept',
      wholeNumber(0),
    )
    .option('--types <types>', 'only events of these types: issue.created,issue.updated')
    .addHelpText(
      'after',
      `
A connection that is lost is made again, and what happened meanwhile is shown then. With --json each event is a line.

Examples:
  backoffice events tail --types issue.created,message.created
  backoffice events tail --since-id 4711 --json id,type,subject_id >> events.jsonl`,
    );
  return runs(withFormats(withEnd(command)), 'events.follow').action(async (options: TailOptions) => {
    const { json, sinceId: after, limit = Number.POSITIVE_INFINITY } = options;
    const signal = endOf(options);
    // The server knows the types, and says what is wrong.
    const types = options.types?.split(',') as EventType[] | undefined;
    await withAccess(command, async (access) => {
      let shown = 0;
      for await (const news of access.follow({ after, types, signal, ...followRemarks() })) {
        if (await show(news, json)) shown++;
        if (shown >= limit) break;
      }
    });
  });
}

/** Whether it was an event. */
async function show(news: EventOrGap, json: Format['json']): Promise<boolean> {
  if (news.type === 'gap') {
    remark(
      `Events up to ${news.id} are no longer kept, or the database was put back: it goes on from there.`,
    );
    return false;
  }
  if (json !== undefined) await printPiece(`${toJson(news, json)}\n`);
  else {
    const { eventLine } = await import('../../output/event-line.ts');
    await printLine(eventLine(news, outputWidth()));
  }
  return true;
}
