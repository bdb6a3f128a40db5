import { Command } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { readThread } from '../../access/thread.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { emitList, type Format, listIn } from '../../output/emit.ts';
import { defaultRows, isForPeople } from '../../output/formats.ts';
import { counted } from '../../output/number.ts';
import type { Column } from '../../output/table.ts';
import { withTable } from '../../shown/with-table.ts';
import { remark } from '../../terminal.ts';
import { historyColumns } from '../changes/history-columns.ts';
import { assigneeNames } from '../changes/name-assignees.ts';

type History = OutputOf<'conversations.history'>;
type Entry = History['history'][number];

const defaultLimit = 30;
const pageSize = 1_000;

const columns: readonly Column<Entry>[] = historyColumns.map((column) =>
  column.heading === 'after' ? { ...column, value: afterOf, exact: column.value } : column,
);

/** Says of messages how many they are. */
function afterOf({ after, messages }: Entry): string {
  return messages === null ? (after ?? '') : `${after} (${counted(messages, 'message')})`;
}

const list = listIn('conversations.history', 'history', 'change_id');

/** `backoffice conversations history`. */
export function conversationHistoryCommand(): Command {
  const command = new Command('history')
    .description('list the changes of a conversation, newest first')
    .argument('<conversation>', 'the ID of the conversation')
    .option('--limit <number>', 'maximum number; 0 for all', wholeNumber(0))
    .addHelpText('after', '\nExample:\n  backoffice conversations history conv_1769851800000_k3x9a2b');
  withTable(command, list, { page: 'conversations', search: () => ({}) });
  return runs(command, 'conversations.history', 'messages.list').action(
    async (id: string, { limit, ...format }: Format & { readonly limit?: number }) => {
      const wanted = limit ?? defaultRows(format, defaultLimit);
      const document = await withAccess(command, async (access) => {
        await readThread(access, id, 1);
        const found = await readHistory(access, id, wanted === 0 ? Number.POSITIVE_INFINITY : wanted);
        if (!isForPeople(format)) return found;
        return { ...found, history: await assigneeNames(access)(found.history) };
      });
      await emitList(document, format, list, columns, {
        none: 'No changes.',
        after() {
          const { history, nextCursor } = document;
          if (nextCursor !== null)
            remark(`Showing the newest ${counted(history.length, 'change')}. Use --limit 0 to show all.`);
        },
      });
    },
  );
}

async function readHistory(access: Access, id: string, limit: number) {
  const history: Entry[] = [];
  let nextCursor: string | null = null;
  do {
    const page: History = await access.call('conversations.history', {
      id,
      limit: Math.min(limit - history.length, pageSize),
      ...(nextCursor === null ? {} : { cursor: nextCursor }),
    });
    history.push(...page.history);
    nextCursor = page.nextCursor ?? null;
  } while (nextCursor !== null && history.length < limit);
  return { history, nextCursor };
}
