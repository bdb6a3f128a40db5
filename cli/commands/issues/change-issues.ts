import type { InputOf } from '../../../src/contract/registry.ts';
import { maxChangedRows, maxRowsOfChange } from '../../../src/contract/schemas/changes/changes.ts';
import type { Access } from '../../access/access.ts';
import { type Bulk, changeRows, nothing, runBatches } from '../../bulk/batches.ts';
import { confirmMany } from '../../bulk/confirm-many.ts';
import { addAnswers } from '../../output/bulk-change.ts';
import { counted, grouped } from '../../output/number.ts';
import { printable } from '../../output/text.ts';
import { remark } from '../../terminal.ts';
import { type IssueFilter, type IssueSelection, resolveFilter } from './selection.ts';

type Update = InputOf<'issues.update'>;

/** How many of the issues a preview by a filter names. */
const maxShown = 5;

export interface IssueChange {
  readonly set: Update['set'];
  /** Returns the question for a change of so many issues. */
  readonly question: (issues: string) => string;
  /** What the caller saw of the only issue. */
  readonly expected?: Update['expected'];
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/**
 * Changes the selected issues, or says what that would do.
 *
 * @throws NotFoundError if the caller named issues and none exists
 */
export async function changeIssues(
  access: Access,
  selection: IssueSelection,
  change: IssueChange,
): Promise<Bulk> {
  if ('ids' in selection) return await changeByIds(access, selection.ids, change);
  return await changeByFilter(access, await resolveFilter(access, selection.filter), change);
}

async function changeByIds(access: Access, ids: readonly number[], change: IssueChange): Promise<Bulk> {
  const { set, question, expected, dryRun: dry_run = false, yes } = change;
  if (ids.length === 0) return nothing;
  if (!dry_run) await confirmMany(ids.length, question(counted(ids.length, 'issue')), yes);
  return await changeRows('issue', ids, (batch) =>
    access.call('issues.update', { ids: batch, set, expected, dry_run }),
  );
}

async function changeByFilter(access: Access, filter: IssueFilter, change: IssueChange): Promise<Bulk> {
  const { set, question, dryRun, yes } = change;
  const preview = await access.call('issues.update', { filter, set, dry_run: true });
  const total = preview.changed + preview.remaining;
  if (dryRun) {
    await showFirst(access, filter, preview.matched);
    return { answer: preview, changes: [] };
  }
  await confirmMany(total, question(counted(total, 'issue')), yes);
  return await runBatches({
    noun: 'issue',
    total,
    next(before) {
      if (before === undefined) return () => access.call('issues.update', { filter, set });
      // As many as can be undone as one.
      const { changed, remaining, change_id } = before;
      const isFull = changed + maxChangedRows > maxRowsOfChange;
      if (remaining === 0 || change_id === null || isFull) return undefined;
      return () => access.call('issues.update', { filter, set, change_id });
    },
    add: addAnswers,
  });
}

/** Names the first issues of a filter. */
export async function showFirst(access: Access, filter: IssueFilter, matched: number): Promise<void> {
  const found = await access.call('issues.list', { ...filter, limit: maxShown });
  const issues = 'issues' in found ? found.issues : [];
  for (const { id, title, severity, status } of issues)
    remark(printable(`  ${id}  ${title} (${severity}, ${status})`));
  if (matched > issues.length) remark(`  and ${grouped(matched - issues.length)} more`);
}
