import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emitList } from '../../output/emit.ts';
import type { Format } from '../../output/formats.ts';
import { listIn } from '../../output/rows/list-of.ts';
import type { Column } from '../../output/table.ts';
import { withTable } from '../../shown/with-table.ts';
import type { ListedReply } from './find.ts';

const columns: readonly Column<ListedReply>[] = [
  { heading: 'shortcut', value: ({ shortcut }) => shortcut },
  { heading: 'title', value: ({ title }) => title, cut: true },
  { heading: 'content', value: ({ content }) => content, cut: true, dropAs: 1 },
];

const list = listIn('savedReplies.list', 'saved_replies', 'shortcut');

/** `backoffice saved-replies list`. */
export function listSavedRepliesCommand(): Command {
  const command = new Command('list')
    .description('list saved replies, by shortcut')
    .option('--search <words>', 'only if the shortcut, the title or the text contains these words')
    .addHelpText(
      'after',
      '\nExample:\n  backoffice saved-replies list --search parcel --json shortcut,content',
    );
  withTable(command, list, { page: 'conversations', search: () => ({ show: 'saved-replies' }) });
  return runs(command, 'savedReplies.list').action(
    async ({ search, ...format }: Format & { readonly search?: string }) => {
      const document = await withAccess(command, (access) => access.call('savedReplies.list', { q: search }));
      const none = search === undefined ? 'No saved replies.' : 'No saved replies match.';
      await emitList(document, format, list, columns, { none });
    },
  );
}
