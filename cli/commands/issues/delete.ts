import { Command } from 'commander';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { deleteRows } from '../../bulk/delete-rows.ts';
import { matchingIds } from '../../bulk/matching-ids.ts';
import { confirm } from '../../input/prompts.ts';
import { remarkUnknown } from '../../output/bulk-change.ts';
import { emit, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { print } from '../../terminal.ts';
import { changeIssues, showFirst } from './change-issues.ts';
import {
  type IssueSelection,
  type IssueSelectionOptions,
  readIssueSelection,
  resolveFilter,
  withIssueSelection,
} from './selection.ts';

const issueList = { operation: 'issues.list', name: 'issues' } as const;

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
        remarkUnknown(unknown);
        const what = counted(matched, 'issue');
        if (dryRun)
          return await emit({ matched, unknown }, options, undefined, () => print(`Would delete ${what}.`));
        const ofThem = matched === 1 ? 'its' : 'their';
        const question = `Delete ${what} with ${ofThem} history, links and comments? This cannot be undone.`;
        if (matched > 0) await confirm(question, yes);
        const remove = async (batch: readonly number[]) =>
          (await access.call('issues.delete', { id: batch.join(',') })).deleted;
        const [batchSize, quick] = [maxDeletedIssues, maxDeletedIssues];
        await deleteRows({ noun: 'issue', ids, batchSize, quick, remove }, options);
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
    const ids = await matchingIds(access, issueList, filter, ({ id }) => id);
    if (dryRun) await showFirst(access, filter, ids.length);
    return { ids, unknown: [] };
  }
  // Finds them: what it would set does not matter.
  const { answer } = await changeIssues(access, selection, {
    set: { status: 'Closed' },
    question: () => '',
    dryRun: true,
  });
  const unknown = new Set<number | string>(answer.unknown);
  return { ids: selection.ids.filter((id) => !unknown.has(id)), unknown: answer.unknown };
}
