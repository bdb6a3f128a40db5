import { Command } from 'commander';
import type { InputOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emitBulk } from '../../bulk/batches.ts';
import { FailedError, UsageError } from '../../errors.ts';
import { issueIds, readIds } from '../../input/ids.ts';
import { canEdit, readTexts, withEditedDocument } from '../../input/long-text.ts';
import { type Format, withFormats } from '../../output/emit.ts';
import { splitFormat } from '../../output/formats.ts';
import { changeIssues } from './change-issues.ts';
import { findIssue, type ListedIssue } from './find.ts';
import { documentHelp, issueDocument } from './issue-document.ts';
import {
  type IssueFields,
  type IssueOptions,
  isEmptySet,
  singleFields,
  toSet,
  withSetOptions,
} from './issue-fields.ts';

interface EditOptions extends Format, IssueOptions {
  readonly yes?: boolean;
}

type Expected = InputOf<'issues.update'>['expected'];

/** `backoffice issues edit`. */
export function editIssueCommand(): Command {
  const command = withSetOptions(
    new Command('edit')
      .description('change an issue in your editor, or issues by their numbers with options')
      .argument('<issue...>', 'the number of the issue; with options also several, or - for standard input'),
    '',
  )
    .option('--yes', 'do not ask, which more than 20 issues need')
    .addHelpText(
      'after',
      `
The editor is that of the variable VISUAL or EDITOR. What somebody else changes meanwhile is never overwritten.
To change all issues that match a filter, use \`backoffice issues update\`.

Examples:
  backoffice issues edit 42
  backoffice issues edit 42 --title "Checkout button does nothing" --severity High
  backoffice issues edit 42 --add-label billing --remove-label invoices
  backoffice issues edit 42 --description - < description.txt`,
    );
  return runs(withFormats(command), 'issues.update').action(
    async (words: readonly string[], options: EditOptions) => {
      const { format, others } = splitFormat(options);
      const { yes, ...given } = others;
      const ids = await readIds(words, issueIds);
      const [id] = ids;
      const fields = await readTexts(given, ['description', 'steps']);
      if (ids.length !== 1 && singleFields.some((field) => fields[field] !== undefined))
        throw new UsageError('--title, --description and --steps need the number of one issue.');
      if (!isEmptySet(fields)) {
        const done = await withAccess(command, async (access) =>
          changeIssues(
            access,
            { ids },
            {
              set: await toSet(access, fields),
              question: (issues) => `Change ${issues}?`,
              yes,
            },
          ),
        );
        return await emitBulk(done, format, 'issue');
      }
      if (ids.length !== 1 || id === undefined || !canEdit())
        throw new UsageError('Say what to change, such as --title or --severity High.');
      await withAccess(command, (access) => editInEditor(access, id, format));
    },
  );
}

async function editInEditor(access: Access, id: number, format: Format): Promise<void> {
  const issue = await findIssue(access, id, 'assignee');
  const document = issueDocument(fieldsOf(issue));
  const text = {
    what: 'issue',
    initial: document.text,
    about: [...documentHelp, 'Fields that you delete stay as they are.'],
  };
  await withEditedDocument(text, async (written) => {
    const changed = document.changes(written);
    if (isEmptySet(changed)) throw new FailedError(`Issue ${id} is as it was. Nothing was changed.`);
    const change = {
      question: () => '',
      set: await toSet(access, changed),
      expected: seenOf(issue, changed),
    };
    const done = await changeIssues(access, { ids: [id] }, change);
    await emitBulk(done, format, 'issue');
  });
}

function fieldsOf(issue: ListedIssue): IssueFields {
  const { title, status, severity, category, description, steps_to_reproduce: steps, assignee } = issue;
  return { title, status, severity, category, assignee: assignee?.email ?? 'none', description, steps };
}

/** Returns what the user saw of the fields that change. */
function seenOf(issue: ListedIssue, changed: IssueFields): Expected {
  const { steps_to_reproduce, assignee } = issue;
  const names = Object.keys(changed) as (keyof IssueFields)[];
  const seen = names.map((name) => {
    if (name === 'steps') return ['steps_to_reproduce', steps_to_reproduce];
    return name === 'assignee' ? ['assignee_id', assignee?.id ?? null] : [name, issue[name]];
  });
  return Object.fromEntries(seen);
}
