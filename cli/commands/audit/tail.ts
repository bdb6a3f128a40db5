import { Command } from 'commander';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import type { Rows } from '../../access/pages.ts';
import { withAccess } from '../../access/with-access.ts';
import { type EndOptions, endOf, followRemarks, withEnd } from '../../following.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { emitRecord, type Format, withFormats } from '../../output/emit.ts';
import { isForPeople } from '../../output/formats.ts';
import { outputWidth, printLine } from '../../terminal.ts';

interface TailOptions extends Format, EndOptions {
  readonly sinceId?: number;
}

/** `backoffice audit tail`: each change as it is recorded. The event of a change, with the same id, announces its record. */
export function tailAuditRecordsCommand(): Command {
  const command = new Command('tail')
    .description('show each change as it is recorded, until Ctrl-C')
    .option('--since-id <id>', 'start with the records after this one', wholeNumber(0))
    .addHelpText(
      'after',
      `
With --json, each record is one line.

Examples:
  backoffice audit tail
  backoffice audit tail --since-id 4711 --json >> audit.jsonl`,
    );
  return runs(withFormats(withEnd(command)), 'audit.list', 'events.follow').action(
    async (options: TailOptions) => {
      const { sinceId: after, limit = Number.POSITIVE_INFINITY } = options;
      const signal = endOf(options);
      await withAccess(command, async (access) => {
        let shown = 0;
        let last = after;
        for await (const { id } of access.follow({ after, signal, ...followRemarks() })) {
          // One read may have returned the records of several events.
          if (last !== undefined && id <= last) continue;
          for await (const record of recordsAfter(access, last ?? id - 1, signal)) {
            await show(record, options);
            last = record.id;
            if (++shown >= limit) return;
          }
          last = Math.max(last ?? 0, id);
        }
      });
    },
  );
}

/** Yields the records after an id, oldest first, with one page in memory at a time. */
async function* recordsAfter(
  access: Access,
  id: number,
  signal: AbortSignal,
): AsyncGenerator<Rows['audit.list'], void> {
  let cursor: string | null | undefined;
  do {
    const wanted = { after: String(id), ...(cursor == null ? {} : { cursor }) };
    const { audit, nextCursor } = await access.call('audit.list', wanted);
    yield* audit;
    cursor = nextCursor;
  } while (cursor != null && !signal.aborted);
}

async function show(record: Rows['audit.list'], format: Format): Promise<void> {
  if (!isForPeople(format)) return await emitRecord(record, format);
  const { auditLine } = await import('../../output/audit-line.ts');
  await printLine(auditLine(record, outputWidth()));
}
