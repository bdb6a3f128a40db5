import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emit, emitTable, type Format, listIn, withFormats } from '../../output/emit.ts';
import type { Column } from '../../output/table.ts';
import { remark } from '../../terminal.ts';
import type { ListedReply } from './find.ts';

const columns: readonly Column<ListedReply>[] = [
  { heading: 'shortcut', value: ({ shortcut }) => shortcut },
  { heading: 'title', value: ({ title }) => title, cut: true },
  { heading: 'content', value: ({ content }) => content, cut: true, dropAs: 1 },
];

/** `backoffice saved-replies list`. */
export function listSavedRepliesCommand(): Command {
  const command = new Command('list')
    .description('list saved replies, by shortcut')
    .option('--search <words>', 'only if the shortcut, the title or the text contains these words')
    .addHelpText(
      'after',
      '\nExample:\n  backoffice saved-replies list --search parcel --json shortcut,content',
    );
  return runs(withFormats(command, 'json and csv'), 'savedReplies.list').action(
    async ({ search, ...format }: Format & { readonly search?: string }) => {
      const document = await withAccess(command, (access) => access.call('savedReplies.list', { q: search }));
      await emit(document, format, listIn('savedReplies.list', 'saved_replies'), async () => {
        if (document.saved_replies.length > 0) return await emitTable(columns, document.saved_replies);
        remark(search === undefined ? 'No saved replies.' : 'No saved replies match.');
      });
    },
  );
}
