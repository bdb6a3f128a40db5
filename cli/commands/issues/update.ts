import { Command, Option } from 'commander';
import type { InputOf } from '../../../src/contract/registry.ts';
import { issueStatuses } from '../../../src/contract/vocabulary.ts';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { UsageError } from '../../errors.ts';
import { repeated, time, wholeNumber } from '../../input/arguments.ts';
import { addAnswers, type BulkAnswer, printBulkChange, requireKnown } from '../../output/bulk-change.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';

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
    .addOption(new Option('--set-status <status>', 'the new status').choices(issueStatuses))
    .option('--set-severity <severity>', 'the new severity')
    .option('--set-category <category>', 'the new category')
    .option('--set-title <text>', 'the new title, of one issue')
    .option('--set-description <text>', 'the new description, of one issue')
    .option('--set-steps <text>', 'the new steps to reproduce, of one issue')
    .option('--status <status>', 'instead of numbers: all with this status')
    .option('--severity <severity>', 'all with this severity')
    .option('--category <category>', 'all in this category')
    .option('--search <text>', 'all that contain this text')
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
      const done = await withAccess(command, (access) => updateAll(access, update));
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
  const { dryRun: dry_run } = options;
  return { ...(isFiltered ? { filter } : { ids: [...ids] }), set, dry_run };
}

/** Repeats the call until all issues are changed, or as many as can be undone as one. */
async function updateAll(access: Access, update: Update): Promise<BulkAnswer> {
  const { maxChangedRows, maxRowsOfChange } = await import('../../../src/contract/schemas/changes.ts');
  let done = await access.call('issues.update', update);
  while (done.remaining > 0 && done.change_id !== null && done.changed + maxChangedRows <= maxRowsOfChange) {
    const next = await access.call('issues.update', { ...update, change_id: done.change_id });
    done = addAnswers(done, next);
    if (next.changed === 0) break;
  }
  return done;
}
