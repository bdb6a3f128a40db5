import { Command } from 'commander';
import type { InputOf } from '../../../src/contract/registry.ts';
import { issueStatuses } from '../../../src/contract/vocabulary.ts';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { UsageError } from '../../errors.ts';
import { repeated, time, wholeNumber } from '../../input/arguments.ts';
import { oneWord, severityOption, someWords } from '../../input/words.ts';
import { addAnswers, type BulkAnswer, printBulkChange, requireKnown } from '../../output/bulk-change.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { toAssigneeId } from '../admins/assignee.ts';

type Update = InputOf<'issues.update'>;

interface UpdateOptions extends Format {
  readonly status?: string;
  readonly severity?: string;
  readonly category?: string;
  readonly search?: string;
  readonly since?: string;
  readonly until?: string;
  readonly setStatus?: Update['set']['status'];
  readonly setSeverity?: string;
  readonly setCategory?: string;
  readonly setAssignee?: string;
  readonly setTitle?: string;
  readonly setDescription?: string;
  readonly setSteps?: string;
  readonly dryRun?: boolean;
}

/** `backoffice issues update`. */
export function updateIssuesCommand(): Command {
  const command = new Command('update')
    .description('change issues, by their numbers or by a filter')
    .argument('[issue...]', 'the numbers of the issues', repeated(wholeNumber(1)))
    .addOption(oneWord('--set-status <status>', 'the new status', issueStatuses))
    .addOption(severityOption('--set-severity <severity>', 'the new severity'))
    .option('--set-category <category>', 'the new category')
    .option('--set-assignee <assignee>', 'the e-mail or ID of the new assignee, me, or none')
    .option('--set-title <text>', 'the new title, of one issue')
    .option('--set-description <text>', 'the new description, of one issue')
    .option('--set-steps <text>', 'the new steps to reproduce, of one issue')
    .addOption(
      someWords(
        '--status <status>',
        'instead of numbers: all with this status, or several: a,b',
        issueStatuses,
      ),
    )
    .addOption(severityOption('--severity <severity>', 'all with this severity, or several: a,b'))
    .option('--category <category>', 'all in this category')
    .option('--search <words>', 'all that contain these words, in any order')
    .option('--since <time>', 'all created at or after this time: 2026-01-31, or 7d', time)
    .option('--until <time>', 'all created before this time', time)
    .option('--dry-run', 'only show how many would change')
    .addHelpText(
      'after',
      `
Examples:
  backoffice issues update 41 42 43 --set-status Closed
  backoffice issues update --status Open --until 365d --set-status Closed --dry-run
  backoffice issues update 42 --set-title "Checkout button does nothing"`,
    );
  return runs(withFormats(command), 'issues.update').action(
    async (ids: readonly number[], options: UpdateOptions) => {
      const update = toUpdate(ids, options);
      const { setAssignee } = options;
      const done = await withAccess(command, async (access) => {
        if (setAssignee === undefined) return await updateAll(access, update);
        const assignee_id = await toAssigneeId(access, setAssignee);
        return await updateAll(access, { ...update, set: { ...update.set, assignee_id } });
      });
      requireKnown(done, 'issue');
      await emitChange(done, options, () => printBulkChange(done, 'issue', options.dryRun));
    },
  );
}

function toUpdate(ids: readonly number[], options: UpdateOptions): Update {
  const { status, severity, category, search: q, since, until } = options;
  const filter = { status, severity, category, q, since, until };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (isFiltered === ids.length > 0)
    throw new UsageError('Name the issues by their numbers, or select them by a filter such as --status.');
  const set = {
    status: options.setStatus,
    severity: options.setSeverity,
    category: options.setCategory,
    title: options.setTitle,
    description: options.setDescription,
    steps_to_reproduce: options.setSteps,
  };
  if (options.setAssignee === undefined && Object.values(set).every((value) => value === undefined))
    throw new UsageError('Say what to change, such as --set-status Closed.');
  const forOneIssue = [options.setTitle, options.setDescription, options.setSteps];
  if (ids.length !== 1 && forOneIssue.some((value) => value !== undefined))
    throw new UsageError('--set-title, --set-description and --set-steps need the number of one issue.');
  const { dryRun: dry_run } = options;
  return { ...(isFiltered ? { filter } : { ids: [...ids] }), set, dry_run };
}

/** Repeats the call until all issues are changed, or as many as can be undone as one. */
async function updateAll(access: Access, update: Update): Promise<BulkAnswer> {
  const { maxChangedRows, maxRowsOfChange } = await import(
    '../../../src/contract/schemas/changes/changes.ts'
  );
  let done = await access.call('issues.update', update);
  while (done.remaining > 0 && done.change_id !== null && done.changed + maxChangedRows <= maxRowsOfChange) {
    const next = await access.call('issues.update', { ...update, change_id: done.change_id });
    done = addAnswers(done, next);
    if (next.changed === 0) break;
  }
  return done;
}
