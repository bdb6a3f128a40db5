import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emitBulk } from '../../bulk/batches.ts';
import { UsageError } from '../../errors.ts';
import { readTexts } from '../../input/long-text.ts';
import { type Format, withFormats } from '../../output/emit.ts';
import type { LabelChanges } from '../labels/options.ts';
import { changeIssues } from './change-issues.ts';
import { isEmptySet, singleFields, toSet, withSetOptions } from './issue-fields.ts';
import { type IssueSelectionOptions, readIssueSelection, withIssueSelection } from './selection.ts';

interface UpdateOptions extends Format, IssueSelectionOptions, LabelChanges {
  readonly setStatus?: string;
  readonly setSeverity?: string;
  readonly setCategory?: string;
  readonly setAssignee?: string;
  readonly setTitle?: string;
  readonly setDescription?: string;
  readonly setSteps?: string;
}

/** `backoffice issues update`. */
export function updateIssuesCommand(): Command {
  const command = withIssueSelection(
    withSetOptions(
      new Command('update').description('change all issues that match a filter, or those with these numbers'),
      'set-',
    ),
  ).addHelpText(
    'after',
    `
Options such as --status select issues, and those with --set- change them. To change an issue in your editor, use
\`backoffice issues edit\`.

Examples:
  backoffice issues update --filter 'status:open older:1y' --set-status Closed --dry-run
  backoffice issues update 41 42 43 --set-status Closed
  backoffice issues update --label invoices --add-label billing --remove-label invoices
  backoffice issues update 42 --set-title "Checkout button does nothing"`,
  );
  return runs(withFormats(command), 'issues.update').action(
    async (words: readonly string[], options: UpdateOptions) => {
      const texts = await readTexts(options, ['setDescription', 'setSteps']);
      const { dryRun, yes } = options;
      const fields = {
        status: texts.setStatus,
        severity: texts.setSeverity,
        category: texts.setCategory,
        assignee: texts.setAssignee,
        title: texts.setTitle,
        description: texts.setDescription,
        steps: texts.setSteps,
        addLabel: options.addLabel,
        removeLabel: options.removeLabel,
      };
      if (isEmptySet(fields))
        throw new UsageError(
          'Say what to change, such as --set-status Closed. Options such as --status only select issues.',
        );
      const selection = await readIssueSelection(words, options);
      const isOne = 'ids' in selection && selection.ids.length === 1;
      if (!isOne && singleFields.some((field) => fields[field] !== undefined))
        throw new UsageError('--set-title, --set-description and --set-steps need the number of one issue.');
      const done = await withAccess(command, async (access) =>
        changeIssues(access, selection, {
          set: await toSet(access, fields),
          question: (issues) => `Change ${issues}?`,
          dryRun,
          yes,
        }),
      );
      await emitBulk(done, options, 'issue', dryRun);
    },
  );
}
