import { Command } from 'commander';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { batchesOf } from '../../bulk/batches.ts';
import { idsOfList } from '../../bulk/ids-of-list.ts';
import { confirm } from '../../input/prompts.ts';
import { requireKnown } from '../../output/bulk-change.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { createProgress } from '../../output/progress.ts';
import { print, remark } from '../../terminal.ts';
import { changeIssues, showFirst } from './change-issues.ts';
import {
  type IssueSelection,
  type IssueSelectionOptions,
  readIssueSelection,
  resolveFilter,
  withIssueSelection,
} from './selection.ts';

/** What one call deletes at most. */
const maxDeletedIssues = 1_000;

/** `backoffice issues delete`. */
export function deleteIssuesCommand(): Command {
  const command = withIssueSelection(
    new Command('delete').description(
      'delete issues with their history, links and comments; this cannot be undone',
    ),
  ).addHelpText(
    'after',
    `
Examples:
  backoffice issues delete 41 42 --dry-run
  backoffice issues delete --filter 'status:closed older:2y'`,
  );
  return runs(withFormats(command), 'issues.delete').action(
    async (words: readonly string[], options: IssueSelectionOptions & Format) => {
      const selection = await readIssueSelection(words, options);
      const { dryRun, yes } = options;
      await withAccess(command, async (access) => {
        const { ids, unknown } = await findIssues(access, selection, dryRun);
        const matched = ids.length;
        if (unknown.length > 0) remark(`Unknown: ${unknown.join(', ')}.`);
        const what = counted(matched, 'issue');
        if (dryRun)
          return await emitChange({ matched, unknown }, options, () => print(`Would delete ${what}.`));
        const ofThem = matched === 1 ? 'its' : 'their';
        const question = `Delete ${what} with ${ofThem} history, links and comments? This cannot be undone.`;
        if (matched > 0) await confirm(question, yes);
        const deleted = await deleteAll(access, ids);
        await emitChange({ success: true, deleted }, options, () =>
          print(`Deleted ${counted(deleted, 'issue')}.`),
        );
      });
    },
  );
}

interface Found {
  readonly ids: readonly number[];
  readonly unknown: readonly (number | string)[];
}

async function findIssues(
  access: Access,
  selection: IssueSelection,
  dryRun: boolean | undefined,
): Promise<Found> {
  if ('filter' in selection) {
    const filter = await resolveFilter(access, selection.filter);
    const ids = await idsOfList(access, 'issues.list', filter);
    if (dryRun) await showFirst(access, filter, ids.length);
    return { ids, unknown: [] };
  }
  // Finds them: what it would set does not matter.
  const { answer } = await changeIssues(access, selection, {
    set: { status: 'Closed' },
    question: () => '',
    dryRun: true,
  });
  requireKnown(answer, 'issue');
  const unknown = new Set<number | string>(answer.unknown);
  return { ids: selection.ids.filter((id) => !unknown.has(id)), unknown: answer.unknown };
}

async function deleteAll(access: Access, ids: readonly number[]): Promise<number> {
  const progress = createProgress();
  const show = (done: number) => {
    if (ids.length > maxDeletedIssues) progress.show({ what: 'issues', done, total: ids.length });
  };
  let deleted = 0;
  show(0);
  try {
    for (const batch of batchesOf(ids, maxDeletedIssues)) {
      deleted += (await access.call('issues.delete', { id: batch.join(',') })).deleted;
      show(deleted);
    }
  } catch (error) {
    if (deleted > 0) remark(`Deleted ${counted(deleted, 'issue')} before this error.`);
    throw error;
  } finally {
    progress.end();
  }
  return deleted;
}
