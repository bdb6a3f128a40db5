import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { repeated, wholeNumber } from '../../input/arguments.ts';
import { confirm } from '../../input/prompts.ts';
import { requireKnown } from '../../output/bulk-change.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { print, remark } from '../../terminal.ts';

/** `backoffice issues delete`. */
export function deleteIssuesCommand(): Command {
  const command = new Command('delete')
    .description('delete issues with their history, links and comments; this cannot be undone')
    .argument('<issue...>', 'the numbers of the issues', repeated(wholeNumber(1)))
    .option('--dry-run', 'only show how many would be deleted')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice issues delete 41 42 --dry-run');
  return runs(withFormats(command), 'issues.delete').action(
    async (
      ids: readonly number[],
      { dryRun, yes, ...format }: Format & { dryRun?: boolean; yes?: boolean },
    ) => {
      await withAccess(command, async (access) => {
        // Counts them: what it would set does not matter.
        const found = await access.call('issues.update', {
          ids: [...ids],
          set: { status: 'Closed' },
          dry_run: true,
        });
        requireKnown(found, 'issue');
        const { matched, unknown } = found;
        if (unknown.length > 0) remark(`Unknown: ${unknown.join(', ')}.`);
        const what = counted(matched, 'issue');
        if (dryRun)
          return await emitChange({ matched, unknown }, format, () => print(`Would delete ${what}.`));
        const ofThem = matched === 1 ? 'its' : 'their';
        await confirm(
          `Delete ${what} with ${ofThem} history, links and comments? This cannot be undone.`,
          yes,
        );
        const done = await access.call('issues.delete', { id: ids.join(',') });
        await emitChange(done, format, () => print(`Deleted ${counted(done.deleted, 'issue')}.`));
      });
    },
  );
}
