import { Command } from 'commander';
import type { PreviewDifference } from '../../../src/db/tables/conversations/conversations.ts';
import { withServices } from '../../access/database.ts';
import { FailedError } from '../../errors.ts';
import { emitTable } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { print } from '../../terminal.ts';

/** `backoffice conversations recompute`. */
export function recomputeConversationsCommand(): Command {
  const command = new Command('recompute')
    .description(
      'find the newest message of every conversation and count the unread ones again, for the list',
    )
    .option('--check', 'only check what is kept; exit code 1 if any is wrong');
  return command.action(async ({ check }: { check?: boolean }) => {
    const { checkConversationPreviews, rebuildConversationPreviews } = await import(
      '../../../src/db/tables/conversations/conversations.ts'
    );
    await withServices(command, async ({ databases: { primary } }) => {
      if (!check) return await rebuildConversationPreviews(primary);
      const differences = await checkConversationPreviews(primary);
      if (differences.length === 0) return;
      const headings = ['conversation_id', 'kept', 'actual'] as const;
      await emitTable<PreviewDifference>(
        headings.map((heading) => ({ heading, value: (difference) => String(difference[heading] ?? '-') })),
        differences,
      );
      const wrong = counted(differences.length, 'preview is', 'previews are');
      throw new FailedError(`${wrong} wrong. Run \`backoffice conversations recompute\` to fix this.`);
    });
    print(
      check
        ? 'All previews are correct.'
        : 'Found the newest message of every conversation and counted the unread ones.',
    );
  });
}
